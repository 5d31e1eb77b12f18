import { partInAddress, raceInAddress, viewInAddress } from './address.ts';
import { addressOfOrganization, askEarly, pageOf, runnersOf } from './request.ts';

/** As long as the page waits for an answer. */
const TIMEOUT_MS = 20_000;

/** Asks for all that the page shows first, at once. */
export function askFirst({ organization, token }: { organization: string; token: string }) {
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

const pathsOfRace = (race: string) => [
  `/events/${race}`,
  pageOf(`/events/${race}/results/official`, 1),
  ...(partInAddress() === 'results' ? [runnersOf(race, '', 1)] : []),
];
