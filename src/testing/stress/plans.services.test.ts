import { Readable } from 'node:stream';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type SentQuery, sendingWith } from '../../bench/statements.ts';
import { migrate } from '../../dev/stack/migrate.ts';
import { setUpEvent } from '../../dev/stack/seed.ts';
import { atOnce } from '../../timing-files/read/turns.ts';
import { generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { findLiveKey } from '../../worker/auth/api-key/queries.ts';
import { findDetails } from '../../worker/board/find-details.ts';
import { selectCourse } from '../../worker/board/select-course.ts';
import { plannedForEvent, plannedForGroups } from '../../worker/db/planned.ts';
import { findEvent, listEvents } from '../../worker/events/queries.ts';
import { openJson } from '../../worker/http/json-text.ts';
import { limits } from '../../worker/http/pagination.ts';
import { listMatches, listPaid } from '../../worker/participants/queries.ts';
import { readPassings } from '../../worker/passings/batch.ts';
import { lockNewPoints } from '../../worker/passings/lock-new-points.ts';
import { storePassings } from '../../worker/passings/store.ts';
import { listChanges } from '../../worker/results/batches/queries.ts';
import { revertBatch } from '../../worker/results/batches/revert.ts';
import { findResult, listResults } from '../../worker/results/read/queries.ts';
import { beforeWriting } from '../../worker/results/upload/before-writing.ts';
import { readCsvBatch } from '../../worker/results/upload/csv-batch.ts';
import { storeBatch } from '../../worker/results/upload/store.ts';
import { SCOPES } from '../../worker/scopes.ts';
import { countBuckets, countPersons } from '../../worker/stats/queries.ts';
import { createOwnDatabase, type OwnDatabase } from '../runtime/own-stack.ts';

const REGISTRATIONS = 50_000;
const KEY = generateApiKey();
const EVENT = '10000000-0000-4000-8000-000000000001';

let database: OwnDatabase;
let client: pg.Client;

beforeAll(async () => {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server: npm run test:services.');
  database = await createOwnDatabase(servers.databaseUrl);
  await migrate(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await seed();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Creates the event, and 2 000 events of 200 organizations with their own registrations. */
async function seed(): Promise<void> {
  await client.query(
    "insert into organizations (name) select 'Club ' || n from generate_series(1, 200) n",
  );
  await client.query(
    `insert into api_keys (organization_id, name, key_prefix, key_hash, scopes)
    select id, 'Key', 'er_live_0000', encode(sha256((name || '/' || n)::bytea), 'hex'), $1
    from organizations, generate_series(1, 20) n`,
    [SCOPES],
  );
  await client.query(
    `insert into events (id, organization_id, name, event_date, city)
    select case when row_number() over () = 1 then $1 else gen_random_uuid() end,
      organizations.id, 'Race', now() + n * interval '1 day', 'Port Example'
    from organizations, generate_series(1, 10) n`,
    [EVENT],
  );
  await client.query(
    `update api_keys set key_hash = $1 where id = (
      select api_keys.id from api_keys join events using (organization_id)
      where events.id = $2 limit 1)`,
    [hashApiKey(KEY), EVENT],
  );
  await client.query(
    'insert into persons (id) select gen_random_uuid() from generate_series(1, $1)',
    [REGISTRATIONS],
  );
  await client.query(
    `insert into registrations (event_id, person_id, status, document, gender, bib_number, chip,
      distance, category, registered_at)
    select event.id, person.id, (array['PAID', 'PAID', 'PAID', 'PENDING', 'CANCELLED'])[1 + n % 5],
      'D' || n, (array['F', 'M'])[1 + n % 2], n::text, 'C' || n, '21K',
      (array['U20', '20-39', '40+'])[1 + n % 3], now() - n * interval '1 second'
    from (select id, row_number() over () as n from persons) person
    join events event on event.id = $1 or n <= 50`,
    [EVENT],
  );
  await client.query(
    `insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated,
      not_found, errors, duplicates)
    select $1, id, 'json', 0, 0, 0, 0, 0, 0 from api_keys limit 1`,
    [EVENT],
  );
  await client.query(
    `insert into results (registration_id, event_id, batch_id, status, chip_time_ms)
    select registration.id, registration.event_id, batch.id,
      case when n % 20 = 0 then 'DNS' else 'FINISHED' end,
      case when n % 20 <> 0 then 4000000 + n * 7919 % 9000000 end
    from registrations registration
    cross join lateral (select bib_number::bigint as n) bib
    cross join result_batches batch`,
  );
  await client.query('vacuum analyze');
}

const CORRECTION = '20000000-0000-4000-8000-000000000001';

/** A batch that replaced the first 5 000 results of the event, and batches that replaced the results of all events. */
const CORRECT_ALL = `
  insert into replaced_results (registration_id, replaced_by, batch_id, status, chip_time_ms, updated_at)
    select registration_id, case when event_id = '${EVENT}' and chip_time_ms < 5000000 then '${CORRECTION}'::uuid
      else md5(event_id || n::text)::uuid end, md5(event_id::text)::uuid, status, chip_time_ms, updated_at
    from results, generate_series(1, 2) n where n = 1 or event_id <> '${EVENT}';
  insert into result_batches (id, event_id, api_key_id, source, total_processed, uploaded, updated,
      not_found, errors, duplicates)
    select '${CORRECTION}', '${EVENT}', id, 'json', 0, 0, 0, 0, 0, 0 from api_keys limit 1;
  update results set batch_id = case when event_id = '${EVENT}' and chip_time_ms < 5000000
    then '${CORRECTION}'::uuid else md5(event_id::text)::uuid end;`;

/** The state after a bulk import into empty tables. */
const forgetStatistics = (...tables: string[]): string => {
  const ids = tables.map((table) => `'${table}'::regclass`).join();
  return `delete from pg_statistic where starelid in (${ids});
    update pg_class set reltuples = -1, relallvisible = 0 where oid in (${ids})`;
};
const FORGET_STATISTICS = forgetStatistics('results', 'replaced_results', 'passings');

const page = (number: number) => ({ page: number, page_size: 100 });

/** The statements of every read, in the order of the API's operations. */
function reads() {
  const eventId = EVENT;
  const at = (number: number) => limits(page(number));
  return {
    'list events': listEvents(at(1)),
    'find an event': findEvent({ eventId }),
    'list participants, first page': listPaid({ eventId, ...at(1) }),
    'list participants, last page': listPaid({ eventId, ...at(300) }),
    'look up by bib': listMatches({ eventId, bib: '777', ...at(1) }),
    'look up by chip': listMatches({ eventId, chip: 'C777', ...at(1) }),
    'look up by document': listMatches({ eventId, document: 'D777', ...at(1) }),
    'look up by document and bib': listMatches({ eventId, document: 'D777', bib: '777', ...at(1) }),
    'count what there is': countBuckets({ eventId }),
    'count persons': countPersons({ eventId }),
  };
}

async function planOf({ text, values }: SentQuery): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** A part of an executed plan, in the form of `explain (format json)`. */
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How many rows these parts of a plan read or answered. */
const rowsOf = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) =>
      sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    0,
  );

/** Runs a statement. @returns the parts of the plan, and how many rows of the table the parts read */
async function ranOn(table: string, { text, values }: SentQuery) {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  );
  const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  return { nodes, read: rowsOf(nodes.filter((node) => node['Relation Name'] === table)) };
}

describe(`with ${REGISTRATIONS} registrations in the event`, () => {
  test('reads every list and figure from indexes, without a scan of a table', async () => {
    const scanned: string[] = [];
    const send = await sendingWith(KEY, 'events:read');
    const statements = { 'identify the key': findLiveKey({}), ...reads() };
    for (const [name, statement] of Object.entries(statements)) {
      const plan = await planOf(send(statement));
      for (const [scan] of plan.matchAll(/Seq Scan on \w+/g)) scanned.push(`${name}: ${scan}`);
    }
    expect(scanned).toEqual([]);
  });

  test('reads statistics from indexes alone', async () => {
    const send = await sendingWith(KEY, 'stats:read');
    const { 'count what there is': buckets, 'count persons': persons } = reads();
    const scansOf = (plan: string) =>
      Array.from(plan.matchAll(/\w+(?: \w+)* Scan using registrations_\w+/g), ([scan]) => scan);
    expect(scansOf(await planOf(send(buckets)))).toEqual([
      'Index Only Scan using registrations_by_bucket',
    ]);
    expect(scansOf(await planOf(send(persons)))).toEqual([
      'Index Only Scan using registrations_by_person',
    ]);
  });

  test('reads a page of results from indexes, and merges an event with its registrations', async () => {
    const send = await sendingWith(KEY, 'events:read');
    const top = listResults(EVENT, page(1));
    const merging = {
      last: listResults(EVENT, page(475)),
      filtered: listResults(EVENT, {
        ...page(3),
        gender: 'F',
        category: 'U20',
        distance: '21K',
      }),
      bib: findResult(EVENT, '777'),
    };
    const expectIndexed = async (state: string) => {
      for (const [name, query] of Object.entries({ top, ...merging })) {
        const plan = await planOf(send(query));
        const scans = plan.match(/Seq Scan on (results|registrations)/g) ?? [];
        expect([state, name, ...scans]).toEqual([state, name]);
        if (name in merging) expect(plan, `${state}, ${name}`).toMatch(/(Merge|Hash) Join/);
        // Starting either costs more than the page.
        expect(plan, `${state}, ${name}`).not.toMatch(/JIT:|Gather/);
      }
    };
    await client.query('begin');
    await client.query(send(plannedForGroups()));
    await expectIndexed('analyzed');
    // The state after a bulk import without an analyze, and after an import into empty tables.
    for (const rows of [REGISTRATIONS, 0]) {
      await client.query(
        'delete from pg_statistic where starelid in ($1::regclass, $2::regclass)',
        ['results', 'registrations'],
      );
      await client.query(
        `update pg_class set reltuples = $1, relallvisible = 0 where oid in ('results'::regclass, 'registrations'::regclass)`,
        [rows === 0 ? -1 : rows],
      );
      await expectIndexed(`${rows} rows known`);
    }
    await client.query('rollback');
  });

  test('finds what a batch did by indexes, also before anybody analyzed the tables', async () => {
    const send = await sendingWith(KEY, 'results:write');
    await client.query('begin');
    await client.query(CORRECT_ALL);
    const batch = { eventId: EVENT, batchId: CORRECTION };
    const asked = {
      changes: [plannedForEvent(), listChanges.key({ ...batch, ...limits(page(1)) })],
      revert: [
        ...beforeWriting().slice(1),
        revertBatch.key({ ...batch, reason: null, revertId: crypto.randomUUID() }),
      ],
    };
    for (const state of ['analyzed', 'unknown']) {
      const known = state === 'analyzed' ? 'analyze results, replaced_results' : FORGET_STATISTICS;
      await client.query(known);
      for (const [name, [limit, query]] of Object.entries(asked)) {
        if (limit) await client.query(send(limit));
        const plan = query ? await planOf(send(query)) : '';
        const wrong =
          plan.match(/Seq Scan on (results|replaced_results|registrations)|JIT:/g) ?? [];
        expect([state, name, ...wrong]).toEqual([state, name]);
      }
    }
    await client.query('rollback');
  });

  test('reads the points of a board once, also those where a small race passes last', async () => {
    const points = 20;
    await client.query('begin');
    await setUpEvent(drizzle(client), EVENT, { board_enabled: true });
    // The races: 4 990 runners, 5 runners among them, and 5 runners after them.
    const { rowCount: passings } = await client.query(
      `with runner as (
        select id, bib_number::int as n from registrations where event_id = $1 and bib_number::int <= 5000
      ), moved as (
        update registrations set distance = case when n <= 5 then '5K' else '10K' end
        from runner where runner.id = registrations.id and n <= 10
      )
      insert into passings (registration_id, event_id, upload_id, point, time_ms)
      select id, $1, gen_random_uuid(), 'Km ' || point, point * 300000 + case when n <= 5 then 9000000 + n
        when n <= 10 then n * 300000 else n * 7919 % 3000000 end
      from runner, generate_series(1, $2::int) point`,
      [EVENT, points],
    );
    const send = await sendingWith(KEY, 'events:read');
    await client.query(send(plannedForEvent()));
    const sent = send(selectCourse({ eventId: EVENT }));
    for (const known of ['analyze passings', forgetStatistics('passings', 'registrations')]) {
      await client.query(known);
      const { nodes, read } = await ranOn('passings', sent);
      expect(read, known).toBeGreaterThanOrEqual(passings ?? 0);
      expect(read, known).toBeLessThan(1.3 * (passings ?? 0));
      // A large event would be sorted on disk.
      const sorted = rowsOf(nodes.filter((node) => node['Node Type'] === 'Sort'));
      expect(sorted, known).toBeLessThan(0.3 * (passings ?? 0));
    }
    await client.query('rollback');
  });

  test('finds a point of an event by its passings alone, also one that comes last or is new', async () => {
    await client.query('begin');
    await client.query(
      `insert into passings (registration_id, event_id, upload_id, point, time_ms)
      select id, event_id, gen_random_uuid(), 'Km ' || 5 * point, point * 1000000 + bib_number::int
      from generate_series(1, 4) point, registrations where event_id = $1 and bib_number::int <= 5000`,
      [EVENT],
    );
    const send = await sendingWith(KEY, 'results:write');
    for (const known of ['analyze passings', forgetStatistics('passings')]) {
      await client.query(known);
      for (const point of ['Km 5', 'Km 20', 'Km 99']) {
        const passings = [{ bib_number: '7', point, time: '00:20:00' }];
        const batch = atOnce(readPassings(openJson(Buffer.from(JSON.stringify({ passings })))));
        const statements = {
          lock: lockNewPoints(EVENT, batch, 'key'),
          store: storePassings(EVENT, batch, { source: 'json' }, 'key'),
        };
        await client.query('savepoint before');
        for (const [name, statement] of Object.entries(statements)) {
          const { read } = await ranOn('passings', send(statement));
          expect(read, `${name} ${point}, ${known}`).toBeLessThan(50);
        }
        await client.query('rollback to before');
      }
    }
    await client.query('rollback');
  });

  test('finds the place at a point of runners on the course among those of the same minute', async () => {
    await client.query('begin');
    await setUpEvent(drizzle(client), EVENT, { board_enabled: true });
    // Nobody has arrived, and 50 000 pass within two hours.
    await client.query('delete from results where event_id = $1', [EVENT]);
    await client.query(
      `insert into passings (registration_id, event_id, upload_id, point, time_ms)
      select id, event_id, gen_random_uuid(), 'Km 5', 1 + bib_number::int * 7919 % 7200000 from registrations where event_id = $1`,
      [EVENT],
    );
    const { rows: runners } = await client.query<{ id: string }>(
      'select id from registrations where event_id = $1 order by bib_number limit 20',
      [EVENT],
    );
    const send = await sendingWith(KEY, 'events:read');
    const sent = send(findDetails({ keys: `{${runners.map(({ id }) => id)}}` }));
    for (const known of ['analyze passings', forgetStatistics('passings', 'registrations')]) {
      await client.query(known);
      const { read } = await ranOn('passings', sent);
      expect(read, known).toBeGreaterThan(runners.length);
      expect(read, known).toBeLessThan(600 * runners.length);
    }
    await client.query('rollback');
  });

  test('deletes what belongs to a registration by its id, also before anybody analyzed the tables', async () => {
    await client.query('begin');
    await client.query(
      `insert into passings (registration_id, event_id, upload_id, point, time_ms)
      select registration_id, event_id, gen_random_uuid(), 'Km 5', 1 from results`,
    );
    // Postgres makes a single plan for all registrations.
    await client.query('set local plan_cache_mode = force_generic_plan');
    for (const table of ['results', 'passings']) {
      // The statement of the foreign key, which the deletion of an event runs for each registration.
      await client.query(
        `prepare delete_${table} (uuid, uuid) as
        delete from only ${table} where $1 = registration_id and $2 = event_id`,
      );
    }
    for (const known of ['analyze results, passings', FORGET_STATISTICS]) {
      await client.query(known);
      for (const table of ['results', 'passings']) {
        const plan = await planOf({ text: `execute delete_${table} (null, null)`, values: [] });
        expect(plan).toMatch(/Index Cond: \(+registration_id = \$1\)/);
      }
    }
    await client.query('rollback');
  });

  test('stores the rows of a large file without compiling the plan', async () => {
    const send = await sendingWith(KEY, 'results:write');
    const lines = Array.from(
      { length: REGISTRATIONS },
      (_, index) => `${index + 1},0:50:00,0:20:00`,
    );
    const file = Buffer.from(`bib,time,Km 5\n${lines.join('\n')}`);
    const batch = await readCsvBatch(Readable.from([file]));
    const stored = send(storeBatch(EVENT, batch, { source: 'csv' }));
    await client.query('begin');
    // Postgres then compiles every plan.
    await client.query('set local jit_above_cost = 0');
    expect(await planOf(stored)).toContain('JIT:');
    for (const statement of beforeWriting()) await client.query(send(statement));
    expect(await planOf(stored)).not.toContain('JIT:');
    await client.query('rollback');
  });
});
