import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as schema from '../../worker/db/schema.ts';
import { MIGRATIONS_FOLDER, readMigrations } from './migrate.ts';

const BASELINE = join(MIGRATIONS_FOLDER, '0000_baseline.sql');
const SNAPSHOT = join(MIGRATIONS_FOLDER, 'meta/0000_snapshot.json');
const BREAK = '--> statement-breakpoint\n';
/** No generator knows the statements behind this line: functions, triggers, storage settings, the role, its rights. */
const BY_HAND = '-- Written by hand from here on.\n';
/** A constant, so that the snapshot changes with the schema alone. */
const SNAPSHOT_ID = '00000000-0000-4000-8000-000000000001';

/**
 * Makes the baseline and its snapshot anew from schema.ts, and keeps the part written by hand. A database with the
 * applied baseline refuses the new baseline: this is for the time before the first deployment.
 * @throws Error if later migrations exist
 */
async function generateBaseline(): Promise<void> {
  if (readMigrations().length > 1) {
    throw new Error('There are migrations after the baseline. Write one more: npm run generate.');
  }
  const [, byHand] = readFileSync(BASELINE, 'utf8').split(BY_HAND);
  if (byHand === undefined) throw new Error(`${BASELINE} lacks the line "${BY_HAND.trim()}".`);
  const snapshot = generateDrizzleJson(schema);
  const generated = await generateMigration(generateDrizzleJson({}), snapshot);
  const statements = [...generated.map((statement) => `${statement.trim()}\n`), BY_HAND + byHand];
  writeFileSync(BASELINE, statements.join(BREAK));
  writeFileSync(SNAPSHOT, `${JSON.stringify({ ...snapshot, id: SNAPSHOT_ID }, null, 2)}\n`);
}

await generateBaseline();
