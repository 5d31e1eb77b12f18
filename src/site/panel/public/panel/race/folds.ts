/** What opens in the head of a race. One script has all of it. */
export { Downloads } from '../downloads/downloads.tsx';
export { RaceHistory } from '../history/history.tsx';
export { askToMakeOfficial, OfficialVersions } from '../official/versions.tsx';
export { RankingMissing } from '../ranking/missing.tsx';
export { Ranking } from '../ranking/ranking.tsx';
