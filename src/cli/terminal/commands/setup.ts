import { ApiError, type Event, type RaceResultsClient } from '../../../client/index.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { RACE_FILE, writeRaceFile } from '../../files/race-file.ts';
import { connect, explainError } from '../../queue/api.ts';
import type { User } from '../../queue/user.ts';
import { say } from '../../words.ts';
import { requireBound } from '../bound-key.ts';
import type { Output } from '../output.ts';
import type { Prompter } from '../prompt.ts';
import { checkedAddress, type OpenSettings, requireAccess } from '../settings.ts';

const EVENTS_SHOWN = 20;
const ATTEMPTS = 2;

type Terminal = { output: Output; prompter: Prompter; signal: AbortSignal };
type Found = { apiUrl: string; events: readonly Event[]; total: number; client: RaceResultsClient };

/** Asks for what is missing, or takes it all from flags and environment where nobody can be asked. */
export async function setup(open: OpenSettings, user: User, terminal: Terminal): Promise<ExitCode> {
  const { output } = terminal;
  const found = await findApi(open, user, terminal);
  const event = await chooseEvent(found, open, terminal);
  await checkScope(found.client, event.id, terminal.signal);
  writeRaceFile(open.folder, {
    ...{ ...open.race, api: found.apiUrl, event: event.id, event_name: event.name },
  });
  const names = say('now_names');
  const noKey = say('it_holds_no_key');
  output.answer(
    { type: 'setup', api: found.apiUrl, event: event.id, event_name: event.name },
    `${RACE_FILE} ${names} ${eventLine(event)}. ${noKey}`,
  );
  if (open.apiKey === undefined) output.progress({ type: 'hint' }, keyHint());
  output.progress({ type: 'hint' }, say('next_check_file_with_a'));
  return EXIT.done;
}

/** Asks for address and key until the API has accepted them. */
async function findApi(open: OpenSettings, user: User, terminal: Terminal): Promise<Found> {
  const { prompter, output, signal } = terminal;
  let { apiUrl, apiKey } = open;
  for (;;) {
    try {
      if (prompter.canAsk) apiUrl = await askAddress(open, prompter, apiUrl);
      const question = say('api_key_not_shown');
      if (prompter.canAsk) apiKey ??= (await prompter.secret(question)) || undefined;
      const access = requireAccess({ ...open, apiUrl, apiKey, eventId: '-' });
      await requireBound(user, access, prompter);
      const onAccepted = () => user.bind(access.apiKey, new URL(access.apiUrl).origin);
      const client = connect({ ...access, onAccepted }, { maxAttempts: ATTEMPTS });
      const { data, meta } = await client.listEvents({ page_size: 100 }, { signal });
      return { apiUrl: access.apiUrl, events: data, total: meta.total, client };
    } catch (error) {
      const known = signal.aborted || !prompter.canAsk ? undefined : explainError(error);
      if (!known) throw error;
      if (known.exitCode === EXIT.key) apiKey = undefined;
      output.warning({ type: 'again' }, known.message);
    }
  }
}

async function askAddress(
  { isInsecure }: OpenSettings,
  prompter: Prompter,
  preset: string | undefined,
): Promise<string> {
  const question = say('address_of_the_api');
  for (;;) {
    const answer = await prompter.text(question, preset);
    if (answer !== '') return checkedAddress(answer, isInsecure);
  }
}

/** A preview needs the same scope as an upload, and writes nothing. @throws CliError */
async function checkScope(client: RaceResultsClient, event: string, signal: AbortSignal) {
  try {
    await client.previewEventResultsFile(event, 'bib,status\n1,DNF\n', { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const why = say('the_key_cannot_send_results');
    throw new CliError(EXIT.key, `${why}: ${error.detail}`, { cause: error });
  }
}

async function chooseEvent(
  { client, events, total }: Found,
  { eventId, race, isYes }: OpenSettings,
  { output, prompter, signal }: Terminal,
): Promise<Event> {
  // A race.json that is there is what a person at the terminal may want to change.
  const isDecided = eventId !== undefined && (eventId !== race.event || isYes || !prompter.canAsk);
  if (isDecided) return client.getEvent(eventId, { signal });
  const nearest = [...events].sort((one, other) => daysAway(one) - daysAway(other));
  const shown = nearest.slice(0, EVENTS_SHOWN);
  const refuse = (text: string) => new CliError(EXIT.usage, text);
  if (shown.length === 0) {
    throw refuse(say('no_event'));
  }
  if (!prompter.canAsk) {
    for (const event of shown) {
      output.answer({ type: 'event', ...event }, `${event.id}  ${eventLine(event)}`);
    }
    throw refuse(say('say_which_event'));
  }
  if (total > shown.length) {
    const hint = say('the_events_nearest_to_today', { length: shown.length, total });
    output.progress({ type: 'hint' }, hint);
  }
  const [only] = shown;
  const question = only && `${say('send_to')} ${eventLine(only)}?`;
  if (question && shown.length === 1 && (await prompter.confirm(question))) return only;
  const which = say('which_event');
  const chosen = shown[await prompter.choose(which, shown.map(eventLine))];
  if (!chosen) throw refuse(say('no_event_chosen'));
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
  const hint = say('set_the_key_once_in');
  return `${hint}: ${line}`;
};
