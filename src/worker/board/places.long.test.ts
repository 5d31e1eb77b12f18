import { and, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configureEvent, createRace, createRegistrations, db } from '../../testing/factories.ts';
import { request, testConfig, withKey } from '../../testing/harness.ts';
import { RANKING_RULES, type RankingRule } from '../../timing-files/read/ranking-rule.ts';
import { connect } from '../db/client.ts';
import { registrations } from '../db/schema.ts';
import { createGate } from '../gate/gate.ts';
import { consoleLog } from '../log.ts';
import type { Runner } from './answer-schemas.ts';
import { answerDocument } from './boards.ts';
import { toList } from './list.ts';
import { NO_NAMES } from './names.ts';
import { readRanking, type Shown } from './ranking.ts';
import { toResult } from './runner.ts';
import { findSnapshot } from './snapshot.ts';

const services = { db: connect(testConfig.DATABASE_URL), log: consoleLog, gate: createGate() };

async function rankingOf(eventId: string): Promise<Shown> {
  const ranking = readRanking(
    await (await answerDocument(services, { kind: 'ranking', eventId }, () => {})).text(),
  );
  // Each runner's name is the registration's id, so that a runner without a bib is known in every list.
  const byId = new Map(ranking.rows.map(({ id }) => [id, id]));
  return { ranking, names: { ...NO_NAMES, byId }, course: [] };
}

const groupOf = (...names: string[]) => fc.constantFrom(null, ...names);
const runner = fc.record({
  status: fc.constantFrom(
    'FINISHED',
    'FINISHED',
    'FINISHED',
    'FINISHED',
    'DNF',
    'DSQ',
    'DNS',
    null,
  ),
  chip: fc.option(fc.integer({ min: 0, max: 9 })),
  gun: fc.option(fc.integer({ min: 0, max: 9 })),
  gender: groupOf('F', 'M'),
  category: groupOf('20', '30'),
  distance: groupOf('5K', '10K'),
  hasBib: fc.constantFrom(true, true, true, true, false),
});
type Entrant = typeof runner extends fc.Arbitrary<infer T> ? T : never;

/** Stores results as uploads do, then takes the bibs of some runners away. */
async function store(runners: readonly Entrant[], ranking_rule: RankingRule): Promise<string> {
  const { eventId, path, key } = await createRace();
  await configureEvent(eventId, { board_enabled: true, ranking_rule });
  await createRegistrations(
    eventId,
    runners.map(({ gender, category, distance }, index) => ({
      gender,
      category,
      distance,
      bib_number: String(index + 1),
    })),
  );
  const rows = runners.flatMap(({ status, chip, gun }, index) => {
    const times = {
      ...((gun !== null || chip === null) && { gun_time: `30:0${gun ?? 0}` }),
      ...(chip !== null && { chip_time: `30:0${chip}` }),
    };
    return status ? [{ bib_number: String(index + 1), status, ...times }] : [];
  });
  const answer = await request(`${path}/results`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ results: rows }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
  const bibless = runners.flatMap(({ hasBib }, index) => (hasBib ? [] : String(index + 1)));
  await db
    .update(registrations)
    .set({ bib_number: null })
    .where(and(eq(registrations.event_id, eventId), inArray(registrations.bib_number, bibless)));
  return eventId;
}

type Places = { race: number | null; gender: number | null; category: number | null };

/** The view's places within the distance. */
async function placesOf(eventId: string): Promise<Map<string, Places>> {
  const { rows } = await db.execute<{ id: string } & Places>(sql`
    select replace(registration_id::text, '-', '') as id, position_distance::int as race,
      position_distance_gender::int as gender, position_distance_category::int as category
    from standings join registrations on registrations.id = registration_id
    where standings.event_id = ${eventId} and distance is not null`);
  return new Map(rows.map(({ id, ...places }) => [id, places]));
}

const WAITING = {
  chip: null,
  gun: null,
  gender: 'F',
  category: '20',
  distance: '5K',
  hasBib: true,
};

const NO_DETAILS = { splits: [], versions: [] };

test('places runners as the view `standings` does, in any event', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(runner, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...RANKING_RULES),
      async (runners, rule) => {
        const eventId = await store(runners, rule);
        const shown = await rankingOf(eventId);
        const { ranking } = shown;
        const places = await placesOf(eventId);
        expect(ranking.rows).toHaveLength(runners.length);
        let compared = 0;
        for (const row of ranking.rows) {
          const { distance, overall, in_gender, in_category } = toResult(shown, row, NO_DETAILS);
          if (distance === null) continue;
          const expected = places.get(row.id);
          compared += expected ? 1 : 0;
          expect([overall?.place, in_gender?.place, in_category?.place]).toEqual([
            expected?.race ?? undefined,
            expected?.gender ?? undefined,
            expected?.category ?? undefined,
          ]);
        }
        expect(compared).toBe(places.size);
        for (const distance of ['5K', '10K']) expectLists(shown, distance, places);
      },
    ),
    { numRuns: 12 },
  );
});

/** Compares the full list and the leaders of a race. */
function expectLists(shown: Shown, distance: string, places: ReadonlyMap<string, Places>) {
  const list = toList(shown, { distance, page: 1 });
  const snapshot = findSnapshot(shown);
  const idOf = ({ name }: Runner) => name ?? '';
  expect(list.rows).toHaveLength(list.total);
  const finishers = list.rows.filter(({ place }) => place !== null);
  for (const one of list.rows) expect(one.place).toBe(places.get(idOf(one))?.race ?? null);
  const bibs = finishers.map(({ place, bib_number }) => [place, bib_number]);
  expect(bibs).toEqual(
    bibs.toSorted(
      ([one, bib], [other, otherBib]) =>
        Number(one) - Number(other) || Number(bib ?? 1_000) - Number(otherBib ?? 1_000),
    ),
  );
  const race = snapshot.races.find((one) => one.distance === distance);
  for (const one of [...(race?.leaders ?? []), ...(race?.arrivals ?? [])]) {
    expect(one.place).toBe(places.get(idOf(one))?.race);
  }
  for (const { leaders } of race?.genders ?? []) {
    for (const one of leaders) expect(one.place).toBe(places.get(idOf(one))?.gender);
  }
}

test('shows no part of a result that came after the ranking', async () => {
  const eventId = await store([{ ...WAITING, status: null }], 'chip');
  const shown = await rankingOf(eventId);
  const [row] = shown.ranking.rows;
  if (!row) throw new Error('no runner');
  const version = {
    is_revert: false,
    reason: null,
    made_ms: 0,
    chip_time_ms: 1,
    gun_time_ms: null,
  };
  const sent = { name: 'Km 5', time_ms: 1_200_000, is_passing: false };
  const seen = { passing_ms: 1_205_000, before_in_span: 0 };
  const details = {
    splits: [
      { ...sent, ...seen },
      { ...sent, name: 'Km 10', passing_ms: null, before_in_span: null },
    ],
    versions: [
      { ...version, number: 1, status: 'FINISHED' as const },
      { ...version, number: 2, status: null },
      { ...version, number: 3, status: 'FINISHED' as const },
    ],
  };
  const { status, splits, history } = toResult(shown, row, details);
  expect(status).toBe(null);
  expect(splits.map(({ name, time }) => [name, time])).toEqual([['Km 5', '00:20:05.000']]);
  expect(history.map(({ what }) => what)).toEqual(['sent', 'removed']);
});
