/** The settings and the parts that open on the page of a race. A single script contains all these parts. */
export { Downloads } from '../downloads/downloads.tsx';
export { askToMakeOfficial, OfficialVersions } from '../official/versions.tsx';
export { RankingMissing } from '../ranking/missing.tsx';
export { Settings } from './settings.tsx';
