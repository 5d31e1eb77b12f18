import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type SentQuery, sendingWith } from '../../bench/statements.ts';
import { migrate } from '../../dev/stack/migrate.ts';
import { generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { findRegistration, listPaid } from '../../worker/participants/queries.ts';
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
  // An import is not analyzed at once, so this is not either.
  await client.query(
    `alter table registrations set (autovacuum_enabled = false);
    alter table events set (autovacuum_enabled = false);
    insert into organizations (name) values ('Club Example')`,
  );
  await client.query(
    `insert into api_keys (organization_id, name, key_prefix, key_hash, scopes)
    select id, 'Key', 'er_live_0000', $1, '{participants:read}' from organizations`,
    [hashApiKey(KEY)],
  );
  await client.query(
    `insert into events (id, organization_id, name, event_date, city)
    select event_id, organizations.id, 'Race', now(), 'Port Example'
    from organizations, unnest(array[$1::uuid, gen_random_uuid()]) event_id`,
    [EVENT],
  );
  await client.query(
    `with person as (insert into persons default values returning id)
    insert into registrations (event_id, person_id, status, registered_at)
    select event.id, person.id, case when n % 10 = 0 then 'CANCELLED' else 'PAID' end,
      now() - n / 10 * interval '1 second'
    from person, events event, generate_series(1, $1) n`,
    [REGISTRATIONS],
  );
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

async function statements() {
  const { rows } = await client.query<{ id: string }>(
    'select id from registrations where event_id = $1 order by registered_at, id offset $2 limit 1',
    [EVENT, REGISTRATIONS - 200],
  );
  const after = rows[0]?.id ?? '';
  const [list, find] = [
    listPaid({ eventId: EVENT, after, limit: 100, offset: 0 }),
    findRegistration({ eventId: EVENT, id: after }),
  ].map(await sendingWith(KEY, 'participants:read'));
  return { list, find };
}

async function planOf(query: SentQuery | undefined): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (costs off) ${query?.text}`,
    query?.values,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe.each(['before', 'after'])(
  `the participants behind one of ${REGISTRATIONS}, %s ANALYZE`,
  (when) => {
    test('finds them in the index from that one on', async () => {
      if (when === 'after') await client.query('analyze');
      const { list, find } = await statements();
      const plan = await planOf(list);
      expect(plan).toMatch(/Scan using registrations_paid_by_time/);
      // The scan starts at this row and reads no row before.
      expect(plan).toMatch(/Index Cond: .*ROW\(.*registered_at, .*id\) > ROW\(/);
      expect(plan).not.toContain('Seq Scan on registrations');
      expect(await planOf(find)).not.toContain('Seq Scan on registrations');
    });
  },
);
