import { relative, resolve } from 'node:path';
import {
  ApiError,
  type Event,
  type EventStart,
  type EventStarts,
  isRaceResultsError,
  type RaceResultsClient,
  type StartShift,
} from '../../../client/index.ts';
import { instantIn, isZone } from '../../../timing-files/read/race-clock.ts';
import { type CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { RACE_FILE, readRaceFile, writeRaceFile } from '../../files/race-file.ts';
import { filesIn } from '../../files/watched-files.ts';
import { connect, explainError } from '../../queue/api.ts';
import { holderOf } from '../../queue/folder.ts';
import { requireSending } from '../../queue/sending.ts';
import type { User } from '../../queue/user.ts';
import { isText, localTime, say } from '../../words.ts';
import { zoneOf } from '../clock.ts';
import type { Context } from '../context.ts';
import { askKey, checkedAddress, type OpenSettings, withAccess } from '../settings.ts';
import { check } from './check.ts';

const EVENTS_SHOWN = 20;
const ATTEMPTS = 2;

type Terminal = Pick<Context, 'output' | 'prompter' | 'signal'>;
type Found = Awaited<ReturnType<typeof findApi>>;

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
  await requireSending(client, event.id, signal);
  const { id, name: event_name } = event;
  const zone = open.text('zone') ?? open.race.zone;
  if (zone !== undefined && !isZone(zone)) throw startWrong(open);
  await tellStarts({ ...terminal, open, client, eventId: id });
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

type Telling = Terminal & { open: OpenSettings; client: RaceResultsClient; eventId: string };

const CONFLICT = 409;

/**
 * Tells the API the start of each named distance, and leaves all further starts. A told start is corrected together
 * with the times since the gun.
 * @throws CliError for an unreadable start, or without a yes to a correction
 */
async function tellStarts(telling: Telling): Promise<void> {
  const { open, client, eventId, signal } = telling;
  const zone = open.text('zone') ?? zoneOf(open);
  const told = open.texts('start').map((start) => {
    const [, distance = '', wall = ''] = /^(.+)=([^=]+)$/.exec(start) ?? [];
    const starts_at = startIn(zone, wall.trim());
    if (starts_at === undefined) throw startWrong(open);
    return { distance: distance.trim(), starts_at };
  });
  for (const start of told) {
    for (let isTold = false; !isTold; ) {
      const known = await client.getEventStarts(eventId, { signal });
      try {
        await tellStart(known, start, telling);
        isTold = true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== CONFLICT) throw error;
        const { version } = await client.getEventStarts(eventId, { signal });
        // With another version, another laptop has sent a start meanwhile. All further conflicts stay.
        if (version === known.version) throw error;
      }
    }
  }
}

async function tellStart(
  { version, starts }: EventStarts,
  { distance, starts_at }: { distance: string; starts_at: string },
  { open, client, eventId, output, prompter, signal }: Telling,
): Promise<void> {
  const before = starts.find((one) => one.distance === distance && one.bib_from === null);
  if (!before) {
    const start = { name: distance, distance, starts_at };
    await client.putEventStarts(eventId, { version, starts: [...starts, start] }, { signal });
    return;
  }
  if (Date.parse(before.starts_at) === Date.parse(starts_at)) return;
  const moved = starts.map((one) => (one === before ? { ...one, starts_at } : one));
  const shift = async (dryRun: boolean) => {
    const options = { shift: true, dryRun, signal };
    return (await client.putEventStarts(eventId, { version, starts: moved }, options)).shift;
  };
  const trial = await shift(true);
  if (trial && trial.results + trial.passings > 0) {
    output.progress('dry_run', trial, shiftText(before, starts_at, trial));
    await prompter.requireYes(say('ask_shift'), open.isYes);
  }
  const done = await shift(false);
  if (done) output.answer('shifted', { ...done, name: before.name, starts_at });
}

/** The effect of a corrected start: runners, results, passings, podiums, the official version. */
function shiftText({ name, starts_at: from }: EventStart, to: string, trial: StartShift): string {
  const bibs = (all: readonly (string | null)[]) => all.map((bib) => bib ?? '-').join(', ');
  const podiums = trial.podiums.map(({ distance, gender, category, before, after }) => {
    const group = [distance, gender, category].filter((part) => part !== null).join(' ') || '-';
    return `\n  ${group}: ${bibs(before)} → ${bibs(after)}`;
  });
  const { official_version: version } = trial;
  return [
    say('shift_trial', { ...trial, name, from: localTime(from), to: localTime(to) }),
    podiums.length > 0 ? `\n${say('shift_podiums')}${podiums.join('')}` : '',
    version === null ? '' : `\n${say('shift_official', { version })}`,
  ].join('');
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

/** Asks for address and key until the API accepts both. */
async function findApi(open: OpenSettings, user: User, { prompter, output, signal }: Terminal) {
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
