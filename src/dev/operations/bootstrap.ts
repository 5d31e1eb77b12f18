import { open, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import Papa from 'papaparse';
import pg from 'pg';
import { ifStarted } from '../stack/script.ts';
import {
  insertEvent,
  insertKey,
  insertMember,
  insertOrganization,
  insertRegistrations,
  type Writer,
} from '../stack/seed.ts';
import { confirm } from './confirm.ts';
import { TEST_EVENT, TEST_RUNNER } from './test-event.ts';

type NewOrganization = {
  organization: string;
  owner: string;
  isAnother?: boolean;
  hasTestEvent?: boolean;
};
type Made = { organizationId: string; apiKey: string; eventId?: string };

/**
 * Makes organizations, each with its owner and a key of every scope, in one transaction. With `hasTestEvent` also an
 * event with one runner and an open board, which `npm run smoke` needs.
 * @throws Error if there are organizations of these names, unless these are to be other ones. Then nothing is made
 */
export async function bootstrap(
  databaseUrl: string,
  asked: readonly NewOrganization[],
): Promise<Made[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await drizzle(pool).transaction(async (db) => {
      const names = asked
        .filter(({ isAnother }) => !isAnother)
        .map(({ organization }) => organization);
      const { rows: known } = await db.execute<{ name: string; id: string }>(
        sql`select name, id from organizations where name in
          (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)) order by name`,
      );
      if (known.length > 0) throw areKnown(known);
      const made: Made[] = [];
      for (const each of asked) made.push(await insertBootstrapped(db, each));
      return made;
    });
  } finally {
    await pool.end();
  }
}

async function insertBootstrapped(
  db: Writer,
  { organization, owner, hasTestEvent }: NewOrganization,
) {
  const organizationId = await insertOrganization(db, { name: organization });
  await insertMember(db, organizationId, 'owner', owner);
  const apiKey = await insertKey(db, organizationId, { name: 'First key' });
  await db.execute(sql`insert into api_key_events (organization_id, api_key_id, kind, key_prefix, actor)
    select organization_id, id, 'created', key_prefix, ${owner} from api_keys
    where organization_id = ${organizationId}`);
  if (!hasTestEvent) return { organizationId, apiKey };
  const eventId = await insertEvent(db, organizationId, { name: TEST_EVENT, board_enabled: true });
  await insertRegistrations(db, eventId, [TEST_RUNNER]);
  return { organizationId, apiKey, eventId };
}

const areKnown = (known: readonly { name: string; id: string }[]) =>
  new Error(
    `There is an organization ${known.map(({ name, id }) => `"${name}" (${id})`).join(', ')}. ` +
      'Make its keys in its panel, or pass --another to make a second one of this name. Nothing was made.',
  );

/**
 * The organizations of a CSV file with the columns `organization` and `owner`.
 * @throws Error that names each line without a name or an owner, and each name that stands twice
 */
function readOrganizations(csv: string): NewOrganization[] {
  const { data, meta } = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
  });
  if (!['organization', 'owner'].every((name) => meta.fields?.includes(name))) {
    throw new Error(
      `The file has the columns ${meta.fields?.join(', ') || 'of no header'}. It needs organization and owner.`,
    );
  }
  const asked = data.map((row) => ({
    organization: row['organization']?.trim() ?? '',
    owner: row['owner']?.trim() ?? '',
  }));
  const problems = asked.flatMap(({ organization, owner }, at) => {
    const isAgain = asked.findIndex((other) => other.organization === organization) < at;
    if (!organization || !owner) return [`row ${at + 1} has no organization or no owner`];
    return isAgain ? [`row ${at + 1} names "${organization}" again`] : [];
  });
  if (asked.length === 0) problems.push('it has no rows');
  if (problems.length > 0) throw new Error(`Nothing was made: ${problems.join('; ')}.`);
  return asked;
}

/** Makes the organizations of a file. Their keys are written to a new file that only its owner may read. */
async function mainFrom(databaseUrl: string, from: string, to: string, isSure?: boolean) {
  const asked = readOrganizations(await readFile(from, 'utf8'));
  await confirm(`Make ${asked.length} organizations`, databaseUrl, isSure);
  // It is opened first: a key that could not be written down would be lost.
  const keys = await open(to, 'wx', 0o600);
  try {
    const made = await bootstrap(databaseUrl, asked);
    const rows = made.map(({ organizationId, apiKey }, at) => ({
      ...asked[at],
      organization_id: organizationId,
      api_key: apiKey,
    }));
    await keys.writeFile(`${Papa.unparse(rows, { escapeFormulae: true })}\r\n`);
  } catch (error) {
    await rm(to);
    throw error;
  } finally {
    await keys.close();
  }
  console.log(`Made ${asked.length} organizations. Their keys stand in ${to}, and nowhere else.`);
}

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: {
      organization: { type: 'string', default: '' },
      owner: { type: 'string', default: '' },
      another: { type: 'boolean', default: false },
      'test-event': { type: 'boolean', default: false },
      from: { type: 'string' },
      keys: { type: 'string' },
      yes: { type: 'boolean' },
    },
  });
  if (databaseUrl && values.from !== undefined && values.keys !== undefined) {
    await mainFrom(databaseUrl, values.from, values.keys, values.yes);
    return;
  }
  const [organization, owner] = [values.organization.trim(), values.owner.trim()];
  if (!databaseUrl || !organization || !owner) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run bootstrap -- --organization NAME --owner SUB [--test-event] [--another]. ' +
        'NAME and SUB may not be blank. SUB is the sub of the owner’s panel sessions. ' +
        'For many: npm run bootstrap -- --from organizations.csv --keys NEW_FILE.csv.',
    );
  }
  await confirm(`Make organization "${organization}"`, databaseUrl, values.yes);
  const { another: isAnother, 'test-event': hasTestEvent } = values;
  const [made] = await bootstrap(databaseUrl, [{ organization, owner, isAnother, hasTestEvent }]);
  if (!made) return;
  console.log(`Organization  ${made.organizationId}`);
  if (made.eventId !== undefined) console.log(`Test event    ${made.eventId}`);
  console.log(`Key           ${made.apiKey}\nThe key is shown once: keep it now.`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
