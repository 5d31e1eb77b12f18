import { parseArgs } from 'node:util';
import { targetOf } from '../stack/listen.ts';
import { connectTo } from '../stack/postgres.ts';
import { ifStarted } from '../stack/script.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A batch this young may still be repeated by its idempotency key, or taken back. */
const KEPT_DAYS = 7;
const BATCHES_AT_ONCE = 1_000;

type Pruned = { batches: number; replacedResults: number };

/** The oldest batches of an event before a moment. */
const OLD = `select id from result_batches where event_id = $1 and received_at < $2
  order by received_at, id limit $3`;

const COUNT = `with old as materialized (${OLD})
  select (select count(*)::int from old) as batches,
    (
      select count(*)::int from replaced_results
      where registration_id in (select id from registrations where event_id = $1)
        and replaced_by in (select id from old)
    ) as replaced_results`;

const DELETE = `with old as materialized (${OLD}),
  history as (
    delete from replaced_results
    where registration_id in (select id from registrations where event_id = $1)
      and replaced_by in (select id from old)
    returning 1
  ),
  batch as (delete from result_batches where id in (select id from old) returning 1)
  select (select count(*)::int from batch) as batches,
    (select count(*)::int from history) as replaced_results`;

/**
 * Deletes the batches before a moment, with the results that they replaced. Results stay as they are; what is
 * deleted can no longer be listed or taken back. Each step is a short transaction.
 * @throws Error if the moment is less than a week ago
 */
export async function prune(databaseUrl: string, before: Date, isDryRun: boolean): Promise<Pruned> {
  if (!(before.getTime() <= Date.now() - KEPT_DAYS * DAY_MS)) {
    throw new Error(
      `--before needs a date at least ${KEPT_DAYS} days ago, such as 2026-01-31: younger uploads may still be repeated or taken back.`,
    );
  }
  const client = await connectTo(databaseUrl);
  try {
    const { rows: events } = await client.query<{ id: string }>(
      'select id from events order by id',
    );
    const pruned: Pruned = { batches: 0, replacedResults: 0 };
    for (const { id } of events) {
      let found: number;
      do {
        const limit = isDryRun ? null : BATCHES_AT_ONCE;
        const { rows } = await client.query<{ batches: number; replaced_results: number }>(
          isDryRun ? COUNT : DELETE,
          [id, before, limit],
        );
        found = rows[0]?.batches ?? 0;
        pruned.batches += found;
        pruned.replacedResults += rows[0]?.replaced_results ?? 0;
      } while (!isDryRun && found === BATCHES_AT_ONCE);
    }
    return pruned;
  } finally {
    await client.end();
  }
}

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: { before: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  if (!databaseUrl || values.before === undefined) {
    throw new Error('Usage: DATABASE_URL=postgres://… npm run prune -- --before DATE [--dry-run].');
  }
  const isDryRun = values['dry-run'];
  const pruned = await prune(databaseUrl, new Date(values.before), isDryRun);
  console.log(
    `${targetOf(databaseUrl)}: ${isDryRun ? 'would delete' : 'deleted'} ${pruned.batches} batches and ` +
      `${pruned.replacedResults} replaced results`,
  );
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
