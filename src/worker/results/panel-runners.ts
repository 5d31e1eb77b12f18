import type * as z from 'zod/mini';
import type { RunnerRow, Wanted } from './list-runners.ts';
import type { Runner } from './panel-answer-schemas.ts';
import type { RunnerQuery } from './panel-schemas.ts';
import { toResultContent, toSplitTimes } from './result.ts';
import { textArray } from './upload/column.ts';

/**
 * The filters of a search. A text with a digit is a bib, with or without `#`; any other text is words of a name, in any
 * order, with or without accents.
 */
export function wantedRunners({
  search,
  status,
  distance,
  gender,
  category,
}: z.output<ReturnType<typeof RunnerQuery>>): Wanted {
  const wanted = { ...named(search), distance, gender, category };
  switch (status) {
    case 'NONE':
      return { ...wanted, isMissing: true };
    case 'INCOMPLETE':
      return { ...wanted, isIncomplete: true };
    default:
      return { ...wanted, status };
  }
}

function named(search: string | undefined): Pick<Wanted, 'bib' | 'patterns'> {
  if (search === undefined) return {};
  if (/\d/.test(search)) return { bib: search.replace(/^#\s*/, '') };
  const words = search.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/\s+/);
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return { patterns: textArray(patterns) };
}

export const toRunner = ({ result, ...row }: RunnerRow): Runner => ({
  ...row,
  result: result && toResultContent(result),
  splits: toSplitTimes(row.splits),
});
