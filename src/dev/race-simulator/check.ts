import type { Result } from '../../client/index.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import type { PlayedRace } from './player.ts';

export type Difference = { bib: string; what: string };

/** Finds runners whose last report is unconfirmed. */
export const unconfirmed = ({ plan, stored }: Pick<PlayedRace, 'plan' | 'stored'>): Difference[] =>
  [...plan.finalRows]
    .filter(([bib, row]) => stored.get(bib) !== row)
    .map(([bib, { status }]) => ({ bib, what: `${status} was not loaded` }));

/** The fields of a result that depend on uploads. */
export type HeldResult = Pick<
  Result,
  'bib_number' | 'status' | 'chip_time' | 'gun_time' | 'splits' | 'position_overall'
>;

/**
 * Finds results that differ from the confirmed rows, and positions that differ from those that the times give.
 * @param held all results of the event, also those of runners who were not in the race
 */
export function misheld(stored: PlayedRace['stored'], held: readonly HeldResult[]): Difference[] {
  const byBib = new Map(held.map((result) => [result.bib_number, result]));
  const placeOf = placesAmong(held);
  return [...stored].flatMap(([bib, sent]) => {
    const result = byBib.get(bib);
    if (!result) return [{ bib, what: 'is not among the results' }];
    const compared: [name: string, held: unknown, wanted: unknown][] = [
      ['status', result.status, sent.status],
      ['chip time', result.chip_time, sent.chip_time ?? null],
      ['gun time', result.gun_time, sent.gun_time ?? null],
      ['splits', inOrder(result.splits), inOrder(sent.splits)],
      ['position', result.position_overall, placeOf(result)],
    ];
    return compared
      .filter(([, held, wanted]) => held !== wanted)
      .map(([name, held, wanted]) => ({ bib, what: `${name} ${held}, not ${wanted}` }));
  });
}

const inOrder = (splits: HeldResult['splits']): string =>
  Object.entries(splits)
    .map((split) => split.join(' '))
    .sort()
    .join(', ');

/** Runners with the same time share the first of their places. */
function placesAmong(held: readonly HeldResult[]) {
  const timeOf = ({ status, chip_time, gun_time }: HeldResult) =>
    status === 'FINISHED' ? parseRaceTime(chip_time ?? gun_time ?? '') : undefined;
  const times = held.flatMap((result) => timeOf(result) ?? []).sort((a, b) => a - b);
  const places = new Map(times.map((time, index) => [time, index + 1] as const).reverse());
  return (result: HeldResult) => places.get(timeOf(result) ?? -1) ?? null;
}
