import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type SentQuery, sendingWith } from '../../bench/statements.ts';
import { migrate } from '../../dev/stack/migrate.ts';
import { generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { plannedForEvent, plannedForGroups } from '../../worker/db/planned.ts';
import { startList } from '../../worker/participants/start-list.ts';
import { findResult } from '../../worker/results/read/queries.ts';
import { SCOPES } from '../../worker/scopes.ts';
import { createOwnDatabase, type OwnDatabase } from '../runtime/own-stack.ts';

const OWN = 50_000;
const OTHERS = 2_950_000;
const OTHER_EVENTS = 2_000;
const EVENT = '10000000-0000-4000-8000-000000000001';
const KEY = generateApiKey();

let database: OwnDatabase;
let client: pg.Client;

beforeAll(async () => {
  const servers = inject('servers');
  if (!servers) throw new Error('This needs a real server.');
  database = await createOwnDatabase(servers.databaseUrl);
  await migrate(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `with organization as (insert into organizations (name) values ('Club') returning id),
    key as (
      insert into api_keys (organization_id, name, key_prefix, key_hash, scopes)
      select id, 'Key', 'er_live_0000', $2, $3 from organization
    )
    insert into events (id, organization_id, name, event_date, city)
    select case when n = 0 then $1::uuid else md5(n::text)::uuid end, id, 'Race', now(), 'Port Example'
    from organization, generate_series(0, ${OTHER_EVENTS}) n`,
    [EVENT, hashApiKey(KEY), SCOPES],
  );
  // An index built afterwards is equal, and takes a tenth of the time.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid in ('registrations'::regclass, 'results'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('set session_replication_role = replica');
  // Registrations of all events arrive together, so that an event's registrations stand among the rest.
  await client.query(
    `insert into registrations (event_id, person_id, status, document, given_names, surnames, gender, bib_number,
      chip, distance, category, registered_at)
    select case when n % ${Math.round((OWN + OTHERS) / OWN)} = 0 then '${EVENT}'::uuid
        else md5((1 + n % ${OTHER_EVENTS})::text)::uuid end,
      gen_random_uuid(), (array['PAID', 'PAID', 'PAID', 'PENDING', 'CANCELLED'])[1 + n / 60 % 5], 'D' || n, 'Ada',
      'Example ' || n, (array['F', 'M'])[1 + n % 2], n::text, 'C' || n, '21K', (array['U20', '20-39'])[1 + n % 2],
      now() - n * interval '1 second'
    from generate_series(1, ${OWN + OTHERS}) n`,
  );
  await client.query(
    `insert into results (registration_id, event_id, batch_id, status, chip_time_ms)
    select id, event_id, md5(event_id::text)::uuid, 'FINISHED', 4000000 + bib_number::bigint * 7919 % 9000000
    from registrations`,
  );
  for (const { definition } of indexes) await client.query(definition);
  for (const table of ['registrations', 'results']) await client.query(`vacuum analyze ${table}`);
}, 1_200_000);

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

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

/** How many rows a part of a plan read. */
const rowsOf = (node: PlanNode): number =>
  node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));

/** Runs a query, and returns the parts of its plan. */
async function ranNodes({ text, values }: SentQuery): Promise<PlanNode[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
}

test('reads the start list of 50 000 among 3 million registrations through an index, whole and since a cursor', async () => {
  const send = await sendingWith(KEY, 'inscriptions:read');
  const { rows } = await client.query(
    'select count(*)::int as own, (select count(*)::int from registrations) as all_of from registrations where event_id = $1',
    [EVENT],
  );
  expect(rows).toEqual([{ own: OWN, all_of: OWN + OTHERS }]);
  await client.query('begin');
  await client.query(send(plannedForEvent()));
  const { rows: now } = await client.query<{ xid: string }>(
    'select pg_current_xact_id()::text as xid',
  );
  const readings = {
    whole: startList.rows({ eventId: EVENT }),
    since: startList.rows({ eventId: EVENT, since: now[0]?.xid ?? '' }),
  };
  for (const [name, statement] of Object.entries(readings)) {
    const nodes = await ranNodes(send(statement));
    const reading = nodes.filter((node) => node['Relation Name'] === 'registrations');
    expect(reading.length, name).toBeGreaterThan(0);
    expect(reading.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    // The rows and the total read the registrations of the event, and nobody else's.
    expect(Math.max(...reading.map(rowsOf)), name).toBeLessThanOrEqual(OWN);
    expect(nodes.map((node) => node['Node Type']).join(), name).not.toMatch(/Gather/);
  }
  await client.query('rollback');
}, 120_000);

test('counts the places of one bib of 50 000 among 3 million results by hashing, and sorts no rows', async () => {
  const send = await sendingWith(KEY, 'events:read');
  const { rows } = await client.query<{ bib_number: string }>(
    `select bib_number from registrations join results on registration_id = id
    where results.event_id = $1 order by finish_time_ms offset ${OWN / 2} limit 1`,
    [EVENT],
  );
  await client.query('begin');
  await client.query(send(plannedForGroups()));
  const nodes = await ranNodes(send(findResult(EVENT, rows[0]?.bib_number ?? '')));
  await client.query('rollback');
  const reading = nodes.filter((node) => node['Relation Name']);
  expect(reading.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  expect(Math.max(...reading.map(rowsOf))).toBeLessThanOrEqual(OWN);
  // All runners are read, in the order of an index.
  expect(Math.max(...reading.map(rowsOf))).toBeGreaterThan(OWN / 2);
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  expect(sorts.filter((node) => rowsOf(node) > 100)).toEqual([]);
}, 120_000);
