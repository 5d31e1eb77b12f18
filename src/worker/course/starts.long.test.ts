import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRace, db } from '../../testing/factories.ts';
import { claimOrder, startOf } from '../../timing-files/read/starts.ts';
import { startOf as startOfSql } from '../db/starts.ts';

const AT = '2027-05-09T09:00:00.000+02:00';

test('the starts of an event claim each runner in SQL as in TypeScript', async () => {
  const race = await createRace();
  const distance = fc.constantFrom(null, '5K', '10K');
  const bib = fc.option(
    fc.oneof(fc.nat(40).map(String), fc.constantFrom('A7', '007', '1e1', '-3', '99999999999999')),
  );
  const range = fc.option(fc.tuple(fc.nat(20), fc.nat(20)));
  const claim = fc.record({ distance, range }).map(({ distance, range }) => ({
    distance,
    bib_from: range?.[0] ?? null,
    bib_to: range ? range[0] + range[1] : null,
  }));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(claim, { maxLength: 6, selector: claimOrder }),
      fc.array(fc.record({ bib, distance }), { minLength: 1, maxLength: 6 }),
      async (claims, runners) => {
        const starts = claims.map((claim, at) => ({ ...claim, name: String(at), starts_at: AT }));
        await db.execute(sql`delete from event_starts where event_id = ${race.eventId}`);
        await db.execute(sql`
          insert into event_starts (event_id, ordinal, name, distance, bib_from, bib_to, starts_at, utc_offset_minutes)
          select ${race.eventId}::uuid, (name::int) + 1, name, distance, bib_from, bib_to, starts_at, 0
          from jsonb_to_recordset(${JSON.stringify(starts)}::jsonb) as start (
            name text, distance text, bib_from bigint, bib_to bigint, starts_at timestamptz)`);
        const { rows } = await db.execute<{ name: string | null }>(sql`
          select (${startOfSql(
            {
              eventId: sql`${race.eventId}::uuid`,
              bib: sql`bib`,
              distance: sql`runner.distance`,
            },
            sql`name`,
          )}) as name
          from jsonb_to_recordset(${JSON.stringify(runners)}::jsonb) as runner (bib text, distance text)`);
        expect(rows.map(({ name }) => name)).toEqual(
          runners.map((runner) => startOf(starts, runner)?.name ?? null),
        );
      },
    ),
    { numRuns: 60 },
  );
});
