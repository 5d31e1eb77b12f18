/** A client of `pg`, or PGlite. */
type Queryable = {
  query<Row extends Record<string, unknown>>(text: string): Promise<{ rows: Row[] }>;
};

/** SQL for a line about each column, constraint, index and view. */
const CATALOG = `
  with relation as (
    select oid, relname::text as name, relkind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
  )
  select format('column %s: %s %s%s %s%s%s', name, attname, format_type(atttypid, atttypmod),
    case when attnotnull then ' not null' end, attgenerated, attidentity,
    pg_get_expr(adbin, adrelid)) as line
  from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  union all
  select format('constraint %s: %s %s', name, conname, pg_get_constraintdef(pg_constraint.oid))
  from relation join pg_constraint on conrelid = relation.oid
  union all
  select format('index %s: %s', name, pg_get_indexdef(indexrelid))
  from relation join pg_index on indrelid = relation.oid
  union all
  select format('view %s: %s', name, pg_get_viewdef(oid)) from relation where relkind in ('v', 'm')`;

/** Describes the tables and views of the schema `public`, a line for each part. */
export async function describeSchema(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(CATALOG);
  return rows.map(({ line }) => line.replaceAll(/\s+/g, ' ').trim());
}

/** @returns the lines in only `found` or only `expected` */
export function schemaDifferences(found: readonly string[], expected: readonly string[]): string[] {
  const [has, wants] = [new Set(found), new Set(expected)];
  return [
    ...[...wants].filter((line) => !has.has(line)).map((line) => `missing: ${line}`),
    ...[...has].filter((line) => !wants.has(line)).map((line) => `unexpected: ${line}`),
  ];
}
