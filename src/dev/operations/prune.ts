import { parseArgs } from 'node:util';
import * as z from 'zod';
import { targetOf } from '../stack/listen.ts';
import { connectTo } from '../stack/postgres.ts';
import { ifStarted } from '../stack/script.ts';
import { confirm } from './confirm.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A batch this young may still be repeated by its idempotency key, or taken back. */
const KEPT_DAYS = 7;
const BATCHES_AT_ONCE = 1_000;

const COUNT = 'select count(*)::int as batches from result_batches where received_at < $1';

// A batch that waited stays if one that took effect before it is young: histories lose their beginning alone.
const DELETE = `with kept as materialized (
    select min(effect_order) as first from result_batches where event_id = $1 and received_at >= $2
  ),
  old as materialized (
    select id from result_batches, kept
    where event_id = $1 and received_at < $2 and coalesce(effect_order < first, true)
    order by received_at, id limit ${BATCHES_AT_ONCE}
  ),
  history as (
    delete from replaced_results
    where registration_id in (select id from registrations where event_id = $1)
      and replaced_by in (select id from old)
  )
  delete from result_batches where id in (select id from old)`;

/** What uploads of passings were answered: only a repeated one asks for it. */
const DELETE_ANSWERS = 'delete from passing_uploads where event_id = $1 and received_at < $2';

/**
 * Deletes the batches before a moment, with the results that they replaced. Results stay as they are; what is
 * deleted can no longer be listed or taken back. Each step is a short transaction.
 * @returns the number of batches
 * @throws Error if the moment is less than a week ago
 */
export async function prune(databaseUrl: string, before: Date, isDryRun: boolean): Promise<number> {
  if (!(before.getTime() <= Date.now() - KEPT_DAYS * DAY_MS)) {
    throw new Error(
      `The date must be at least ${KEPT_DAYS} days ago: younger uploads may still be repeated or taken back.`,
    );
  }
  const client = await connectTo(databaseUrl);
  try {
    if (isDryRun) {
      const { rows } = await client.query<{ batches: number }>(COUNT, [before]);
      return rows[0]?.batches ?? 0;
    }
    const events = await client.query<{ id: string }>('select id from events order by id');
    let batches = 0;
    for (const { id } of events.rows) {
      let deleted: number;
      do {
        deleted = (await client.query(DELETE, [id, before])).rowCount ?? 0;
        batches += deleted;
      } while (deleted === BATCHES_AT_ONCE);
      await client.query(DELETE_ANSWERS, [id, before]);
    }
    return batches;
  } finally {
    await client.end();
  }
}

/** A day in UTC. @throws Error unless the text is one, with its year first */
export function dayOf(text: string): Date {
  if (z.iso.date().safeParse(text).success) return new Date(text);
  throw new Error(`--before ${JSON.stringify(text)} is no date. Write it as 2026-01-31.`);
}

async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean' },
    },
  });
  if (!databaseUrl || values.before === undefined) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run prune -- --before 2026-01-31 [--dry-run] [--yes].',
    );
  }
  const before = dayOf(values.before);
  const isDryRun = values['dry-run'];
  const target = targetOf(databaseUrl);
  const old = await prune(databaseUrl, before, true);
  const what = `${old} batches before ${before.toISOString()} and the results that they replaced`;
  if (isDryRun) {
    console.log(`${target}: would delete ${what}`);
    return;
  }
  await confirm(`Delete ${what}`, databaseUrl, values.yes);
  const deleted = await prune(databaseUrl, before, false);
  console.log(`${target}: deleted ${deleted} batches and the results that they replaced`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
