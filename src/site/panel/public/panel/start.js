import { partInAddress, raceInAddress } from './address.js';
import { LANGUAGES, languageOf } from './languages.js';
import { addressOfOrganization, askEarly, pageOf, runnersOf } from './request.js';
import { keptSession } from './session.js';

/** As long as the page waits for an answer. */
const TIMEOUT_MS = 20_000;

// Asks for what the page shows first while its scripts load: on a slow line that is half of the way to it. A failure
// is that of whoever needs the answer.
LANGUAGES[languageOf(navigator.language)]().catch(() => {});
const link = new URLSearchParams(location.hash.slice(1));
const token = link.get('token');
const session = token ? { organization: link.get('organization') ?? '', token } : keptSession();
if (session) {
  const race = raceInAddress();
  const paths = ['', pageOf('/events', 1), pageOf('/api-keys', 1)];
  if (race) paths.push(`/events/${race}`);
  if (race && partInAddress() === 'results') paths.push(runnersOf(race, '', 1));
  const base = addressOfOrganization(session.organization);
  askEarly(
    session.token,
    paths.map((path) => base + path),
    TIMEOUT_MS,
  );
}
