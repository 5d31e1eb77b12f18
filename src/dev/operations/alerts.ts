import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ifStarted } from '../stack/script.ts';

const ALERTS_FILE = join(import.meta.dirname, '../../../.github/operations/alerts.json');

/** A condition on a field of a log line, as the Query Builder of Workers Logs takes it. */
const Filter = z.union([
  z.strictObject({ key: z.string(), operation: z.literal('exists') }),
  z.strictObject({ key: z.string(), operation: z.literal(['eq', 'includes']), value: z.string() }),
  z.strictObject({ key: z.string(), operation: z.literal(['eq', 'gte']), value: z.number() }),
]);

type Filter = z.infer<typeof Filter>;

const Alert = z.strictObject({
  name: z.string(),
  why: z.string(),
  /** The page that says what to do. */
  page: z.string(),
  minutes: z.int(),
  filters: z.array(Filter),
  /** With it, the number is a share of these lines. */
  of: z.array(Filter).optional(),
  more_than: z.number().optional(),
  fewer_than: z.number().optional(),
});

type Alert = z.infer<typeof Alert>;

/** @throws Error if the file has an alert of another form */
export const readAlerts = async (file = ALERTS_FILE): Promise<Alert[]> =>
  z.array(Alert).parse(JSON.parse(await readFile(file, 'utf8')));

/** A query over a table `lines (at timestamptz, line jsonb)` that answers whether the alert fires. */
export function queryOf({ name, minutes, filters, of, more_than, fewer_than }: Alert): string {
  const counted = countOf(filters);
  const number = of ? `${counted} / greatest(${countOf(of)}, 1)::numeric` : counted;
  const limit = fewer_than === undefined ? `> ${more_than}` : `< ${fewer_than}`;
  return `select '${name}' as alert, ${number} ${limit} as fires\nfrom lines where at > now() - interval '${minutes} minutes'`;
}

/** A line may stand for several reads. */
const countOf = (filters: readonly Filter[]): string =>
  `coalesce(sum(coalesce((line ->> 'rate')::int, 1)) filter (where ${conditionOf(filters)}), 0)`;

const conditionOf = (filters: readonly Filter[]) => filters.map(sqlOf).join(' and ');

function sqlOf(filter: Filter): string {
  const field = `line ->> '${filter.key}'`;
  switch (filter.operation) {
    case 'exists':
      return `${field} is not null`;
    case 'includes':
      return `strpos(${field}, '${filter.value}') > 0`;
    case 'gte':
      return `(${field})::numeric >= ${filter.value}`;
    case 'eq':
      return `${field} = '${filter.value}'`;
  }
}

async function main(): Promise<void> {
  for (const alert of await readAlerts()) console.log(`-- ${alert.why}\n${queryOf(alert)};\n`);
}

ifStarted(import.meta.filename, main);
