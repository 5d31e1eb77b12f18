import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as z from 'zod';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../caller/api-key.ts';
import {
  apiKeys,
  events,
  organizationMembers,
  organizations,
  persons,
  registrations,
} from '../db/schema.ts';
import { formatRaceTime } from '../results/race-time.ts';
import { SCOPES } from '../scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEMO = 'demo.json';
/** The file of results beside the demo's own. */
export const SAMPLE_RESULTS = 'results.csv';
const RUNNERS = 300;
const SPLITS_KM = [5, 10, 15];

const GIVEN_NAMES = ['Ada', 'Bruno', 'Carla', 'Dario', 'Elena', 'Fabio', 'Greta', 'Hugo', 'Irene'];
const SURNAMES = ['Ejemplo', 'Muestra', 'Prueba', 'Modelo', 'Ensayo', 'Ficticio', 'Sintético'];
const CATEGORIES = ['18-29', '30-39', '40-49', '50-59', '60+'];
const DISTANCES = ['10K', '21K'];
const GENDERS = ['F', 'M', 'X'];

const Demo = z.object({
  organizationId: z.guid(),
  ownerId: z.string(),
  eventId: z.guid(),
  apiKey: z.string(),
});

export type Demo = z.infer<typeof Demo>;

/**
 * The demo world: an organization with an owner, a key of every scope, and a race with registrations.
 * Made on the first run; what a later run must print again is kept in `folder`, beside a CSV of
 * results to upload.
 */
export async function ensureDemo(databaseUrl: string, folder: string): Promise<Demo> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = drizzle(pool);
  try {
    const known = readDemo(folder);
    if (known && (await isLive(db, known.apiKey))) return known;
    const demo = await db.transaction(createDemo);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, DEMO), JSON.stringify(demo, null, 2), { mode: 0o600 });
    writeFileSync(join(folder, SAMPLE_RESULTS), sampleResults());
    return demo;
  } finally {
    await pool.end();
  }
}

/** The demo that `npm run dev` made, if it ever ran. */
export function readDemo(folder: string): Demo | undefined {
  const file = join(folder, DEMO);
  return existsSync(file) ? Demo.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

async function isLive(db: NodePgDatabase, apiKey: string): Promise<boolean> {
  const hash = await hashApiKey(apiKey);
  const keys = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.key_hash, hash), isNull(apiKeys.revoked_at)));
  return keys.length > 0;
}

async function createDemo(db: Pick<NodePgDatabase, 'insert'>): Promise<Demo> {
  const demo: Demo = {
    organizationId: crypto.randomUUID(),
    ownerId: 'demo-owner',
    eventId: crypto.randomUUID(),
    apiKey: generateApiKey(),
  };
  const today = Date.now();
  await db.insert(organizations).values({ id: demo.organizationId, name: 'Club Demo' });
  await db
    .insert(organizationMembers)
    .values({ organization_id: demo.organizationId, user_id: demo.ownerId, role: 'owner' });
  await db.insert(apiKeys).values({
    organization_id: demo.organizationId,
    name: 'Demo key',
    key_prefix: apiKeyPrefix(demo.apiKey),
    key_hash: await hashApiKey(demo.apiKey),
    scopes: [...SCOPES],
  });
  await db.insert(events).values({
    id: demo.eventId,
    organization_id: demo.organizationId,
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
