import type { StartListEntry } from '../../client/index.ts';
import { RaceClock } from '../../timing-files/read/race-clock.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { raceOf } from '../files/race-starts.ts';
import type { Context } from './context.ts';

type Needed = Pick<Context['settings'], 'race' | 'isOfDay'>;

/** Whether a file has times of day: then the command needs the distance of each bib. */
export const needsClock = ({ race, isOfDay }: Needed): boolean =>
  race.starts !== undefined && (isOfDay || race.readings?.some((one) => one.times_of_day) === true);

/** @param runners everybody who may start */
export function setClock(settings: Context['settings'], runners: Iterable<StartListEntry>): void {
  const distances = new Map<string, string | null>();
  for (const { bib_number, distance } of runners) {
    if (bib_number !== null) distances.set(bib_number, distance);
  }
  const { starts } = settings.race;
  settings.clock = starts && new RaceClock({ ...raceOf(starts), distances });
}

/**
 * Asks for the lists of addresses, and for the start list if a file has times of day.
 * @throws CliError for a list that cannot be taken, RaceResultsError
 */
export async function openFiles(
  { settings, client, signal }: Context,
  { isShorterRight = false } = {},
): Promise<void> {
  for (const list of settings.lists) {
    const problem = await list.update(signal, isShorterRight);
    if (problem) throw new CliError(EXIT.unclear, problem.message);
  }
  if (!needsClock(settings)) return;
  const copy = client.follow('start-list', settings.eventId);
  await copy.update({ signal });
  setClock(settings, copy.items.values());
}
