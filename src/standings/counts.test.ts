import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { registrations, resultCells, results, standings } from '../db/schema.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { formatRaceTime } from '../results/race-time.ts';
import { createRace, createRegistrations, db } from '../testing/factories.ts';
import { startApp, testConfig, withKey } from '../testing/harness.ts';
import { postJson, uploadRows } from '../testing/uploads.ts';
import type { Result } from './schemas.ts';

/** Everything is asked of one key here, more often than a minute allows. */
const unlimited: RateLimiter = {
  refusal: () => undefined,
  take: () => Promise.resolve({ admitted: true, remaining: 1, resetSeconds: 1 }),
  forget: () => {},
  ping: () => Promise.resolve(),
};
const { request } = startApp(testConfig, { rateLimiter: unlimited });

const RUNNERS = 14;
const PAGE_SIZE = 3;
// Few values, so that ties, shared minutes and shared groups are common.
const anyTimeMs = fc.constantFrom(0, 59_999, 60_000, 60_001, 61_000, 185_000, 3_600_000);
const anyStatus = fc.constantFrom('FINISHED', 'FINISHED', 'FINISHED', 'DNF', 'DSQ', 'DNS');
const anyGroup = fc.record({
  gender: fc.constantFrom('F', 'M', null),
  category: fc.constantFrom('Senior', 'Veteran', null),
  distance: fc.constantFrom('10K', '21K', null),
});
const someRunners = fc.uniqueArray(fc.nat(RUNNERS - 1), { minLength: 1, maxLength: RUNNERS });

const anyChange = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('upload' as const),
      runners: someRunners,
      rows: fc.array(
        fc.record({ status: anyStatus, chipMs: fc.option(anyTimeMs), gunMs: anyTimeMs }),
        {
          minLength: RUNNERS,
          maxLength: RUNNERS,
        },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('regroup' as const),
      runners: someRunners,
      group: anyGroup,
    }),
  },
  fc.record({ kind: fc.constant('correct' as const), runners: someRunners, timeMs: anyTimeMs }),
  fc.record({ kind: fc.constant('lose bibs' as const), runners: someRunners }),
  fc.record({ kind: fc.constant('delete results' as const), runners: someRunners }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete registrations' as const),
      runners: someRunners,
    }),
  },
);
type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never;

type Race = Awaited<ReturnType<typeof createRace>> & { ids: string[] };

async function apply(race: Race, change: Change): Promise<unknown> {
  const ids = change.runners.map((runner) => race.ids[runner] ?? '');
  switch (change.kind) {
    case 'upload': {
      const rows = change.runners.flatMap((runner) => {
        const { status, chipMs, gunMs } = change.rows[runner] ?? {};
        return {
          bib_number: `${runner}`,
          status,
          chip_time: chipMs == null ? null : formatRaceTime(chipMs),
          gun_time: formatRaceTime(gunMs ?? 0),
        };
      });
      return postJson(race, JSON.stringify({ results: rows }), { send: request });
    }
    case 'regroup':
      return db.update(registrations).set(change.group).where(inArray(registrations.id, ids));
    case 'correct':
      return db
        .update(results)
        .set({ status: 'FINISHED', chip_time_ms: change.timeMs })
        .where(inArray(results.registration_id, ids));
    case 'lose bibs':
      return db
        .update(registrations)
        .set({ bib_number: null })
        .where(inArray(registrations.id, ids));
    case 'delete results':
      return db.delete(results).where(inArray(results.registration_id, ids));
    case 'delete registrations':
      return db.delete(registrations).where(inArray(registrations.id, ids));
  }
}

const cellKey = (cell: (string | number | null)[]) => JSON.stringify(cell);

async function countedCells(eventId: string) {
  const cells = await db.select().from(resultCells).where(eq(resultCells.event_id, eventId));
  return cells
    .filter(({ entries }) => entries > 0)
    .map((cell) => cellKey([cell.bucket, cell.gender, cell.category, cell.distance, cell.entries]))
    .sort();
}

async function freshCells(eventId: string) {
  const { gender, category, distance } = registrations;
  const bucket = sql<number>`result_bucket(${results.status}, ${results.finish_time_ms})`;
  const cells = await db
    .select({ bucket, gender, category, distance, entries: sql<number>`count(*)` })
    .from(results)
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .where(eq(results.event_id, eventId))
    .groupBy(bucket, gender, category, distance);
  return cells
    .map((cell) =>
      cellKey([
        Number(cell.bucket),
        cell.gender,
        cell.category,
        cell.distance,
        Number(cell.entries),
      ]),
    )
    .sort();
}

type Standing = Pick<Result, 'bib_number' | 'status' | 'gender' | 'category' | 'distance'> & {
  id: string;
  timeMs: number | null;
  overall: number | null;
  ofGender: number | null;
  ofCategory: number | null;
};

const ORDER = ['FINISHED', 'DNF', 'DSQ', 'DNS'];

/** Everybody in the order of the list, with the positions of the view. */
async function standingsInOrder(eventId: string): Promise<Standing[]> {
  const rows = await db
    .select({
      id: registrations.id,
      bib_number: registrations.bib_number,
      gender: registrations.gender,
      category: registrations.category,
      distance: registrations.distance,
      status: results.status,
      timeMs: results.finish_time_ms,
      overall: standings.position_overall,
      ofGender: standings.position_gender,
      ofCategory: standings.position_category,
    })
    .from(results)
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .leftJoin(standings, eq(standings.registration_id, results.registration_id))
    .where(eq(results.event_id, eventId));
  const bib = ({ bib_number }: Standing) => (bib_number === null ? Infinity : Number(bib_number));
  return rows.sort(
    (a, b) =>
      ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
      (a.timeMs ?? 0) - (b.timeMs ?? 0) ||
      (bib(a) === bib(b) ? 0 : bib(a) - bib(b)) ||
      (a.id < b.id ? -1 : 1),
  );
}

type Filter = Partial<Pick<Standing, 'gender' | 'category' | 'distance' | 'status' | 'bib_number'>>;

const FILTERS: Filter[] = [
  {},
  { gender: 'F' },
  { category: 'Veteran' },
  { distance: '21K' },
  { status: 'FINISHED' },
  { status: 'DNS' },
  { gender: 'M', distance: '10K', status: 'FINISHED' },
  { bib_number: '3' },
  { bib_number: '5', category: 'Senior' },
  { category: 'Nobody' },
];

function expectedOf(all: readonly Standing[], filter: Filter) {
  const columns = ['gender', 'category', 'distance', 'status', 'bib_number'] as const;
  const matches = (row: Standing) =>
    columns.every((column) => filter[column] === undefined || row[column] === filter[column]);
  return all.filter(matches).map((row) => ({
    bib_number: row.bib_number,
    status: row.status,
    gender: row.gender,
    category: row.category,
    distance: row.distance,
    position_overall: row.overall,
    position_gender: row.ofGender,
    position_category: row.ofCategory,
    position_distance: filter.distance === undefined ? null : placeInDistance(all, row),
  }));
}

function placeInDistance(all: readonly Standing[], { distance, timeMs }: Standing): number | null {
  if (distance === null || timeMs === null) return null;
  const faster = all.filter(
    (other) => other.distance === distance && other.timeMs !== null && other.timeMs < timeMs,
  );
  return 1 + faster.length;
}

async function readAll({ path, key }: Race, { bib_number, ...filter }: Filter) {
  const query = new URLSearchParams({ page_size: `${PAGE_SIZE}` });
  for (const [name, value] of Object.entries({ ...filter, bib: bib_number })) {
    if (value != null) query.set(name, value);
  }
  const read: unknown[] = [];
  for (let page = 1, pages = 1; page <= pages + 1; page++) {
    query.set('page', `${page}`);
    const response = await request(`${path}/results?${query}`, { headers: withKey(key) });
    const { data, meta } = await response.json<{
      data: Result[];
      meta: { total: number; total_pages: number };
    }>();
    pages = meta.total_pages;
    expect(data).toHaveLength(Math.min(PAGE_SIZE, Math.max(0, meta.total - read.length)));
    for (const { chip_time: _, gun_time: __, splits: ___, updated_at: ____, ...row } of data) {
      read.push(row);
    }
  }
  return read;
}

describe('whatever happens to results and registrations', () => {
  test('the cells are what a fresh count gives, and every page what the view ranks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyGroup, { minLength: RUNNERS, maxLength: RUNNERS }),
        fc.array(anyChange, { minLength: 1, maxLength: 10 }),
        async (groups, changes) => {
          const created = await createRace();
          const seeds = groups.map((group, runner) => ({ ...group, bib_number: `${runner}` }));
          const race = { ...created, ids: await createRegistrations(created.eventId, seeds) };
          for (const change of changes) {
            await apply(race, change);
            expect(await countedCells(race.eventId)).toEqual(await freshCells(race.eventId));
          }
          const all = await standingsInOrder(race.eventId);
          for (const filter of FILTERS) {
            expect(await readAll(race, filter)).toEqual(expectedOf(all, filter));
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  test.each<[string, (ids: string) => SQL]>([
    ['results', (ids) => sql`delete from results where registration_id = any (${ids}::uuid[])`],
    ['registrations', (ids) => sql`delete from registrations where id = any (${ids}::uuid[])`],
    [
      'results and their registrations at once',
      (ids) => sql`
        with gone as (
          delete from results where registration_id = any (${ids}::uuid[])
          returning registration_id
        )
        delete from registrations where id in (select registration_id from gone)`,
    ],
    [
      'registrations and their results at once',
      (ids) => sql`
        with gone as (delete from registrations where id = any (${ids}::uuid[]) returning id)
        delete from results where registration_id in (select id from gone)`,
    ],
  ])('deleted %s are counted no longer', async (_, statement) => {
    const created = await createRace();
    const bibs = ['0', '1', '2', '3', '4'];
    const seeds = bibs.map((bib_number) => ({ bib_number, gender: 'F', category: bib_number }));
    const ids = await createRegistrations(created.eventId, seeds);
    await uploadRows(
      created,
      bibs.map((bib_number) => ({ bib_number, chip_time: `0${bib_number}:00` })),
    );
    await db.execute(statement(`{${ids.slice(1, 4).join()}}`));
    expect(await countedCells(created.eventId)).toHaveLength(2);
    expect(await countedCells(created.eventId)).toEqual(await freshCells(created.eventId));
    const all = await standingsInOrder(created.eventId);
    expect(await readAll({ ...created, ids }, {})).toEqual(expectedOf(all, {}));
  });
});
