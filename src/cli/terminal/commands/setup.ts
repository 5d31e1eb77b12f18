import { relative, resolve } from 'node:path';
import {
  ApiError,
  type Event,
  type EventStart,
  isRaceResultsError,
  type RaceResultsClient,
} from '../../../client/index.ts';
import { instantIn, isZone } from '../../../timing-files/read/race-clock.ts';
import { type CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { RACE_FILE, readRaceFile, writeRaceFile } from '../../files/race-file.ts';
import { filesIn } from '../../files/watched-files.ts';
import { connect, explainError, scopeText } from '../../queue/api.ts';
import { holderOf } from '../../queue/folder.ts';
import { ALL } from '../../queue/sending.ts';
import type { User } from '../../queue/user.ts';
import { isText, localTime, say } from '../../words.ts';
import { zoneOf } from '../clock.ts';
import type { Context } from '../context.ts';
import type { Output } from '../output.ts';
import type { Prompter } from '../prompt.ts';
import {
  askKey,
  checkedAddress,
  type OpenSettings,
  type Settings,
  withAccess,
} from '../settings.ts';
import { check } from './check.ts';

const EVENTS_SHOWN = 20;
const ATTEMPTS = 2;

type Terminal = { output: Output; prompter: Prompter; signal: AbortSignal };
type Found = {
  access: Settings;
  events: readonly Event[];
  total: number;
  client: RaceResultsClient;
};

/**
 * Asks for the missing settings; without a person, takes all settings from flags and environment. Then checks each file
 * of the folder, because each file has its own meaning.
 */
export async function setup(open: OpenSettings, user: User, terminal: Terminal): Promise<ExitCode> {
  const { output, prompter, signal } = terminal;
  const found = await findApi(open, user, terminal);
  const { access, client } = found;
  const { apiUrl: api } = access;
  const event = await chooseEvent(found, open, terminal);
  await requireSending({ client, signal }, event.id);
  const { id, name: event_name } = event;
  const zone = open.text('zone') ?? open.race.zone;
  if (zone !== undefined && !isZone(zone)) throw startWrong(open);
  await tellStarts(open, client, id, signal);
  const race = { ...open.race, api, event: id, event_name, ...(zone !== undefined && { zone }) };
  await writeRaceFile(open.folder, race);
  // A running `watch` may have read times of day with other starts.
  if (open.texts('start').length > 0 || open.text('zone') !== undefined) {
    await holderOf({ ...access, eventId: id }, { type: 'checked' });
  }
  const done = say('setup', { race_file: RACE_FILE, event: eventLine(event) });
  output.answer('setup', { api, event: id, event_name }, done);
  if (open.apiKey === undefined) {
    const isWindows = process.platform === 'win32';
    const line = isWindows ? '$env:RACE_RESULTS_KEY = "…"' : 'export RACE_RESULTS_KEY=…';
    output.progress('next_key', { line });
  }
  const files = prompter.canAsk ? ((await filesIn(resolve(open.folder, open.operand))) ?? []) : [];
  for (const file of files) {
    const operand = relative(open.folder, file);
    const settings = { ...access, eventId: id, race: readRaceFile(open.folder), operand };
    await check({ ...terminal, settings, client }).catch((error: unknown) => {
      const known = signal.aborted ? undefined : explainError(error);
      if (!known) throw error;
      output.warning('again', {}, known.message);
    });
  }
  if (files.length === 0) output.progress('next_check');
  return EXIT.done;
}

const startWrong = ({ texts, text }: OpenSettings): CliError =>
  failure(EXIT.usage, 'start_wrong', { starts: texts('start'), zone: text('zone') ?? '-' });

/** A local time with the offset of the zone; undefined for an invalid time or zone. */
function startIn(zone: string, wall: string): string | undefined {
  const instantMs = isZone(zone) ? instantIn(zone, wall) : undefined;
  if (instantMs === undefined) return undefined;
  const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
  const shown = new Intl.DateTimeFormat('en-US', options).format(instantMs);
  const offset = /[+-]\d\d:\d\d/.exec(shown)?.[0] ?? '+00:00';
  const aheadMs = Date.parse('1970-01-01T00:00:00Z') - Date.parse(`1970-01-01T00:00:00${offset}`);
  return new Date(instantMs + aheadMs).toISOString().slice(0, 19) + offset;
}

const CONFLICT = 409;
const STARTS_ATTEMPTS = 5;

/** Sends the starts of distances to the API, and keeps all further starts. @throws CliError for an unreadable start */
async function tellStarts(
  open: OpenSettings,
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
): Promise<void> {
  const zone = open.text('zone') ?? zoneOf(open);
  const told = open.texts('start').map((start) => {
    const [, distance = '', wall = ''] = /^(.+)=([^=]+)$/.exec(start) ?? [];
    const starts_at = startIn(zone, wall.trim());
    if (starts_at === undefined) throw startWrong(open);
    const name = distance.trim();
    return { name, distance: name, bib_from: null, bib_to: null, starts_at };
  });
  if (told.length === 0) return;
  for (let attempt = 1; ; attempt++) {
    const { version, starts } = await client.getEventStarts(eventId, { signal });
    const isTold = ({ distance, bib_from }: EventStart) =>
      bib_from === null && told.some((one) => one.distance === distance);
    const others = starts.filter((one) => !isTold(one));
    try {
      await client.putEventStarts(eventId, { version, starts: [...others, ...told] }, { signal });
      return;
    } catch (error) {
      // Another laptop has sent a start meanwhile.
      const isConflict = error instanceof ApiError && error.status === CONFLICT;
      if (!isConflict || attempt === STARTS_ATTEMPTS) throw error;
    }
  }
}

/** Asks a person if the event is not today. @throws CliError if the person says no */
export async function requireToday({ client, settings, output, prompter, signal }: Context) {
  const { eventId, isYes } = settings;
  const event = await client.getEvent(eventId, { signal });
  if (isToday(event) || isYes) return;
  const values = { event: eventLine(event) };
  if (prompter.canAsk) return prompter.requireYes(say('ask_not_today', values), isYes);
  output.warning('not_today', values);
}

/** Previews a row: a preview needs the scope of an upload, and writes nothing. @throws CliError for a read-only key */
export async function requireSending(
  { client, signal }: Pick<Context, 'client' | 'signal'>,
  eventId: string,
): Promise<void> {
  try {
    const options = { leave: ALL, sender: 'race-results', signal };
    const found = await client.previewEventResultsFile(eventId, 'bib,status\n1,DNF\n', options);
    if (!Array.isArray(found.left)) throw failure(EXIT.usage, 'api_too_old');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 400) throw failure(EXIT.usage, 'api_too_old');
    if (error.status !== 403) throw error;
    throw failure(EXIT.key, 'key_cannot_send', { detail: scopeText(error.detail) });
  }
}

/** Asks for address and key until the API accepts both. */
async function findApi(open: OpenSettings, user: User, terminal: Terminal): Promise<Found> {
  const { prompter, output, signal } = terminal;
  let { apiUrl, apiKey } = open;
  for (;;) {
    try {
      if (prompter.canAsk) {
        apiUrl = await prompter.text(say('ask_address'), apiUrl);
        checkedAddress(apiUrl, open.isInsecure);
      }
      apiKey ??= await askKey(prompter);
      const access = await withAccess({ ...open, apiUrl, apiKey, eventId: '-' }, user, prompter);
      const client = connect(access, { maxAttempts: ATTEMPTS });
      const { data, meta } = await client.listEvents({ page_size: 100 }, { signal });
      return { access, events: data, total: meta.total, client };
    } catch (error) {
      const found = isElsewhere(error) ? notTheApi(apiUrl) : error;
      const known = signal.aborted || !prompter.canAsk ? undefined : explainError(found);
      if (!known) throw found;
      if (known.exitCode === EXIT.key) apiKey = undefined;
      output.warning('again', {}, known.message);
    }
  }
}

/** A path unknown to the API, or the answer of another server. */
const isElsewhere = (error: unknown): boolean =>
  isRaceResultsError(error) && 'status' in error && error.status === 404;

const notTheApi = (address = ''): CliError => {
  const { origin } = new URL(address);
  return failure(EXIT.usage, 'not_the_api', { address, origin });
};

async function chooseEvent(
  { client, events, total }: Found,
  { eventId, race, isYes }: OpenSettings,
  { output, prompter, signal }: Terminal,
): Promise<Event> {
  // A person at the terminal may want to change the event in race.json.
  const isDecided = eventId !== undefined && (eventId !== race.event || isYes || !prompter.canAsk);
  if (isDecided) return client.getEvent(eventId, { signal });
  const shown = [...events]
    .sort((one, other) => daysAway(one) - daysAway(other))
    .slice(0, EVENTS_SHOWN);
  if (shown.length === 0) throw failure(EXIT.usage, 'no_events');
  if (!prompter.canAsk) {
    for (const event of shown) {
      output.answer('event', { ...event }, `${event.id}  ${eventLine(event)}`);
    }
    throw failure(EXIT.usage, 'name_an_event');
  }
  if (total > shown.length) output.progress('nearest_events', { count: shown.length, total });
  const chosen = shown[await prompter.choose(say('ask_event'), shown.map(eventLine))];
  if (!chosen) throw failure(EXIT.usage, 'name_an_event');
  return chosen;
}

const DAY_MS = 86_400_000;

const daysAway = ({ event_date }: Event): number =>
  Math.abs(Math.round((Date.parse(event_date) - Date.now()) / DAY_MS));

const dayOf = (instant: string | Date): string => localTime(instant).slice(0, 10);

const isToday = ({ event_date }: Pick<Event, 'event_date'>): boolean =>
  dayOf(event_date) === dayOf(new Date());

/**
 * The date is local to this laptop, because the laptop is at the race. An event of today counts as `today`, not as
 * past.
 */
const eventLine = ({ name, event_date, city, status }: Event): string => {
  const key = isToday({ event_date }) ? 'today' : `event_${status}`;
  return `${name}, ${dayOf(event_date)}, ${city} (${isText(key) ? say(key) : status})`;
};
