import { PGlite } from '@electric-sql/pglite';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as schema from '../../worker/db/schema.ts';
import { type CatalogLine, catalogDifferences, describeSchema } from './catalog.ts';
import { lintMigration } from './lint-migrations.ts';
import { readMigrations } from './migrate.ts';

/** The objects that schema.ts cannot describe: only migrations hold them. */
const NOT_IN_SCHEMA = ['trigger', 'function', 'grant', 'setting'];

async function catalogAfter(statements: readonly string[]): Promise<CatalogLine[]> {
  const database = await PGlite.create();
  try {
    for (const statement of statements) await database.exec(statement);
    const lines = await describeSchema(database, 'public');
    return lines.filter(({ kind }) => !NOT_IN_SCHEMA.includes(kind));
  } finally {
    await database.close();
  }
}

// Compares a database that the migrations made with one made from schema.ts, and reads each migration but the
// baseline, which only empty databases meet. Prints what differs and what is refused.
const migrations = readMigrations();
const statements = migrations.flatMap(({ text }) => text.split('--> statement-breakpoint'));
const fromSchema = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
const [migrated, described] = await Promise.all([
  catalogAfter(statements),
  catalogAfter(fromSchema),
]);
const differences = catalogDifferences(migrated, described);
const refused = migrations.slice(1).flatMap(lintMigration);
if (differences.length > 0) {
  console.error('The migrations differ from schema.ts. Run `npm run generate`.\n');
}
if (differences.length + refused.length > 0) {
  console.error([...differences, ...refused].join('\n'));
  process.exitCode = 1;
} else {
  console.log(`The schema and its ${migrations.length} migrations agree.`);
}
