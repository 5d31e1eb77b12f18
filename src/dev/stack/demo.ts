import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as z from 'zod';
import { formatRaceTime } from '../../timing-files/race-time.ts';
import { hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import {
  apiKeys,
  events,
  organizationMembers,
  persons,
  registrations,
} from '../../worker/db/schema.ts';
import { insertEvent, insertKey, insertMember, insertOrganization, type Writer } from './seed.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEMO = 'demo.json';
const OWNER = 'demo-owner';
/** The file of results beside the demo's own. */
export const SAMPLE_RESULTS = 'results.csv';
const RUNNERS = 300;
const SPLITS_KM = [5, 10, 15];

const GIVEN_NAMES = ['Ada', 'Bruno', 'Carla', 'Dario', 'Elena', 'Fabio', 'Greta', 'Hugo', 'Irene'];
const SURNAMES = ['Ejemplo', 'Muestra', 'Prueba', 'Modelo', 'Ensayo', 'Ficticio', 'Sintético'];
const CATEGORIES = ['18-29', '30-39', '40-49', '50-59', '60+'];
const DISTANCES = ['10K', '21K'];
const GENDERS = ['F', 'M', 'X'];

export const Demo = z.object({
  organizationId: z.guid(),
  ownerId: z.string(),
  eventId: z.guid(),
  apiKey: z.string(),
});

export type Demo = z.infer<typeof Demo>;

/**
 * The demo world of this database: an organization with an owner, a key of every scope, and a race with
 * registrations. A database gets one, on its first run. A key cannot be read back from a database, so
 * `folder` keeps the keys that this checkout made, beside a CSV of results to upload; a checkout that has
 * none of this database makes one more.
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

/** The demo worlds whose keys this checkout made, each in a database of its own. */
function readDemos(folder: string): Demo[] {
  const file = join(folder, DEMO);
  if (!existsSync(file)) return [];
  // What an earlier version of this file says is not worth an error: a key is made again.
  return z.array(Demo).safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? [];
}

type World = Omit<Demo, 'apiKey'>;

/** The demo's organization is that of its owner, and its race the one that it was made with. */
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
  const runners = Array.from({ length: RUNNERS }, (_, index) => runner(index + 1));
  await db.insert(persons).values(runners.map(({ person }) => person));
  await db.insert(registrations).values(
    runners.map(({ person, registration }, index) => ({
      ...person,
      ...registration,
      id: crypto.randomUUID(),
      event_id: demo.eventId,
      person_id: person.id,
      registered_at: new Date(today - 30 * DAY_MS + index * 60_000),
    })),
  );
  return demo;
}

/** Bib n; most are paid and have collected their kit, a few are pending or cancelled. */
function runner(bib: number) {
  return {
    person: {
      id: crypto.randomUUID(),
      given_names: cycle(GIVEN_NAMES, bib),
      surnames: `${cycle(SURNAMES, bib)} ${cycle(SURNAMES, Math.floor(bib / 7) + 1)}`,
      document: String(90_000_000 + bib),
      email: `runner${bib}@example.org`,
      mobile_phone: `+000 555 ${String(bib).padStart(4, '0')}`,
      gender: cycle(GENDERS, bib),
    },
    registration: {
      status: statusOf(bib),
      bib_number: String(bib),
      chip: `CHIP${String(bib).padStart(5, '0')}`,
      distance: cycle(DISTANCES, bib),
      category: cycle(CATEGORIES, bib),
      kit_status: bib % 3 === 0 ? ('READY' as const) : ('DELIVERED' as const),
    },
  };
}

function statusOf(bib: number): 'PAID' | 'PENDING' | 'CANCELLED' {
  if (bib % 25 === 0) return 'CANCELLED';
  return bib % 20 === 0 ? 'PENDING' : 'PAID';
}

/** A finish for nearly every bib, as timing software exports it. */
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

const cycle = (values: readonly string[], index: number): string =>
  values[index % values.length] ?? '';
