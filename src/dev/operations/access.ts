import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import * as z from 'zod';
import { targetOf } from '../stack/listen.ts';
import { connectTo } from '../stack/postgres.ts';
import { ifStarted } from '../stack/script.ts';

/** The rows of each table that are about one person, by the name of the table. */
type Holdings = Record<string, unknown[]>;

/** The tables that name a registration, so that one that is added later is read too. */
const TABLES = `select distinct conrelid::regclass::text as name, attname as reference
  from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where contype = 'f' and confrelid = 'registrations'::regclass order by name`;

const REGISTRATIONS = `select registrations.id, to_jsonb(registrations) as row
  from registrations join events on events.id = event_id and organization_id = $2
  where person_id = $1 order by registered_at, registrations.id`;

/** The official versions of an event name a runner by bib, and say what its places were. */
const OFFICIAL = `select jsonb_build_object('event_id', event_id, 'version', version, 'made_at', made_at) as row
  from official_results
  where event_id in (select event_id from registrations where id = any ($1)) order by event_id, version`;

/**
 * Everything that the database holds about a person in one organization: the person, the registrations at its events, and
 * each row that names one of these. Another organization's rows are not read.
 */
export async function holdingsOf(
  databaseUrl: string,
  personId: string,
  organizationId: string,
): Promise<Holdings> {
  const client = await connectTo(databaseUrl);
  try {
    // One moment for all tables.
    await client.query('begin transaction isolation level repeatable read read only');
    const registrations = await client.query<{ id: string; row: unknown }>(REGISTRATIONS, [
      personId,
      organizationId,
    ]);
    const ids = registrations.rows.map(({ id }) => id);
    const holdings: Holdings = {
      persons: ids.length > 0 ? await rowsOf(client, 'persons', 'id', [personId]) : [],
      registrations: registrations.rows.map(({ row }) => row),
    };
    const tables = await client.query<{ name: string; reference: string }>(TABLES);
    for (const { name, reference } of tables.rows) {
      holdings[name] = await rowsOf(client, name, reference, ids);
    }
    const official = await client.query<{ row: unknown }>(OFFICIAL, [ids]);
    return { ...holdings, official_results: official.rows.map(({ row }) => row) };
  } finally {
    await client.end();
  }
}

/** @param table and `column` are names that the catalogue of the database gave */
async function rowsOf(client: pg.Client, table: string, column: string, ids: string[]) {
  const { rows } = await client.query<{ row: unknown }>(
    `select to_jsonb(held) as row from ${table} held where ${column} = any ($1)`,
    [ids],
  );
  return rows.map(({ row }) => row);
}

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: { organization: { type: 'string' }, output: { type: 'string' } },
  });
  const organization = z.uuid().safeParse(values.organization);
  if (!databaseUrl || !organization.success || !values.output) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run access -- --organization ID --output FILE. ' +
        'The id of the person comes from standard input, so that no list of commands keeps it.',
    );
  }
  const person = z.uuid().safeParse((await text(process.stdin)).trim());
  if (!person.success) throw new Error('Standard input has no id of a person, which is a UUID.');
  const holdings = await holdingsOf(databaseUrl, person.data, organization.data);
  if (holdings['registrations']?.length === 0) {
    throw new Error(
      `${targetOf(databaseUrl)}: the person has no registration at this organization. Nothing was written.`,
    );
  }
  // A file that is there is kept, and nobody else on this machine may read the new one.
  await writeFile(values.output, `${JSON.stringify(holdings, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
  const counts = Object.entries(holdings).map(([table, rows]) => `${table} ${rows.length}`);
  console.log(`${values.output}: ${counts.join(', ')}`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
