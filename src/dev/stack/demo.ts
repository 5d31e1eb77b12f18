import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as z from 'zod';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { apiKeys, events, organizationMembers } from '../../worker/db/schema.ts';
import {
  insertEvent,
  insertKey,
  insertMember,
  insertOrganization,
  insertRunners,
  type Writer,
} from './seed.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEMO = 'demo.json';
const OWNER = 'demo-owner';
/** A results file to upload. */
export const SAMPLE_RESULTS = 'results.csv';
const RUNNERS = 300;
const SPLITS_KM = [5, 10, 15];

export const Demo = z.object({
  organizationId: z.guid(),
  ownerId: z.string(),
  eventId: z.guid(),
  apiKey: z.string(),
});

export type Demo = z.infer<typeof Demo>;

/**
 * Finds or creates the demo world of a database: an organization with an owner, a race with registrations, and a
 * key of every scope. A database does not reveal its keys, so `folder` keeps those that this checkout created. A
 * checkout without a live key creates one. It also writes a results file to upload.
 */
export async function ensureDemo(databaseUrl: string, folder: string): Promise<Demo> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = drizzle(pool);
  try {
    mkdirSync(folder, { recursive: true });
    const sample = join(folder, SAMPLE_RESULTS);
    if (!existsSync(sample)) writeFileSync(sample, sampleResults());
    const known = readDemos(folder);
    const world = await findWorld(db);
    const keys = world ? known.filter(({ eventId }) => eventId === world.eventId) : [];
    for (const demo of keys) if (await isLive(db, demo)) return demo;
    const demo = await db.transaction(async (transaction) => {
      const place = world ?? (await createWorld(transaction));
      return {
        ...place,
        apiKey: await insertKey(transaction, place.organizationId, { name: 'Demo key' }),
      };
    });
    writeFileSync(join(folder, DEMO), JSON.stringify([...known, demo], null, 2), { mode: 0o600 });
    return demo;
  } finally {
    await pool.end();
  }
}

/** The demo worlds of all databases for which this checkout has a key. */
function readDemos(folder: string): Demo[] {
  const file = join(folder, DEMO);
  if (!existsSync(file)) return [];
  // A file of another version counts as empty: the next step creates a key.
  return z.array(Demo).safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? [];
}

type World = Omit<Demo, 'apiKey'>;

/** The demo's organization belongs to the demo's owner. Its race is the oldest one. */
async function findWorld(db: NodePgDatabase): Promise<World | undefined> {
  const [world] = await db
    .select({ organizationId: events.organization_id, eventId: events.id })
    .from(events)
    .innerJoin(organizationMembers, eq(organizationMembers.organization_id, events.organization_id))
    .where(and(eq(organizationMembers.user_id, OWNER), eq(organizationMembers.role, 'owner')))
    .orderBy(events.created_at, events.id)
    .limit(1);
  return world && { ...world, ownerId: OWNER };
}

async function isLive(db: NodePgDatabase, { apiKey, organizationId }: Demo): Promise<boolean> {
  const live = and(
    eq(apiKeys.key_hash, await hashApiKey(apiKey)),
    eq(apiKeys.organization_id, organizationId),
    isNull(apiKeys.revoked_at),
  );
  return (await db.$count(apiKeys, live)) > 0;
}

async function createWorld(db: Writer): Promise<World> {
  const demo = {
    organizationId: crypto.randomUUID(),
    ownerId: OWNER,
    eventId: crypto.randomUUID(),
  };
  const today = Date.now();
  await insertOrganization(db, { id: demo.organizationId, name: 'Club Demo' });
  await insertMember(db, demo.organizationId, 'owner', demo.ownerId);
  await insertEvent(db, demo.organizationId, {
    id: demo.eventId,
    name: 'Media Maratón Demo',
    event_date: new Date(today + 7 * DAY_MS),
    city: 'Villa Ejemplo',
    registration_opens_at: new Date(today - 60 * DAY_MS),
    registration_closes_at: new Date(today + 5 * DAY_MS),
    board_enabled: true,
    board_shows_names: true,
  });
  await insertRunners(db, demo.eventId, RUNNERS);
  return demo;
}

/** Results of all bibs, as timing software exports them. */
function sampleResults(): string {
  const lines = [
    [
      'Dorsal',
      'Estado',
      'Tiempo chip',
      'Tiempo pistola',
      ...SPLITS_KM.map((km) => `Km ${km}`),
    ].join(';'),
  ];
  for (let bib = 1; bib <= RUNNERS; bib++) {
    if (bib % 50 === 0) lines.push(`${bib};DNF;;;${formatRaceTime(bib * 7_919 + 1_200_000)};;`);
    else if (bib % 40 === 0) lines.push(`${bib};DNS;;;;;`);
    else {
      const chipTimeMs = 4_000_000 + ((bib * 7_919_777) % 4_500_000);
      const splits = SPLITS_KM.map((km) => formatRaceTime(Math.round((chipTimeMs * km) / 21)));
      const times = [chipTimeMs, chipTimeMs + bib * 100].map(formatRaceTime);
      lines.push([bib, 'FINISHED', ...times, ...splits].join(';'));
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}
