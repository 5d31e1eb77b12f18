import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRace, db } from '../../../testing/factories.ts';
import { startApp, withKey } from '../../../testing/harness.ts';
import { registrations, results } from '../../db/schema.ts';

const { request } = startApp();

/** Texts that a column and a header can hold, and texts that break a careless statement. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      'null',
      'NULL',
      '{}',
      '{',
      '","',
      '\\',
      '\\"',
      '%s',
      '100%',
      '%1$s',
      '$1',
      "'",
      '|',
    ),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'));

describe('what is stored', () => {
  it('stores any bib and any split name as they were sent', async () => {
    const names = fc.uniqueArray(anyName, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(names, names, async (bibs, splitNames) => {
        const race = await createRace({ bibs });
        const splits = Object.fromEntries(splitNames.map((name, index) => [name, `10:0${index}`]));
        const rows = bibs.map((bib_number, index) => ({
          bib_number,
          chip_time: `20:0${index}`,
          ...(index % 2 === 0 && { splits }),
        }));
        const response = await request(`${race.path}/results`, {
          method: 'POST',
          headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
          body: JSON.stringify({ results: rows }),
        });
        expect(await response.json()).toMatchObject({ uploaded: bibs.length, failed: [] });

        const stored = await db
          .select({
            bib: registrations.bib_number,
            ms: results.chip_time_ms,
            splits: results.splits,
          })
          .from(results)
          .innerJoin(registrations, eq(registrations.id, results.registration_id))
          .where(eq(results.event_id, race.eventId))
          .orderBy(results.chip_time_ms);
        const splitsMs = Object.fromEntries(
          splitNames.map((name, index) => [name, 600_000 + index * 1_000]),
        );
        expect(stored).toEqual(
          bibs.map((bib, index) => ({
            bib,
            ms: 1_200_000 + index * 1_000,
            splits: index % 2 === 0 ? splitsMs : {},
          })),
        );
      }),
      { numRuns: 20 },
    );
  });
});
