import { describe, expect, inject, test } from 'vitest';
import { bytesIn } from '../../testing/csv.ts';
import type { ResultsFile } from '../../testing/results-files.ts';
import { parseParameters } from '../read/parameters.ts';
import { parseRaceTime } from '../read/race-time.ts';
import { RowError } from '../read/reason-codes.ts';
import { judge } from '../read/result.ts';
import { type FileRow, readResultsFile } from '../read/results-file.ts';
import { previewFile } from './preview.ts';

const FILES = inject('resultsFiles');

/** The results and splits that an upload with this query stores. */
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

const expected = ({ results, splits = [] }: ResultsFile) => ({
  results: Object.fromEntries(
    Object.entries(results).map(([bib, result]) => {
      if (!result.includes(':')) return [bib, result];
      const [chip = '', gun = ''] = result.split(' / ');
      return [bib, [parseRaceTime(chip) ?? null, parseRaceTime(gun) ?? null]];
    }),
  ),
  splits: splits.toSorted(),
});

describe('the suggestion for a file', () => {
  test.each(FILES)('loads $source as a person reads it, or asks', async (file) => {
    const bytes = bytesIn(file);
    const { suggestion, warnings } = await previewFile([bytes], parseParameters([]));
    const codes = warnings.map(({ code }) => code);
    expect(suggestion && decodeURIComponent(suggestion.query)).toBe(file.suggestion);
    expect(codes).toEqual(expect.arrayContaining([...(file.warnings ?? [])]));
    if (suggestion) {
      expect(await load(bytes, suggestion.query)).toEqual(expected(file));
      return;
    }
    const choices = warnings.flatMap((warning) => warning.choices ?? []);
    const loaded = await Promise.all(choices.map((choice) => load(bytes, choice.query)));
    if (Object.keys(file.results).length > 0) expect(loaded).toContainEqual(expected(file));
  });

  test.each(FILES)('stays the same for $source if it is sent as parameters', async (file) => {
    const bytes = bytesIn(file);
    const { suggestion } = await previewFile([bytes], parseParameters([]));
    if (!suggestion) return;
    const again = await previewFile(
      [bytes],
      parseParameters(new URLSearchParams(suggestion.query)),
    );
    expect(again.suggestion?.query).toBe(suggestion.query);
    expect(again.counts.errors).toBeLessThanOrEqual(again.counts.total_processed / 2);
  });
});
