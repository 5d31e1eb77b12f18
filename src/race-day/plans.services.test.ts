import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { askingWith, toStatement } from '../bench/statements.ts';
import { generateApiKey, hashApiKey } from '../caller/api-key.ts';
import { countEvents, findEvent, listEvents } from '../events/queries.ts';
import { migrate } from '../local/migrate.ts';
import { createOwnDatabase, type OwnDatabase } from '../local/own-database.ts';
import {
  countRegistrations,
  listRegistrations,
  paidRegistrations,
  registrationsLike,
} from '../participants/queries.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { findResult, listResults } from '../standings/queries.ts';
import { countBuckets, countPersons } from '../stats/queries.ts';

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

/** The event in question beside 2 000 others of 200 organizations, with registrations of their own. */
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
    [await hashApiKey(KEY), EVENT],
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
  await client.query('vacuum analyze');
}

const page = (number: number) => ({ page: number, page_size: 100 });

/** What each read asks, in the order of the API's operations. */
async function reads() {
  const events = await asking('events:read');
  const participants = await asking('participants:read');
  const stats = await asking('stats:read');
  const paid = paidRegistrations(participants, EVENT);
  const like = (wanted: { bib?: string; chip?: string; document?: string }) =>
    registrationsLike(participants, EVENT, { ...page(1), ...wanted });
  return {
    'count events': countEvents(events),
    'list events': listEvents(events, page(1)),
    'find an event': findEvent(events, EVENT),
    'count participants': countRegistrations(participants, paid),
    'list participants, first page': listRegistrations(participants, paid, page(1)),
    'list participants, last page': listRegistrations(participants, paid, page(300)),
    'look up by bib': listRegistrations(participants, like({ bib: '777' }), page(1)),
    'look up by chip': listRegistrations(participants, like({ chip: 'C777' }), page(1)),
    'look up by document': listRegistrations(participants, like({ document: 'D777' }), page(1)),
    'count by document and bib': countRegistrations(
      participants,
      like({ document: 'D777', bib: '777' }),
    ),
    'count what there is': countBuckets(stats, EVENT),
    'count persons': countPersons(stats, EVENT),
  };
}

const asking = async (scope: Scope) => (await askingWith(KEY, scope)).caller;

describe(`with ${REGISTRATIONS} registrations in the event`, () => {
  test('no read looks through a table: every one walks an index', async () => {
    const scanned: string[] = [];
    const keys = await askingWith(KEY, 'events:read');
    const statements = [
      ...keys.statements().map((statement) => ['identify the key', statement] as const),
      ...Object.entries(await reads()).map(([name, query]) => [name, toStatement(query)] as const),
    ];
    for (const [name, { text, values }] of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const [scan] of plan.matchAll(/Seq Scan on \w+/g)) scanned.push(`${name}: ${scan}`);
    }
    expect(scanned).toEqual([]);
  });
});
