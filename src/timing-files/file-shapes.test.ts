import { afterAll, describe, expect, test } from 'vitest';
import { encodeShape } from '../testing/csv.ts';
import { FILE_SHAPES, type FileShape } from './file-shapes.ts';
import { parseParameters } from './parameters.ts';
import { previewFile } from './preview.ts';
import { parseRaceTime } from './race-time.ts';
import { RowError } from './reason-codes.ts';
import { judge } from './result.ts';
import { type FileRow, readResultsFile } from './results-file.ts';

const table: string[] = [];
afterAll(() => {
  process.stdout.write(`${table.join('\n')}\n`);
});

const decoded = (query: string): string => decodeURIComponent(query);

/** What an upload with this query stores, by bib, as a shape tells it. */
async function load(bytes: Uint8Array, query: string) {
  const rows: FileRow[] = [];
  const file = (async function* () {
    yield bytes;
  })();
  const taker = {
    add: (row: FileRow) => rows.push(row),
    startOver: () => rows.splice(0),
  };
  await readResultsFile(file, taker, parseParameters(new URLSearchParams(query)));
  const splits = new Set<string>();
  const results: Record<string, unknown> = {};
  for (const row of rows) {
    try {
      const { bib, status, chipTimeMs, gunTimeMs, splitNames } = judge(row.claim());
      results[bib] = status === 'FINISHED' ? [chipTimeMs, gunTimeMs] : status;
      for (const name of splitNames) splits.add(name);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
    }
  }
  return { results, splits: [...splits].sort() };
}

const expected = ({ results, splits = [] }: FileShape) => ({
  results: Object.fromEntries(
    Object.entries(results).map(([bib, result]) => {
      if (!result.includes(':')) return [bib, result];
      const [chip = '', gun = ''] = result.split(' / ');
      return [bib, [parseRaceTime(chip) ?? null, parseRaceTime(gun) ?? null]];
    }),
  ),
  splits: [...splits],
});

describe('the suggestion for a file', () => {
  test.each(FILE_SHAPES)('loads it as a person reads it, or asks: $source', async (shape) => {
    const bytes = encodeShape(shape);
    const { suggestion, warnings } = previewFile([bytes], parseParameters([]));
    const codes = warnings.map(({ code }) => code);
    const query = suggestion && decoded(suggestion.query);
    table.push(`${shape.source}: ${query === null ? 'asks' : `?${query}`} ${codes.join(' ')}`);
    expect(query).toBe(shape.suggestion);
    expect(codes).toEqual(expect.arrayContaining([...(shape.warnings ?? [])]));
    if (suggestion) {
      expect(await load(bytes, suggestion.query)).toEqual(expected(shape));
      return;
    }
    const choices = warnings.flatMap((warning) => warning.choices ?? []);
    const loaded = await Promise.all(choices.map((choice) => load(bytes, choice.query)));
    if (Object.keys(shape.results).length > 0) expect(loaded).toContainEqual(expected(shape));
  });

  test.each(FILE_SHAPES)('is kept where it is sent as parameters: $source', (shape) => {
    const bytes = encodeShape(shape);
    const { suggestion } = previewFile([bytes], parseParameters([]));
    if (!suggestion) return;
    const again = previewFile([bytes], parseParameters(new URLSearchParams(suggestion.query)));
    expect(again.suggestion?.query).toBe(suggestion.query);
    expect(again.counts.errors).toBeLessThanOrEqual(again.counts.total_processed / 2);
  });
});
