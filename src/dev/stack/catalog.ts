/** One line of what the catalogue says, and the table, view or function that it is about. */
export type CatalogLine = { kind: string; object: string; line: string };

/** A client of `pg`, or PGlite. */
type Queryable = {
  query<Row extends Record<string, unknown>>(text: string): Promise<{ rows: Row[] }>;
};

/** The role of the Worker, whose grants are compared. */
export const WORKER_ROLE = 'race_results_api';

/** SQL for the relations, functions and grants of the schema `place`. */
const CATALOG = (place: string) => `
  with relation as (
    select pg_class.oid, relname::text as name, relkind, reloptions, relacl from pg_class
    where relnamespace = '${place}'::regnamespace and relkind in ('r', 'p', 'v', 'm')
  ),
  line as (
    select 'column' as kind, name, format('%s %s%s %s%s%s', attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end, attgenerated, attidentity,
      pg_get_expr(adbin, adrelid)) as line
    from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select 'constraint', name, conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
    from relation join pg_constraint on conrelid = relation.oid
    union all
    select 'index', name, pg_get_indexdef(indexrelid)
    from relation join pg_index on indrelid = relation.oid
    union all
    select 'view', name, pg_get_viewdef(oid) from relation where relkind in ('v', 'm')
    union all
    select 'setting', name, array_to_string(reloptions, ', ') from relation
    where reloptions is not null
    union all
    select 'trigger', name, pg_get_triggerdef(pg_trigger.oid)
    from relation join pg_trigger on tgrelid = relation.oid and not tgisinternal
    union all
    select 'function', proname, pg_get_functiondef(oid) from pg_proc
    where pronamespace = '${place}'::regnamespace and prokind in ('f', 'p')
    union all
    select 'grant', name, privilege_type
    from relation, aclexplode(relacl) where grantee = to_regrole('${WORKER_ROLE}')
    union all
    select 'grant', name, format('%s (%s)', privilege_type, attname)
    from relation join pg_attribute on attrelid = relation.oid, aclexplode(attacl)
    where grantee = to_regrole('${WORKER_ROLE}')
  )
  select kind, name as object, line from line`;

/** Describes all that a schema holds. The name of the schema does not appear. */
export async function describeSchema(client: Queryable, place: string): Promise<CatalogLine[]> {
  // Postgres leaves out the names of the schemas in the path.
  await client.query(`set search_path = ${place}`);
  const { rows } = await client.query<CatalogLine>(CATALOG(place));
  return rows.map(({ kind, object, line }) => ({
    kind,
    object,
    line: `${kind} ${object}: ${nameless(line, place)}`,
  }));
}

const nameless = (line: string, place: string): string =>
  line.replaceAll(`"${place}".`, '').replaceAll(`${place}.`, '').replaceAll(/\s+/g, ' ').trim();

/** @returns the lines that only one of both has */
export function catalogDifferences(
  found: readonly CatalogLine[],
  expected: readonly CatalogLine[],
): string[] {
  const has = new Set(found.map(({ line }) => line));
  const wants = new Set(expected.map(({ line }) => line));
  return [
    ...[...wants].filter((line) => !has.has(line)).map((line) => `missing: ${line}`),
    ...[...has].filter((line) => !wants.has(line)).map((line) => `unexpected: ${line}`),
  ];
}
