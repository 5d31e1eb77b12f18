import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as z from 'zod';
import * as schema from '../db/schema.ts';

const META = join(import.meta.dirname, '../../migrations/meta');

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(META, name), 'utf8'));

/** Fails, with the SQL that is missing, when the migrations do not add up to the schema. */
const journal = z
  .object({ entries: z.array(z.object({ idx: z.number() })).min(1) })
  .parse(readJson('_journal.json'));
const newest = Math.max(...journal.entries.map(({ idx }) => idx));
const snapshot = readJson(`${String(newest).padStart(4, '0')}_snapshot.json`);

const migrated = z.custom<ReturnType<typeof generateDrizzleJson>>(isSnapshot).parse(snapshot);
const missing = await generateMigration(migrated, generateDrizzleJson(schema, migrated.id));
if (missing.length > 0) {
  console.error('The schema has changes without a migration; run `npm run generate`:\n');
  console.error(missing.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`The schema and its ${newest + 1} migrations agree.`);
}

function isSnapshot(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'tables' in value;
}
