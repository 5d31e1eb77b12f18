import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { isLocal, targetOf } from '../stack/listen.ts';
import { ifStarted } from '../stack/script.ts';
import {
  insertEvent,
  insertKey,
  insertMember,
  insertOrganization,
  insertRegistrations,
} from '../stack/seed.ts';

type Asked = { organization: string; owner: string; hasTestEvent: boolean };
type Made = { organizationId: string; apiKey: string; eventId?: string };

/**
 * Makes an organization, its owner and a key of every scope, in one transaction. With `hasTestEvent` also an
 * event with one runner and an open board, which `npm run smoke` needs.
 */
export async function bootstrap(databaseUrl: string, asked: Asked): Promise<Made> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await drizzle(pool).transaction(async (db) => {
      const organizationId = await insertOrganization(db, { name: asked.organization });
      await insertMember(db, organizationId, 'owner', asked.owner);
      const apiKey = await insertKey(db, organizationId, { name: 'First key' });
      await db.execute(sql`insert into api_key_events (organization_id, api_key_id, kind, key_prefix, actor)
        select organization_id, id, 'created', key_prefix, ${asked.owner} from api_keys
        where organization_id = ${organizationId}`);
      if (!asked.hasTestEvent) return { organizationId, apiKey };
      const eventId = await insertEvent(db, organizationId, {
        name: 'Smoke test',
        board_enabled: true,
      });
      await insertRegistrations(db, eventId, [{ bib_number: '1', given_names: 'Test' }]);
      return { organizationId, apiKey, eventId };
    });
  } finally {
    await pool.end();
  }
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: {
      organization: { type: 'string' },
      owner: { type: 'string' },
      'test-event': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  });
  const { organization, owner } = values;
  if (!databaseUrl || !organization || !owner) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run bootstrap -- --organization NAME --owner SUB [--test-event]. ' +
        'SUB is the sub of the owner’s panel sessions.',
    );
  }
  const target = targetOf(databaseUrl);
  const isAllowed = isLocal(databaseUrl) || values.yes;
  if (!isAllowed && !(await confirm(`Make organization "${organization}" in ${target}?`))) {
    throw new Error(`Nothing was written to ${target}. Answer y, or pass --yes.`);
  }
  const hasTestEvent = values['test-event'];
  const made = await bootstrap(databaseUrl, { organization, owner, hasTestEvent });
  console.log(`Organization  ${made.organizationId}`);
  if (made.eventId !== undefined) console.log(`Test event    ${made.eventId}`);
  console.log(`Key           ${made.apiKey}\nThe key is shown once: keep it now.`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
