import type { StartListEntry } from '../../client/index.ts';
import { RaceClock } from '../../timing-files/read/race-clock.ts';
import { CliError, EXIT } from '../exit-codes.ts';
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
 * @param runners all registered runners
 * @returns whether the clock has changed
 */
export async function setClock(
  { settings, client }: Context,
  runners: Iterable<StartListEntry>,
  signal: AbortSignal,
): Promise<boolean> {
  const { starts, version } = await client.getEventStarts(settings.eventId, { signal });
  const isOther = settings.clock === undefined || settings.startsVersion !== version;
  settings.startsVersion = version;
  const distances = new Map<string, string | null>();
  for (const { bib_number, distance } of runners) {
    if (bib_number !== null) distances.set(bib_number, distance);
  }
  const zone = zoneOf(settings);
  settings.clock = starts.length > 0 ? new RaceClock({ zone, starts, distances }) : undefined;
  return isOther;
}

/**
 * Asks for the lists of addresses, and for the start list if a file has times of day.
 * @throws CliError for a refused list, RaceResultsError
 */
export async function openFiles(context: Context, { isShorterRight = false } = {}): Promise<void> {
  const { settings, client, signal } = context;
  for (const list of settings.lists) {
    const problem = await list.update(signal, isShorterRight);
    if (problem) throw new CliError(EXIT.unclear, problem.message);
  }
  if (!needsClock(settings)) return;
  const copy = client.follow('start-list', settings.eventId);
  await copy.update({ signal });
  await setClock(context, copy.items.values(), signal);
}
