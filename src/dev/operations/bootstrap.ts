import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { ifStarted } from '../stack/script.ts';
import {
  insertEvent,
  insertKey,
  insertMember,
  insertOrganization,
  insertRegistrations,
} from '../stack/seed.ts';
import { confirm } from './confirm.ts';
import { TEST_EVENT, TEST_RUNNER } from './test-event.ts';

type Asked = { organization: string; owner: string; isAnother?: boolean; hasTestEvent: boolean };
type Made = { organizationId: string; apiKey: string; eventId?: string };

/**
 * Makes an organization, its owner and a key of every scope, in one transaction. With `hasTestEvent` also an
 * event with one runner and an open board, which `npm run smoke` needs.
 * @throws Error if there is an organization of that name, unless this is to be another one
 */
export async function bootstrap(databaseUrl: string, asked: Asked): Promise<Made> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await drizzle(pool).transaction(async (db) => {
      const { rows: known } = await db.execute<{ id: string }>(
        sql`select id from organizations where name = ${asked.organization} limit 1`,
      );
      if (known[0] && !asked.isAnother) throw isKnown(asked.organization, known[0].id);
      const organizationId = await insertOrganization(db, { name: asked.organization });
      await insertMember(db, organizationId, 'owner', asked.owner);
      const apiKey = await insertKey(db, organizationId, { name: 'First key' });
      await db.execute(sql`insert into api_key_events (organization_id, api_key_id, kind, key_prefix, actor)
        select organization_id, id, 'created', key_prefix, ${asked.owner} from api_keys
        where organization_id = ${organizationId}`);
      if (!asked.hasTestEvent) return { organizationId, apiKey };
      const eventId = await insertEvent(db, organizationId, {
        name: TEST_EVENT,
        board_enabled: true,
      });
      await insertRegistrations(db, eventId, [TEST_RUNNER]);
      return { organizationId, apiKey, eventId };
    });
  } finally {
    await pool.end();
  }
}

const isKnown = (name: string, id: string) =>
  new Error(
    `There is an organization "${name}" (${id}). Make its keys in its panel, or pass --another to make a second one of this name.`,
  );

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: {
      organization: { type: 'string', default: '' },
      owner: { type: 'string', default: '' },
      another: { type: 'boolean', default: false },
      'test-event': { type: 'boolean', default: false },
      yes: { type: 'boolean' },
    },
  });
  const [organization, owner] = [values.organization.trim(), values.owner.trim()];
  if (!databaseUrl || !organization || !owner) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run bootstrap -- --organization NAME --owner SUB [--test-event] [--another]. ' +
        'NAME and SUB may not be blank. SUB is the sub of the owner’s panel sessions.',
    );
  }
  await confirm(`Make organization "${organization}"`, databaseUrl, values.yes);
  const { another: isAnother, 'test-event': hasTestEvent } = values;
  const made = await bootstrap(databaseUrl, { organization, owner, isAnother, hasTestEvent });
  console.log(`Organization  ${made.organizationId}`);
  if (made.eventId !== undefined) console.log(`Test event    ${made.eventId}`);
  console.log(`Key           ${made.apiKey}\nThe key is shown once: keep it now.`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
