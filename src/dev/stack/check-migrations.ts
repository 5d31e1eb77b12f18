import { PGlite } from '@electric-sql/pglite';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as schema from '../../worker/db/schema.ts';
import { describeSchema, schemaDifferences } from './catalog.ts';
import { lintMigration } from './lint-migrations.ts';
import { readMigrations } from './migrate.ts';
import { changedSinceRelease, readReleased } from './released-migrations.ts';

async function schemaAfter(statements: readonly string[]): Promise<string[]> {
  const database = await PGlite.create();
  try {
    for (const statement of statements) await database.exec(statement);
    return await describeSchema(database);
  } finally {
    await database.close();
  }
}

// Compares a database that the migrations made with one made from schema.ts, reads each migration but the
// baseline, which only empty databases meet, and compares the released ones with their checksums. Prints what
// differs and what is refused.
const migrations = readMigrations();
const statements = migrations.flatMap(({ text }) => text.split('--> statement-breakpoint'));
const fromSchema = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
const [migrated, described] = await Promise.all([schemaAfter(statements), schemaAfter(fromSchema)]);
const differences = schemaDifferences(migrated, described);
const refused = [
  ...migrations.slice(1).flatMap(lintMigration),
  ...changedSinceRelease(migrations, readReleased()),
];
if (differences.length > 0) {
  console.error('The migrations differ from schema.ts. Run `npm run generate`.\n');
}
if (differences.length + refused.length > 0) {
  console.error([...differences, ...refused].join('\n'));
  process.exitCode = 1;
} else {
  console.log(`The schema and its ${migrations.length} migrations agree.`);
}
