import type { RaceDay } from './race-day.ts';

export type Runner = {
  bib: string;
  ms: number | null;
  gender: string | null;
  category: string | null;
};
type Position = { overall: number; gender: number | null; category: number | null };

/** Reads the positions of the view `standings`, by bib. */
export async function standingsOf(
  { pool }: Pick<RaceDay, 'pool'>,
  eventId: string,
): Promise<Record<string, Position>> {
  const { rows } = await pool.query<Position & { bib: string }>(
    `select bib_number as bib, position_overall::int as overall, position_gender::int as gender,
      position_category::int as category
    from standings where event_id = $1`,
    [eventId],
  );
  return Object.fromEntries(rows.map(({ bib, ...position }) => [bib, position]));
}

/** Computes positions. Runners with the same time share the first of their places. */
export function rank(runners: readonly Runner[]): Record<string, Position> {
  const finishers = runners.filter(({ ms }) => ms !== null);
  const overall = placesOf(finishers);
  const byGender = placesIn(finishers, ({ gender }) => gender);
  const byCategory = placesIn(finishers, ({ category }) => category);
  return Object.fromEntries(
    finishers.map((one) => [
      one.bib,
      { overall: overall(one) ?? 0, gender: byGender(one), category: byCategory(one) },
    ]),
  );
}

function placesIn(finishers: readonly Runner[], groupOf: (one: Runner) => string | null) {
  const groups = Map.groupBy(finishers, groupOf);
  const places = new Map(Array.from(groups, ([group, those]) => [group, placesOf(those)]));
  return (one: Runner) => {
    const group = groupOf(one);
    return group === null ? null : (places.get(group)?.(one) ?? null);
  };
}

function placesOf(finishers: readonly Runner[]) {
  const places = new Map<number | null, number>();
  const sorted = finishers.map(({ ms }) => Number(ms)).sort((a, b) => a - b);
  for (const [index, ms] of sorted.entries()) if (!places.has(ms)) places.set(ms, index + 1);
  return ({ ms }: Runner) => places.get(ms) ?? null;
}
