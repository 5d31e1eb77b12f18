import { partInAddress, raceInAddress, viewInAddress } from './address.js';
import { addressOfOrganization, askEarly, pageOf, runnersOf } from './request.js';

/** As long as the page waits for an answer. */
const TIMEOUT_MS = 20_000;

/** Asks for all that the page shows first, at once. @param {{ organization: string, token: string }} session */
export function askFirst({ organization, token }) {
  const race = raceInAddress();
  const paths = ['', ...(race ? pathsOfRace(race) : [pageOf('/events', 1)])];
  if (viewInAddress() === 'keys') paths.push(pageOf('/api-keys', 1));
  const base = addressOfOrganization(organization);
  askEarly(
    token,
    paths.map((path) => base + path),
    TIMEOUT_MS,
  );
}

/** @param {string} race */
const pathsOfRace = (race) => [
  `/events/${race}`,
  pageOf(`/events/${race}/results/official`, 1),
  ...(partInAddress() === 'results' ? [runnersOf(race, '', 1)] : []),
];
