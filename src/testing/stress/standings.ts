import type { RaceDay } from './race-day.ts';

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
