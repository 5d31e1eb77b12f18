import type { ResultRow } from './plan.ts';
import type { PlayedRace } from './player.ts';

export type Difference = { bib: string; what: string };

/** Who of the plan has another result, or none, after the last answer of the API. */
export function unstored({ plan, stored }: Pick<PlayedRace, 'plan' | 'stored'>): Difference[] {
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
