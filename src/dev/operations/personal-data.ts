import type pg from 'pg';
import { connectTo } from '../stack/postgres.ts';

/**
 * What becomes of a column when a runner asks for a copy, or to be forgotten.
 * - own: of the runner. Copied; emptied, or deleted with the row.
 * - kept: of the runner's race. Copied; stays with a result that is kept.
 * - told: words of somebody about results. Copied if they are about the runner's; emptied if they are about no others',
 *   or name the runner.
 * - nobody: names no runner.
 */
type Treatment = 'own' | 'kept' | 'told' | 'nobody';

/** Every column of the service that can hold a text. A column without an entry stops both commands. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  persons: ofAll('own', 'given_names surnames document email mobile_phone gender'),
  registrations: {
    ...ofAll('own', 'given_names surnames document email mobile_phone chip'),
    ...ofAll('kept', 'gender bib_number distance category kit_status status'),
  },
  results: ofAll('kept', 'status splits'),
  replaced_results: ofAll('kept', 'status splits'),
  passings: ofAll('kept', 'point'),
  replaced_passings: ofAll('kept', 'point'),
  withdrawn_results: ofAll('kept', 'status'),
  withdrawn_passings: ofAll('kept', 'point'),
  result_batches: {
    ...ofAll('told', 'reason file_name sender'),
    // Rows of other runners stand beside the runner's own.
    ...ofAll('kept', 'left_rows not_found_bibs not_found_ordinals swapped_registrations'),
    ...ofAll('nobody', 'content_hash key_prefix source start_shift user_id'),
  },
  passing_uploads: {
    ...ofAll('told', 'file_name sender'),
    ...ofAll('kept', 'left_rows not_found_ordinals'),
    ...ofAll('nobody', 'content_hash deleted_point key_prefix source user_id'),
  },
  event_changes: {
    ...ofAll('told', 'reason before after'),
    ...ofAll('nobody', 'kind key_prefix user_id'),
  },
  api_key_events: ofAll('nobody', 'actor key_prefix kind'),
  api_keys: ofAll('nobody', 'key_hash key_prefix name scopes'),
  event_points: ofAll('nobody', 'distance name'),
  event_settings: ofAll(
    'nobody',
    'board_code board_hidden_distances board_names prizes ranking_rule',
  ),
  event_starts: ofAll('nobody', 'distance name'),
  events: ofAll('nobody', 'city name ranking_rule time_zone'),
  // Bibs and times without names. A signed version cannot change without being void.
  known_results: ofAll('kept', 'changes content counts'),
  official_results: ofAll('kept', 'content digest document made_by rank_by signature'),
  organization_members: ofAll('nobody', 'role user_id'),
  organizations: ofAll('nobody', 'name'),
};

function ofAll(treatment: Treatment, names: string): Record<string, Treatment> {
  return Object.fromEntries(names.split(' ').map((name) => [name, treatment]));
}

const columnsOf = (table: string, treatment: Treatment): string[] =>
  Object.entries(COLUMNS[table] ?? {}).flatMap(([name, of]) => (of === treatment ? [name] : []));

/** The columns that can hold a text, of the tables that the Worker may use, and of the persons behind registrations. */
const TEXT_COLUMNS = `
  select columns.table_name as table, columns.column_name as column
  from information_schema.columns
  join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'
    and data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'ARRAY', 'bytea')
    and (table_name = 'persons' or table_name in (
      select table_name from information_schema.role_column_grants where grantee = 'race_results_api'))
  order by 1, 2`;

/** @throws Error that names each column that this list does not know */
async function checkColumns(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(TEXT_COLUMNS);
  const unknown = rows.filter(({ table, column }) => !COLUMNS[table]?.[column]);
  if (unknown.length === 0) return;
  const names = unknown.map(({ table, column }) => `${table}.${column}`).join(', ');
  throw new Error(
    `${names}: src/dev/operations/personal-data.ts does not say whether this text names a runner. Nothing was done.`,
  );
}

/**
 * The batches and uploads that stored, replaced, brought back or took away a result or a passing of these
 * registrations.
 */
const TOUCHED = {
  result_batches: `select id from result_batches
    where deleted_registration = any ($1) or swapped_registrations && $1::uuid[]
    union select unnest(array[batch_id, restored_by]) from results where registration_id = any ($1)
    union select unnest(array[batch_id, replaced_by, restored_by]) from replaced_results
    where registration_id = any ($1)
    union select batch_id from withdrawn_results where registration_id = any ($1)`,
  passing_uploads: `select upload_id from passings where registration_id = any ($1)
    union select unnest(array[upload_id, replaced_by]) from replaced_passings where registration_id = any ($1)
    union select upload_id from withdrawn_passings where registration_id = any ($1)`,
};

/** A batch of so few rows is about these runners, whatever its words say. A swap has two. */
const FEW_ROWS = 2;

/** The words by which a text names the runner. A shorter one stands in too many others. */
const NAMED_MIN = 3;

/** Each word of a name names the runner. A part of a phone number may be the bib of somebody else. */
const NAMES = ['given_names', 'surnames'];

/** What the database knows of a person at one organization. */
type Runner = {
  personId: string;
  registrationIds: string[];
  eventIds: string[];
  /** A regular expression of Postgres that finds the runner in a text. */
  named: string;
};

const REGISTRATIONS = `select registrations.* from registrations
  join events on events.id = event_id and organization_id = $2
  where person_id = $1 order by registered_at, registrations.id`;

/** The rows of each table that are about one person, by the name of the table. */
type Holdings = Record<string, unknown[]>;

/** Runs `work` in one transaction, for a list that knows every column. */
async function withPersonalData<Value>(
  databaseUrl: string,
  mode: 'read only' | 'read write',
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = await connectTo(databaseUrl);
  try {
    // One moment for all tables.
    await client.query(`begin transaction isolation level repeatable read ${mode}`);
    await checkColumns(client);
    const value = await work(client);
    await client.query('commit');
    return value;
  } finally {
    await client.end();
  }
}

/** Finds a person at an organization. Undefined without a registration there. */
async function findRunner(
  client: pg.Client,
  personId: string,
  organizationId: string,
): Promise<Runner | undefined> {
  const { rows } = await client.query<Record<string, string | null>>(REGISTRATIONS, [
    personId,
    organizationId,
  ]);
  if (rows.length === 0) return undefined;
  const persons = await client.query<Record<string, string | null>>(
    'select * from persons where id = $1',
    [personId],
  );
  const held = [...rows, ...persons.rows];
  const textsOf = (names: readonly string[]) =>
    held.flatMap((row) => names.map((name) => row[name]?.trim() ?? ''));
  const words = [
    ...textsOf(columnsOf('registrations', 'own')),
    ...textsOf(NAMES).flatMap((text) => text.split(/\s+/)),
  ];
  const long = [...new Set(words)].filter((word) => word.length >= NAMED_MIN);
  const escaped = long.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`));
  return {
    personId,
    registrationIds: rows.map(({ id }) => id ?? ''),
    eventIds: [...new Set(rows.map(({ event_id }) => event_id ?? ''))],
    named: escaped.length > 0 ? `(^|[^[:alnum:]])(${escaped.join('|')})([^[:alnum:]]|$)` : '^\\b$',
  };
}

/** The tables that name a registration, so that one that is added later is read too. */
const REFERRING = `select distinct conrelid::regclass::text as name, attname as reference
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where contype = 'f' and confrelid = 'registrations'::regclass order by name`;

/** The official versions of an event name a runner by bib, and say what its places were. */
const OFFICIAL = `select jsonb_build_object('event_id', event_id, 'version', version, 'made_at', made_at) as row
  from official_results where event_id = any ($1) order by event_id, version`;

/** Where a left row has its bib, and the name of whoever stored the values. */
const LEFT_BIB = 1;
const LEFT_SENDER = { result_batches: 6, passing_uploads: 4 } as const;

/** The rows that were left of the runner's bibs, among those of others. */
const LEFT_ROWS = `(select jsonb_agg(row) from jsonb_array_elements(left_rows) row
    where row ->> ${LEFT_BIB} in (select bib_number from registrations where id = any ($1)))`;

/** What was told about the runner's results: by batches that touched them, and wherever a text names the runner. */
function toldSql(table: keyof typeof TOUCHED): string {
  const told = columnsOf(table, 'told');
  const fields = ['id', 'event_id', 'source', 'received_at', ...told];
  return `select to_jsonb(batch) as row from (
      select ${fields.join(', ')}, ${LEFT_ROWS} as left_rows from ${table}
      where event_id = any ($2) and (id in (${TOUCHED[table]}) or ${namingSql(table)} or ${LEFT_ROWS} is not null)
      order by received_at, id
    ) batch`;
}

const namingSql = (table: string): string =>
  columnsOf(table, 'told')
    .map((name) => `coalesce(${name} ~* $3, false)`)
    .join(' or ');

/** Everything that the database holds about a person in one organization. Another organization's rows are not read. */
export async function holdingsOf(
  databaseUrl: string,
  personId: string,
  organizationId: string,
): Promise<Holdings> {
  return withPersonalData(databaseUrl, 'read only', async (client) => {
    const runner = await findRunner(client, personId, organizationId);
    const { registrationIds: ids = [], eventIds = [], named = '' } = runner ?? {};
    const rowsOf = async (query: string, values: unknown[]): Promise<unknown[]> =>
      (await client.query<{ row: unknown }>(query, values)).rows.map(({ row }) => row);
    const listed = (table: string, column: string, values: string[]) =>
      rowsOf(`select to_jsonb(held) as row from ${table} held where ${column} = any ($1)`, [
        values,
      ]);

    const holdings: Holdings = {
      persons: await listed('persons', 'id', runner ? [personId] : []),
      registrations: await listed('registrations', 'id', ids),
    };
    const tables = await client.query<{ name: string; reference: string }>(REFERRING);
    for (const { name, reference } of tables.rows) {
      holdings[name] = await listed(name, reference, ids);
    }
    if (!runner) return holdings;
    for (const table of ['result_batches', 'passing_uploads'] as const) {
      holdings[table] = await rowsOf(toldSql(table), [ids, eventIds, named]);
    }
    holdings['event_changes'] = await rowsOf(
      `select to_jsonb(event_changes) as row from event_changes
      where $1::uuid[] is not null and event_id = any ($2) and (${namingSql('event_changes')}) order by id`,
      [ids, eventIds, named],
    );
    holdings['official_results'] = await rowsOf(OFFICIAL, [eventIds]);
    return holdings;
  });
}

/** Empties what was told: all of a batch that is about few runners, and every text that names the runner. */
async function forgetTold(client: pg.Client, runner: Runner): Promise<number> {
  let emptied = 0;
  for (const table of ['result_batches', 'passing_uploads', 'event_changes'] as const) {
    for (const name of columnsOf(table, 'told')) {
      const isAboutFew =
        table === 'event_changes'
          ? '$1::uuid[] is null'
          : `total_processed <= ${FEW_ROWS} and id in (${TOUCHED[table]})`;
      const { rowCount } = await client.query(
        `update ${table} set ${name} = null
        where event_id = any ($2) and ${name} is not null and (${name} ~* $3 or (${isAboutFew}))`,
        [runner.registrationIds, runner.eventIds, runner.named],
      );
      emptied += rowCount ?? 0;
    }
  }
  for (const [table, at] of Object.entries(LEFT_SENDER)) {
    const isNamed = `coalesce(row ->> ${at} ~* $2, false)`;
    const { rowCount } = await client.query(
      `update ${table} set left_rows = (
        select jsonb_agg(case when ${isNamed} then jsonb_set(row, '{${at}}', 'null') else row end order by line)
        from jsonb_array_elements(left_rows) with ordinality as of (row, line)
      )
      where event_id = any ($1) and exists (select from jsonb_array_elements(left_rows) row where ${isNamed})`,
      [runner.eventIds, runner.named],
    );
    emptied += rowCount ?? 0;
  }
  return emptied;
}

const LEFT_OF_OTHERS = `coalesce((select jsonb_agg(row) from jsonb_array_elements(left_rows) row
  where row ->> ${LEFT_BIB} not in (select bib_number from registrations where id = any ($1) and bib_number is not null)),
  '[]')`;

const emptied = (table: string): string =>
  columnsOf(table, 'own')
    .map((name) => `${name} = null`)
    .join(', ');

/** What was forgotten. The boards of the events are to be purged. */
type Forgotten = { eventIds: string[]; registrations: number; texts: number };

/**
 * Forgets a person at one organization.
 * @param everything deletes the registrations and their results too. Otherwise a result stays under its bib
 * @throws Error if the person has no registration there
 */
export async function forget(
  databaseUrl: string,
  personId: string,
  organizationId: string,
  everything: boolean,
): Promise<Forgotten> {
  return withPersonalData(databaseUrl, 'read write', async (client) => {
    const runner = await findRunner(client, personId, organizationId);
    if (!runner) throw new Error('The person has no registration at this organization.');
    const { registrationIds: ids, eventIds } = runner;
    const texts = await forgetTold(client, runner);
    if (everything) {
      for (const table of ['result_batches', 'passing_uploads']) {
        await client.query(
          `update ${table} set left_rows = ${LEFT_OF_OTHERS} where event_id = any ($2) and left_rows is not null`,
          [ids, eventIds],
        );
      }
      await client.query('delete from registrations where id = any ($1)', [ids]);
      await client.query(
        'delete from persons where id = $1 and not exists (select from registrations where person_id = $1)',
        [personId],
      );
    } else {
      await client.query(
        `update registrations set ${emptied('registrations')} where id = any ($1)`,
        [ids],
      );
      await client.query(
        `update persons set ${emptied('persons')} where id = $1 and not exists (
          select from registrations where person_id = $1 and id <> all ($2))`,
        [personId, ids],
      );
    }
    return { eventIds, registrations: ids.length, texts };
  });
}
