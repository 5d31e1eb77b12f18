/** The parts that open in the head of a race. A single script contains all these parts. */
export { CopySettings } from '../copy/copy.tsx';
export { Downloads } from '../downloads/downloads.tsx';
export { RaceHistory } from '../history/history.tsx';
export { askToMakeOfficial, OfficialVersions } from '../official/versions.tsx';
export { Course } from '../points/course-form.tsx';
export { RankingMissing } from '../ranking/missing.tsx';
export { Prizes } from '../ranking/prizes.tsx';
export { Ranking } from '../ranking/ranking.tsx';
export { Starts } from '../starts/starts.tsx';
