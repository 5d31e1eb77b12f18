import type { ResultRow } from './plan.ts';
import type { PlayedRace } from './player.ts';

export type Difference = { bib: string; what: string };

/** Of whom the API has not said that it stored the last that was to be told. */
export function unconfirmed({ plan, stored }: Pick<PlayedRace, 'plan' | 'stored'>): Difference[] {
  const lastRows = new Map<string, ResultRow>();
  for (const { reports } of plan.points) {
    for (const { row } of reports) lastRows.set(row.bib_number, row);
  }
  return plan.outcomes.flatMap(({ bib, status }) => {
    const row = stored.get(bib);
    if (row !== undefined && row === lastRows.get(bib)) return [];
    return [{ bib, what: `${status} was not loaded` }];
  });
}
