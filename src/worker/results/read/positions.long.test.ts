import { eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configureEvent, createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { startApp, withKey } from '../../../testing/harness.ts';
import { postJson } from '../../../testing/uploads.ts';
import { formatRaceTime } from '../../../timing-files/read/race-time.ts';
import { RANKING_RULES, type RankingRule } from '../../../timing-files/read/ranking-rule.ts';
import { eventSettings, registrations, results, standings } from '../../db/schema.ts';
import type { ExportedResult, Result } from './answer-schemas.ts';

// This test's key asks more often than the rate limit allows.
const { request } = startApp();

const RUNNERS = 14;
const PAGE_SIZE = 3;
// Few values, so that ties, shared minutes and shared groups are common.
const anyTimeMs = fc.constantFrom(1, 59_999, 60_000, 60_001, 61_000, 185_000, 3_600_000);
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
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rank by' as const),
      runners: fc.constant([]),
      rule: fc.constantFrom(...RANKING_RULES),
    }),
  },
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
    case 'rank by':
      return configureEvent(race.eventId, { ranking_rule: change.rule });
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

type Rule = RankingRule;
type Time = 'chip' | 'gun';

/** The runners behind each position, and the time behind the position under each rule. */
const POSITIONS = {
  position_overall: [[], { chip: 'chip', gun: 'chip', gun_overall: 'chip' }],
  position_gender: [['gender'], { chip: 'chip', gun: 'chip', gun_overall: 'chip' }],
  position_category: [['category'], { chip: 'chip', gun: 'chip', gun_overall: 'chip' }],
  position_distance: [['distance'], { chip: 'chip', gun: 'gun', gun_overall: 'gun' }],
  position_distance_gender: [
    ['distance', 'gender'],
    { chip: 'chip', gun: 'gun', gun_overall: 'gun' },
  ],
  position_distance_category: [
    ['distance', 'gender', 'category'],
    { chip: 'chip', gun: 'gun', gun_overall: 'chip' },
  ],
} as const satisfies Record<string, [('gender' | 'category' | 'distance')[], Record<Rule, Time>]>;

type Position = keyof typeof POSITIONS;
type Positions = Record<Position, number | null>;

type Entrant = Pick<Result, 'bib_number' | 'status' | 'gender' | 'category' | 'distance'> & {
  id: string;
  /** The times by which each rule ranks; null without a position. */
  ms: Record<Time, number | null>;
};

type Standing = Entrant & Positions & { rank_by: Rule };

const ORDER = ['FINISHED', 'DNF', 'DSQ', 'DNS'];

async function ruleOf(eventId: string): Promise<Rule> {
  const [event] = await db
    .select({ rule: eventSettings.ranking_rule })
    .from(eventSettings)
    .where(eq(eventSettings.event_id, eventId));
  return event?.rule ?? 'chip';
}

/** All runners, with positions counted by comparing each runner with all runners. */
async function rankByHand(eventId: string): Promise<Standing[]> {
  const rule = await ruleOf(eventId);
  const stored = await db
    .select({
      id: registrations.id,
      bib_number: registrations.bib_number,
      gender: registrations.gender,
      category: registrations.category,
      distance: registrations.distance,
      status: results.status,
      chipMs: results.chip_time_ms,
      gunMs: results.gun_time_ms,
    })
    .from(results)
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .where(eq(results.event_id, eventId));
  const rows = stored.map(({ chipMs, gunMs, ...row }) => ({
    ...row,
    ms: { chip: chipMs ?? gunMs, gun: gunMs ?? chipMs },
  }));
  return rows.map((row) => ({ ...row, ...positionsOf(rows, row, rule), rank_by: rule }));
}

function positionsOf(all: readonly Entrant[], entrant: Entrant, rule: Rule): Positions {
  const positionIn = (name: Position) => {
    const [columns, times] = POSITIONS[name];
    const time = times[rule];
    const timeMs = entrant.ms[time];
    const last = columns.at(-1);
    const isNeeded = last !== undefined && last !== 'distance';
    if (timeMs === null || (isNeeded && entrant[last] === null)) return null;
    const rivals = all.filter((other) =>
      columns.every((column) => other[column] === entrant[column]),
    );
    return 1 + rivals.filter(({ ms }) => ms[time] !== null && ms[time] < timeMs).length;
  };
  return {
    position_overall: positionIn('position_overall'),
    position_gender: positionIn('position_gender'),
    position_category: positionIn('position_category'),
    position_distance: positionIn('position_distance'),
    position_distance_gender: positionIn('position_distance_gender'),
    position_distance_category: positionIn('position_distance_category'),
  };
}

/** The order of a list: for a category, by the time behind places in the category. */
function inOrder(all: readonly Standing[], filter: Filter): Standing[] {
  const name = filter.category ? 'position_distance_category' : 'position_distance';
  const ms = ({ ms, rank_by }: Standing) => ms[POSITIONS[name][1][rank_by]] ?? 0;
  const bib = ({ bib_number }: Entrant) => (bib_number === null ? Infinity : Number(bib_number));
  return all.toSorted(
    (a, b) =>
      ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
      ms(a) - ms(b) ||
      (bib(a) === bib(b) ? 0 : bib(a) - bib(b)) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** The view's row of each finisher, by registration. */
async function viewed(eventId: string) {
  const rows = await db.select().from(standings).where(eq(standings.event_id, eventId));
  return Object.fromEntries(
    rows.map(({ event_id: _, bib_number: __, registration_id, ...row }) => [registration_id, row]),
  );
}

const asViewed = (all: readonly Standing[]) =>
  Object.fromEntries(
    all
      .filter(({ ms }) => ms.chip !== null)
      .map(
        ({
          id,
          ms,
          bib_number: _,
          status: __,
          gender: ___,
          category: ____,
          distance: _____,
          ...row
        }) => [
          id,
          {
            ...row,
            finish_time_ms: ms.chip,
            rank_time_ms: ms[POSITIONS.position_distance[1][row.rank_by]],
          },
        ],
      ),
  );

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

function expectedOf(all: readonly Standing[], filter: Filter, listedBy = filter) {
  const columns = ['gender', 'category', 'distance', 'status', 'bib_number'] as const;
  const matches = (row: Standing) =>
    columns.every((column) => filter[column] === undefined || row[column] === filter[column]);
  return inOrder(all, listedBy)
    .filter(matches)
    .map(({ id: _, ms: __, ...row }) => row);
}

async function readAll({ path, key }: Race, { bib_number, ...filter }: Filter, rule: Rule) {
  const query = new URLSearchParams({ page_size: `${PAGE_SIZE}` });
  for (const [name, value] of Object.entries({ ...filter, bib: bib_number })) {
    if (value != null) query.set(name, value);
  }
  const read: Result[] = [];
  for (let page = 1, pages = 1; page <= pages + 1; page++) {
    query.set('page', `${page}`);
    const response = await request(`${path}/results?${query}`, { headers: withKey(key) });
    const { data, meta } = await response.json<{
      data: Result[];
      meta: { total: number; total_pages: number };
    }>();
    pages = meta.total_pages;
    expect(data).toHaveLength(Math.min(PAGE_SIZE, Math.max(0, meta.total - read.length)));
    read.push(...data);
  }
  const exported = await request(`${path}/results/export?${query}`, {
    headers: { ...withKey(key), Accept: 'application/json' },
  });
  const whole = await exported.json<{ data: ExportedResult[] }>();
  expect(exported.headers.get('Rank-By')).toBe(rule);
  const rows = whole.data.map(({ chip_time_ms: _, gun_time_ms: __, ...row }) => row);
  const byId = (a: Result, b: Result) => a.inscription_id.localeCompare(b.inscription_id);
  expect(rows.toSorted(byId)).toEqual(read.toSorted(byId));
  return { listed: read.map(toRanked), exported: rows.map(toRanked) };
}

const toRanked = ({
  inscription_id: _,
  chip_time: __,
  gun_time: ___,
  splits: ____,
  updated_at: _____,
  ...row
}: Result) => row;

test('answers the positions of the view and of a pairwise comparison on every page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyGroup, { minLength: RUNNERS, maxLength: RUNNERS }),
      fc.array(anyChange, { minLength: 1, maxLength: 10 }),
      async (groups, changes) => {
        const created = await createRace();
        const seeds = groups.map((group, runner) => ({ ...group, bib_number: `${runner}` }));
        const race = { ...created, ids: await createRegistrations(created.eventId, seeds) };
        for (const change of changes) await apply(race, change);
        const rule = await ruleOf(race.eventId);
        const all = await rankByHand(race.eventId);
        expect(await viewed(race.eventId)).toEqual(asViewed(all));
        for (const filter of FILTERS) {
          const { listed, exported } = await readAll(race, filter, rule);
          expect(listed).toEqual(expectedOf(all, filter));
          // A file has a single order, whatever its filter.
          expect(exported).toEqual(expectedOf(all, filter, {}));
        }
      },
    ),
    { numRuns: 6 },
  );
});

test('counts positions behind more runners than are looked up one by one', async () => {
  const runners = Array.from({ length: 1_300 }, (_, index) => ({
    bib_number: `${index}`,
    gender: ['F', 'M', null][index % 3] ?? null,
    category: index % 400 === 7 ? 'Rare' : 'Common',
    distance: ['10K', '21K'][index % 2] ?? null,
  }));
  const race = await createRace();
  await createRegistrations(race.eventId, runners);
  const rows = runners.map(({ bib_number }, index) =>
    index % 50 === 0
      ? { bib_number, status: 'DNF' }
      : { bib_number, chip_time: formatRaceTime(((index * 7) % 1_250) * 1_000) },
  );
  await postJson(race, JSON.stringify({ results: rows }), { send: request });
  const all = await rankByHand(race.eventId);
  const pageOf = async (query: string) => {
    const response = await request(`${race.path}/results?page_size=100&${query}`, {
      headers: withKey(race.key),
    });
    const { data } = await response.json<{ data: Result[] }>();
    return data.map(toRanked);
  };
  for (const page of [1, 2, 11, 12, 13]) {
    const expected = expectedOf(all, {}).slice((page - 1) * 100, page * 100);
    expect(await pageOf(`page=${page}`)).toEqual(expected);
  }
  expect(await pageOf('category=Rare')).toEqual(expectedOf(all, { category: 'Rare' }));
  const women = expectedOf(all, { gender: 'F', distance: '10K', status: 'FINISHED' });
  expect(await pageOf('gender=F&distance=10K&status=FINISHED&page=2')).toEqual(
    women.slice(100, 200),
  );
  for (const bib_number of ['1', '1233']) {
    expect(await pageOf(`bib=${bib_number}`)).toEqual(expectedOf(all, { bib_number }));
  }
});
