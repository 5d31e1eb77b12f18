import { describe, expect, inject, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { bytesIn } from '../../../testing/csv.ts';
import { createRace } from '../../../testing/factories.ts';
import type { ResultsFile } from '../../../testing/results-files.ts';
import { postPreview, preview, storedResults, uploadFile } from '../../../testing/uploads.ts';

describe('following the suggestion', () => {
  const all: ResultsFile[] = JSON.parse(inject('resultsFiles'));
  const files = all.filter(({ suggestion }) => suggestion);

  test.each(files.filter((_, index) => index % 4 === 0))(
    'loads every result of $source',
    async (committed) => {
      const race = await createRace({ bibs: Object.keys(committed.results) });
      const file = bytesIn(committed);
      const { suggestion } = await preview(race, file);
      const query = suggestion?.query ?? '';
      const told = await preview(race, file, query);
      expect(told.suggestion?.query).toBe(query);
      const out = await uploadFile(race, file, query);
      expect(out.uploaded).toBe(Object.keys(committed.results).length);
      expect(told.counts.uploaded).toBe(out.uploaded);
      expect(Object.keys(await storedResults(race.eventId)).sort()).toEqual(
        Object.keys(committed.results).sort(),
      );
    },
  );
});

describe('a large file is answered', () => {
  test('previews 1 000 columns of splits', async () => {
    const race = await createRace({ bibs: ['7'] });
    const laps = Array.from({ length: 1_000 }, (_, index) => `Lap ${index + 1}`);
    const file = `Stnr,Zeit,${laps.join()}\n7,23:59:59,${laps.map(() => '5:00').join()}\n`;
    const { suggestion, counts } = await preview(race, file);
    expect(counts.new).toBe(1);
    expect(suggestion?.query.length).toBeLessThan(8_000);
    expect((await uploadFile(race, file, suggestion?.query ?? '')).uploaded).toBe(1);
  });

  test('previews long cells of blanks and digits', async () => {
    const race = await createRace({ bibs: ['7'] });
    const cells = [' ', '1', '1 ', ',1234 ', '1:', '-', "1'", '\t'].map(
      (text) => `x${text.repeat(3_000)}x`,
    );
    const file = `bib;time;${cells.map((_, at) => `c${at}`).join(';')}\n`.concat(
      `7;20:00;${cells.join(';')}\n`.repeat(50),
    );
    expect((await preview(race, file)).counts.total_processed).toBe(50);
  });

  test('previews 16 MiB, and answers 413 to one byte more', async () => {
    const race = await createRace({ bibs: ['7'] });
    const row = `7,20:00,${'x'.repeat(1_000)}\n`;
    const file = `bib,time,note\n${row.repeat(16_600)}`;
    const told = await preview(race, file);
    expect(told.counts).toMatchObject({ total_processed: 16_600, duplicates: 16_599, new: 1 });
    const large = await postPreview(race, file.concat(row.repeat(200)));
    await expectError(large, 413, 'VALIDATION_ERROR');
  });
});
