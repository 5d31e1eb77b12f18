import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import * as schema from '../../worker/db/schema.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../migrations');

/** Describes the columns, constraints, indexes and views of a database, one line each. */
const CATALOG = `
  select format('column %s.%s %s%s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
    case when attnotnull then ' not null' end, pg_get_expr(adbin, adrelid)) as line
  from pg_attribute join pg_class on pg_class.oid = attrelid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0
  union all
  select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace
  union all
  select format('view %s %s', viewname, definition) from pg_views where schemaname = 'public'`;

async function catalogAfter(statements: readonly string[]): Promise<string[]> {
  const database = await PGlite.create();
  try {
    for (const statement of statements) await database.exec(statement);
    const { rows } = await database.query<{ line: string }>(CATALOG);
    return rows.map(({ line }) => line);
  } finally {
    await database.close();
  }
}

// Compares a database that the migrations made with one made from schema.ts. Prints what differs.
const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
const fromSchema = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
const [migrated, described] = await Promise.all([
  catalogAfter(migrations.flatMap(({ sql }) => sql)),
  catalogAfter(fromSchema),
]);
const differences = [
  ...described.filter((line) => !migrated.includes(line)).map((line) => `missing: ${line}`),
  ...migrated
    .filter((line) => !described.includes(line))
    .map((line) => `not in schema.ts: ${line}`),
];
if (differences.length > 0) {
  console.error('The migrations differ from schema.ts. Run `npm run generate`.\n');
  console.error(differences.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`The schema and its ${migrations.length} migrations agree.`);
}
