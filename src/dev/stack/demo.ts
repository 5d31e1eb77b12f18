import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as z from 'zod';
import { hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { apiKeys, events, organizations } from '../../worker/db/schema.ts';
import { lineOf, splitNamesOf } from '../race-simulator/export-file.ts';
import { entrantsOf, planRace } from '../race-simulator/plan.ts';
import { insertKey, insertMember, insertRace, runners, type Writer } from './seed.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEYS = 'demo-keys.json';
/** A results file to upload. */
export const SAMPLE_RESULTS = 'results.csv';
const RUNNERS = 300;

/** The demo world of any database. */
export const DEMO = {
  organizationId: 'de300000-0000-4000-8000-000000000001',
  ownerId: 'demo-owner',
  eventId: 'de300000-0000-4000-8000-000000000002',
};

export type Demo = typeof DEMO & { apiKey: string };

/**
 * Finds or creates the demo world of a database: an organization with an owner, a race with registrations, and a key of
 * every scope. A database does not reveal its keys, so `folder` keeps the keys of this checkout. A checkout without a
 * live key creates one. The function also writes a results file to upload.
 */
export async function ensureDemo(databaseUrl: string, folder: string): Promise<Demo> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = drizzle(pool);
  try {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, KEYS);
    const known = existsSync(file)
      ? z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
      : [];
    const hashes = await Promise.all(known.map(hashApiKey));
    const isLive = and(
      inArray(apiKeys.key_hash, hashes),
      eq(apiKeys.organization_id, DEMO.organizationId),
      isNull(apiKeys.revoked_at),
    );
    const apiKey = await db.transaction(async (transaction) => {
      const isMade = (await transaction.$count(events, eq(events.id, DEMO.eventId))) > 0;
      if (!isMade) {
        // A world whose event was deleted begins anew.
        await transaction.delete(organizations).where(eq(organizations.id, DEMO.organizationId));
        await createWorld(transaction);
      }
      const [live] = await transaction
        .select({ hash: apiKeys.key_hash })
        .from(apiKeys)
        .where(isLive)
        .limit(1);
      return (
        known[hashes.indexOf(live?.hash ?? '')] ??
        insertKey(transaction, DEMO.organizationId, { name: 'Demo key' })
      );
    });
    writeFileSync(file, JSON.stringify([...new Set([...known, apiKey])]), { mode: 0o600 });
    const sample = join(folder, SAMPLE_RESULTS);
    if (!existsSync(sample)) writeFileSync(sample, sampleResults());
    return { ...DEMO, apiKey };
  } finally {
    await pool.end();
  }
}

async function createWorld(db: Writer): Promise<void> {
  const { organizationId, ownerId, eventId } = DEMO;
  const today = Date.now();
  await insertRace(db, runners(RUNNERS), {
    keyCount: 0,
    organization: { id: organizationId, name: 'Club Demo' },
    event: {
      id: eventId,
      name: 'Media Maratón Demo',
      event_date: new Date(today + 7 * DAY_MS),
      city: 'Villa Ejemplo',
      registration_opens_at: new Date(today - 60 * DAY_MS),
      registration_closes_at: new Date(today + 5 * DAY_MS),
      board_enabled: true,
      board_names: 'initials',
    },
  });
  await insertMember(db, organizationId, 'owner', ownerId);
}

/** Results of all bibs, in the form of timing software. */
function sampleResults(): string {
  const rows = [...planRace(entrantsOf(RUNNERS, '21K'), 1).finalRows.values()];
  const splits = splitNamesOf(rows);
  const header = ['Dorsal', 'Estado', 'Tiempo chip', 'Tiempo pistola', ...splits].join(';');
  return [header, ...rows.map((row) => lineOf(row, splits)), ''].join('\r\n');
}
