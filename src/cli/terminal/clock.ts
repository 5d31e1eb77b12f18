import type { Copy, EventWarnings } from '../../client/index.ts';
import { RaceClock } from '../../timing-files/read/race-clock.ts';
import { EXIT } from '../exit-codes.ts';
import { explainError } from '../queue/api.ts';
import type { Store, Told } from '../queue/store.ts';
import { localTime, say } from '../words.ts';
import type { Context } from './context.ts';

type Needed = Pick<Context['settings'], 'race' | 'isOfDay'>;

/** Whether a file has times of day. Such a file needs the distance of each bib. */
export const needsClock = ({ race, isOfDay }: Needed): boolean =>
  isOfDay || race.readings?.some((one) => one.times_of_day) === true;

/** The time zone of the times of day. */
export const zoneOf = ({ race }: Pick<Context['settings'], 'race'>): string =>
  race.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Reads the starts of the API.
 * @param runners a copy of all registered runners
 * @param store keeps the starts. While the API cannot be reached, the kept starts count
 * @returns whether the clock has changed
 * @throws RaceResultsError without kept starts; DiskError
 */
export async function readClock(
  context: Context,
  runners: Copy<'start-list'>,
  signal: AbortSignal,
  store?: Store,
): Promise<boolean> {
  const { settings, output } = context;
  const { told: before } = settings;
  try {
    const told = await askClock(context, runners, signal);
    const isNew = before === undefined || contentOf(told) !== contentOf(before);
    if (isNew) await store?.write([['told', '', told]]);
    output.forget('starts');
    setClock(settings, told);
    return isNew;
  } catch (error) {
    if (before || explainError(error)?.exitCode !== EXIT.offline) throw error;
    if (!store?.told) throw error;
    setClock(settings, store.told);
    sayKept(context);
    return true;
  }
}

/** Says that the last read starts count. */
export function sayKept({ settings: { told }, output }: Context): void {
  if (!told || told.starts.length === 0) return;
  const { read_at } = told;
  output.once('starts', 'starts_kept', { read_at }, say('starts_kept', { at: localTime(read_at) }));
}

async function askClock(
  { settings: { eventId }, client }: Context,
  runners: Copy<'start-list'>,
  signal: AbortSignal,
): Promise<Told> {
  await runners.update({ signal });
  const { starts } = await client.getEventStarts(eventId, { signal });
  const { points } = await client.getEventPoints(eventId, { signal });
  const distances = [...runners.items.values()].flatMap(
    ({ bib_number, distance }): Told['distances'] =>
      bib_number === null ? [] : [[bib_number, distance]],
  );
  return { read_at: new Date().toISOString(), starts, points, distances };
}

const contentOf = (told: Told): string => JSON.stringify({ ...told, read_at: '' });

function setClock(settings: Context['settings'], told: Told): void {
  const { starts, points } = told;
  const race = { zone: zoneOf(settings), starts, points, distances: new Map(told.distances) };
  settings.told = told;
  settings.clock = starts.length > 0 ? new RaceClock(race) : undefined;
}

/**
 * Asks for the lists of addresses, and for the start list if a file has times of day.
 * @throws CliError for a refused list, RaceResultsError
 */
export async function openFiles(context: Context, { isShorterRight = false } = {}): Promise<void> {
  const { settings, client, signal } = context;
  for (const list of settings.lists) await list.update(signal, isShorterRight);
  if (!needsClock(settings)) return;
  await readClock(context, client.follow('start-list', settings.eventId), signal);
}

/** The text about a clock that seems wrong. */
export function clockText({ at, point, minutes }: EventWarnings['clocks'][number]): string {
  const size = Math.abs(minutes);
  const isAhead = minutes > 0;
  if (at === 'start')
    return say(isAhead ? 'clock_start_late' : 'clock_start_early', { minutes: size });
  const where = point ?? say('clock_finish');
  return say(isAhead ? 'clock_ahead' : 'clock_behind', { where, minutes: size });
}
