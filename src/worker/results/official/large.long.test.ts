import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db } from '../../../testing/factories.ts';
import { createManaged } from '../../../testing/official.ts';
import { uploadRows } from '../../../testing/uploads.ts';
import { officialResults } from '../../db/schema.ts';

test('reads a document of many pieces', async () => {
  const bibs = Array.from({ length: 5_000 }, (_, at) => String(at + 1));
  const { race, made, file } = await createManaged(bibs);
  await uploadRows(
    race,
    bibs.map((bib_number, at) => ({
      bib_number,
      chip_time: `1:${10 + ((at * 7_919) % 50)}:${10 + ((at * 104_723) % 47)}.${100 + ((at * 15_485_863) % 899)}`,
      splits: { 'Km 10': `4${at % 10}:${10 + (at % 50)}.${100 + ((at * 104_729) % 900)}` },
    })),
  );
  const { digest, rows } = await made();
  const written = await file(1);
  const document = written.slice(written.indexOf('\n') + 1);
  expect(rows).toBe(5_000);
  expect(document.trimEnd().split('\n')).toHaveLength(5_000);
  expect(createHash('sha256').update(document).digest('hex')).toBe(digest);
  const [stored] = await db
    .select()
    .from(officialResults)
    .where(eq(officialResults.event_id, race.eventId));
  expect(stored?.document.length).toBeGreaterThan(48 * 1_024);
  expect(stored?.document.length).toBeLessThan(document.length / 4);
});
