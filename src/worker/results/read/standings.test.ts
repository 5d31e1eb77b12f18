import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEvent, createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { uploadRows } from '../../../testing/uploads.ts';
import { formatRaceTime } from '../../../timing-files/read/race-time.ts';
import { registrations, standings } from '../../db/schema.ts';

type Runner = {
  gender: string | null;
  category: string | null;
  status: 'FINISHED' | 'DNF' | 'DSQ' | 'DNS' | null;
  chipMs: number | null;
  gunMs: number;
};

// Few values, so that ties are common.
const anyTimeMs = fc.constantFrom(1, 2, 60_000, 60_001, 61_000, 3_600_000);
const anyRunner: fc.Arbitrary<Runner> = fc.record({
  gender: fc.constantFrom('F', 'M', 'X', null),
  category: fc.constantFrom('Senior', 'Veteran', null),
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constant('FINISHED' as const) },
    { weight: 1, arbitrary: fc.constantFrom('DNF', 'DSQ', 'DNS', null) },
  ),
  chipMs: fc.option(anyTimeMs),
  gunMs: anyTimeMs,
});

/** All runners' positions, by counting faster runners. */
function rankByHand(runners: readonly Runner[]) {
  const finishers = runners.flatMap((runner, index) =>
    runner.status === 'FINISHED'
      ? [{ ...runner, bib: `${index}`, timeMs: runner.chipMs ?? runner.gunMs }]
      : [],
  );
  return finishers
    .map(({ bib, timeMs, gender, category }) => {
      const faster = finishers.filter((other) => other.timeMs < timeMs);
      const placeIn = (group: string | null, others: (string | null)[]) =>
        group === null ? null : 1 + others.filter((other) => other === group).length;
      return {
        bib,
        timeMs,
        overall: 1 + faster.length,
        gender: placeIn(
          gender,
          faster.map((other) => other.gender),
        ),
        category: placeIn(
          category,
          faster.map((other) => other.category),
        ),
      };
    })
    .sort((a, b) => a.bib.localeCompare(b.bib));
}

async function readStandings(eventId: string) {
  const rows = await db
    .select({
      bib: standings.bib_number,
      timeMs: standings.finish_time_ms,
      overall: standings.position_overall,
      gender: standings.position_gender,
      category: standings.position_category,
    })
    .from(standings)
    .where(eq(standings.event_id, eventId));
  return rows.sort((a, b) => (a.bib ?? '').localeCompare(b.bib ?? ''));
}

async function race(runners: readonly Runner[]) {
  const created = await createRace();
  await createRegistrations(
    created.eventId,
    runners.map(({ gender, category }, index) => ({ bib_number: `${index}`, gender, category })),
  );
  await uploadRows(
    created,
    runners.flatMap(({ status, chipMs, gunMs }, index) =>
      status === null
        ? []
        : {
            bib_number: `${index}`,
            status,
            chip_time: chipMs === null ? null : formatRaceTime(chipMs),
            gun_time: formatRaceTime(gunMs),
          },
    ),
  );
  return created;
}

const finisher = (chipMs: number, more: Partial<Runner> = {}): Runner => ({
  gender: 'F',
  category: 'Senior',
  status: 'FINISHED',
  gunMs: 0,
  ...more,
  chipMs,
});

describe('the standings view', () => {
  test('ranks like a count of faster runners: overall, by gender and by category', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRunner, { minLength: 1, maxLength: 25 }), async (runners) => {
        const { eventId } = await race(runners);
        expect(await readStandings(eventId)).toEqual(rankByHand(runners));
      }),
      { numRuns: 8 },
    );
  });

  test('gives equal times one position and skips the next', async () => {
    const { eventId } = await race([1_000, 2_000, 2_000, 3_000].map((timeMs) => finisher(timeMs)));
    expect((await readStandings(eventId)).map(({ overall }) => overall)).toEqual([1, 2, 2, 4]);
  });

  test('ranks each event by itself', async () => {
    const { eventId, organizationId } = await race([finisher(2_000)]);
    const otherId = await createEvent(organizationId);
    await createRegistrations(otherId, [{ bib_number: '0', gender: 'F', category: 'Senior' }]);
    expect(await readStandings(eventId)).toMatchObject([{ overall: 1 }]);
    expect(await readStandings(otherId)).toEqual([]);
  });

  test('moves positions when a category or a gender is corrected', async () => {
    const runners = [finisher(1_000), finisher(2_000), finisher(3_000, { category: 'Veteran' })];
    const { eventId } = await race(runners);
    expect((await readStandings(eventId)).map(({ category }) => category)).toEqual([1, 2, 1]);

    const corrected = runners.with(0, finisher(1_000, { category: 'Veteran', gender: null }));
    await db
      .update(registrations)
      .set({ category: 'Veteran', gender: null })
      .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, '0')));
    const after = await readStandings(eventId);
    expect(after).toEqual(rankByHand(corrected));
    expect(after.map(({ category, gender }) => [category, gender])).toEqual([
      [1, null],
      [1, 1],
      [2, 2],
    ]);
  });

  test('moves positions when a result is uploaded again', async () => {
    const created = await race([finisher(1_000), finisher(2_000)]);
    await uploadRows(created, [{ bib_number: '1', chip_time: '00:00.5' }]);
    expect((await readStandings(created.eventId)).map(({ overall }) => overall)).toEqual([2, 1]);
    await uploadRows(created, [{ bib_number: '1', status: 'DSQ' }]);
    expect(await readStandings(created.eventId)).toMatchObject([{ bib: '0', overall: 1 }]);
  });
});
