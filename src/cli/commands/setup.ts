import type { Event, RaceResultsClient } from '../../client/index.ts';
import { connect } from '../api.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import type { Prompter } from '../prompt.ts';
import { RACE_FILE, writeRaceFile } from '../race-file.ts';
import { checkedAddress, type OpenSettings, requireAccess } from '../settings.ts';

const EVENTS_SHOWN = 20;
const ATTEMPTS = 3;

/** Asks for what is missing, or takes it all from flags and environment where nobody can be asked. */
export async function setup(
  open: OpenSettings,
  { output, prompter, signal }: { output: Output; prompter: Prompter; signal: AbortSignal },
): Promise<ExitCode> {
  const asked = prompter.canAsk ? await askForAccess(open, prompter) : open;
  const { apiUrl, apiKey } = requireAccess({ ...asked, eventId: asked.eventId ?? 'to be chosen' });
  const client = connect({ apiUrl, apiKey }, ATTEMPTS);
  const event = await chooseEvent(client, open, { output, prompter, signal });
  writeRaceFile(open.folder, {
    ...open.race,
    api: apiUrl,
    event: event.id,
    event_name: event.name,
  });
  output.answer(
    { type: 'setup', api: apiUrl, event: event.id, event_name: event.name },
    `${RACE_FILE} now names ${eventLine(event)}. It holds no key.`,
  );
  if (open.apiKey === undefined) output.progress({ type: 'hint' }, keyHint());
  output.progress(
    { type: 'hint' },
    'Next: `race-results check FILE` with a file of your timing software.',
  );
  return EXIT.done;
}

async function askForAccess(open: OpenSettings, prompter: Prompter): Promise<OpenSettings> {
  let apiUrl = '';
  while (apiUrl === '') apiUrl = await prompter.text('Address of the API:', open.apiUrl);
  checkedAddress(apiUrl);
  const apiKey = open.apiKey ?? (await prompter.secret('API key (not shown):'));
  return { ...open, apiUrl, apiKey: apiKey || undefined };
}

async function chooseEvent(
  client: RaceResultsClient,
  { eventId, race, isYes }: OpenSettings,
  { output, prompter, signal }: { output: Output; prompter: Prompter; signal: AbortSignal },
): Promise<Event> {
  // A race.json that is there is what a person at the terminal may want to change.
  const isDecided = eventId !== undefined && (eventId !== race.event || isYes || !prompter.canAsk);
  if (isDecided) return client.getEvent(eventId, { signal });
  const { data, meta } = await client.listEvents({ page_size: 100 }, { signal });
  const nearest = [...data].sort((one, other) => daysAway(one) - daysAway(other));
  const shown = nearest.slice(0, EVENTS_SHOWN);
  if (shown.length === 0) {
    throw new CliError(EXIT.usage, 'The organization of this key has no event. Create one first.');
  }
  if (!prompter.canAsk) {
    for (const event of shown) {
      output.answer({ type: 'event', ...event }, `${event.id}  ${eventLine(event)}`);
    }
    throw new CliError(
      EXIT.usage,
      'Say which event: give --event with one of these ids, or set RACE_RESULTS_EVENT.',
    );
  }
  if (meta.total > shown.length) {
    output.progress(
      { type: 'hint' },
      `The ${shown.length} events nearest to today, of ${meta.total}. Others: --event ID.`,
    );
  }
  const [only] = shown;
  if (only && shown.length === 1 && (await prompter.confirm(`Send to ${eventLine(only)}?`))) {
    return only;
  }
  const chosen = shown[await prompter.choose('Which event?', shown.map(eventLine))];
  if (!chosen) throw new CliError(EXIT.usage, 'No event was chosen.');
  return chosen;
}

const DAY_MS = 86_400_000;

const daysAway = ({ event_date }: Event): number =>
  Math.abs(Math.round((Date.parse(event_date) - Date.now()) / DAY_MS));

const eventLine = ({ name, event_date, city, status }: Event): string =>
  `${name}, ${event_date.slice(0, 10)}, ${city} (${status})`;

const keyHint = (): string => {
  const line =
    process.platform === 'win32' ? '$env:RACE_RESULTS_KEY = "…"' : 'export RACE_RESULTS_KEY=…';
  return `Set the key once in each terminal, or you are asked for it every time: ${line}`;
};
