import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as schema from '../../worker/db/schema.ts';
import { describeSchema, schemaDifferences } from './catalog.ts';
import { lintMigration, namedTooEarly } from './lint-migrations.ts';
import { CREATE_APPLIED, MIGRATIONS_FOLDER, readMigrations } from './migrate.ts';

async function schemaAfter(statements: readonly string[]): Promise<string[]> {
  const database = await PGlite.create();
  try {
    for (const statement of statements) await database.exec(statement);
    return await describeSchema(database);
  } finally {
    await database.close();
  }
}

/** The snapshot that drizzle-kit compares with schema.ts to write a migration. */
function latestSnapshot() {
  const file = globSync('meta/*_snapshot.json', { cwd: MIGRATIONS_FOLDER }).sort().at(-1) ?? '';
  return JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8'));
}

/** The names of the migrations in the order of their making. */
function journal(): string[] {
  const { entries }: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8'),
  );
  return entries.map(({ tag }) => tag);
}

// The code below takes the last name for the newest migration.
const early = namedTooEarly(journal());
if (early.length > 0) {
  console.error(early.join('\n'));
  process.exit(1);
}

// Compares a database from the migrations with a database from schema.ts, and reads each migration except the baseline,
// which only empty databases meet. Prints the differences and the refused statements.
const migrations = readMigrations();
const statements = migrations.flatMap(({ text }) => text.split('--> statement-breakpoint'));
const inSchema = generateDrizzleJson(schema);
const fromSchema = await generateMigration(generateDrizzleJson({}), inSchema);
const [migrated, described] = await Promise.all([
  // A migration grants a right on the table of `npm run migrate`.
  schemaAfter([CREATE_APPLIED, ...statements]),
  schemaAfter(fromSchema),
]);
const differences = schemaDifferences(migrated, described);
// The next migration would repeat these.
const notInSnapshot = await generateMigration(latestSnapshot(), inSchema);
const refused = migrations.slice(1).flatMap(lintMigration);
if (differences.length > 0) {
  console.error(
    'The migrations differ from schema.ts. Run `npm run generate`, or `npm run generate:baseline` before the first release.\n',
  );
}
if (notInSnapshot.length > 0) {
  console.error(
    'The last snapshot in migrations/meta lacks what schema.ts says. `npm run generate` makes one.\n',
  );
}
if (differences.length + notInSnapshot.length + refused.length > 0) {
  console.error([...differences, ...notInSnapshot, ...refused].join('\n'));
  process.exitCode = 1;
} else {
  console.log(`The schema and its ${migrations.length} migrations agree.`);
}
