import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { and, count, eq, sql } from 'drizzle-orm';
import type { NeonHttpDatabase } from 'drizzle-orm/neon-http';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { openDatabase } from '../../testing/database.ts';
import { parseRaceTime } from '../../timing-files/race-time.ts';
import { hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { apiKeys, events, registrations, resultBatches, results } from '../../worker/db/schema.ts';
import { toEvent } from '../../worker/events/event.ts';
import { toParticipant } from '../../worker/participants/participant.ts';
import { ResultsUploadIn } from '../../worker/results/upload/schemas.ts';
import type { Scope } from '../../worker/scopes.ts';
import type { RaceRow } from '../files.ts';

type Bindings = {
  DATABASE_URL: string;
  UPSTASH_REDIS_REST_URL: string;
  UPSTASH_REDIS_REST_TOKEN: string;
};
type Key = typeof apiKeys.$inferSelect;
type Env = { Bindings: Bindings; Variables: { db: NeonHttpDatabase; key: Key } };

const LAST_USED_EVERY_MS = 60_000;
const PAGE_SIZE = 100;

let ratelimit: Ratelimit | undefined;

/** As the documentation of @upstash/ratelimit shows it. */
const limiterOf = ({ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }: Bindings) =>
  new Ratelimit({
    redis: new Redis({ url, token }),
    limiter: Ratelimit.slidingWindow(120, '60 s'),
    prefix: 'conventional',
  });

/**
 * Three operations of the API as they are usually built: each step asks for what the next one needs, and
 * waits for it. The API's own schema, drivers and mapping are used, so that only the design differs.
 */
const app = new Hono<Env>();

app.use(async (c, next) => {
  const db = openDatabase(c.env.DATABASE_URL);
  const sent = c.req.header('X-API-Key') ?? '';
  const [key] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.key_hash, await hashApiKey(sent)));
  const now = new Date();
  if (!key || key.revoked_at || (key.expires_at && key.expires_at < now)) {
    throw new HTTPException(401);
  }
  ratelimit ??= limiterOf(c.env);
  const { success, pending } = await ratelimit.limit(key.id);
  c.executionCtx.waitUntil(pending);
  if (!success) throw new HTTPException(429);
  if (!key.last_used_at || now.getTime() - key.last_used_at.getTime() > LAST_USED_EVERY_MS) {
    // The answer does not wait for this write.
    c.executionCtx.waitUntil(
      db.update(apiKeys).set({ last_used_at: now }).where(eq(apiKeys.id, key.id)),
    );
  }
  c.set('db', db);
  c.set('key', key);
  await next();
});

async function findEvent(db: NeonHttpDatabase, key: Key, scope: Scope, eventId: string) {
  if (!key.scopes.includes(scope)) throw new HTTPException(403);
  const [event] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, eventId), eq(events.organization_id, key.organization_id)));
  if (!event) throw new HTTPException(404);
  return event;
}

app.get('/public/v1/events/:id', async (c) => {
  const { db, key } = c.var;
  const event = await findEvent(db, key, 'events:read', c.req.param('id'));
  return c.json(toEvent(event, new Date()));
});

app.get('/public/v1/events/:id/participants', async (c) => {
  const { db, key } = c.var;
  const page = Number(c.req.query('page') ?? 1);
  const event = await findEvent(db, key, 'participants:read', c.req.param('id'));
  const paid = and(eq(registrations.event_id, event.id), eq(registrations.status, 'PAID'));
  const [{ total } = { total: 0 }] = await db
    .select({ total: count() })
    .from(registrations)
    .where(paid);
  const rows = await db
    .select()
    .from(registrations)
    .where(paid)
    .orderBy(registrations.registered_at, registrations.id)
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const meta = { page, page_size: PAGE_SIZE, total, total_pages: Math.ceil(total / PAGE_SIZE) };
  return c.json({ data: rows.map(toParticipant), meta });
});

/** Row by row, without a transaction: one over HTTP cannot look at an answer before its next statement. */
app.post('/public/v1/events/:id/results', async (c) => {
  const { db, key } = c.var;
  const event = await findEvent(db, key, 'results:write', c.req.param('id'));
  const { results: rows } = ResultsUploadIn.parse(await c.req.json());
  const batchId = crypto.randomUUID();
  const counts = { uploaded: 0, updated: 0, not_found: 0, errors: 0, duplicates: 0 };
  await db.insert(resultBatches).values({
    ...{ id: batchId, event_id: event.id, api_key_id: key.id, source: 'json' },
    ...{ total_processed: 0, ...counts },
  });
  const seen = new Set<string>();
  for (const row of rows as RaceRow[]) {
    if (seen.has(row.bib_number)) counts.duplicates += 1;
    else counts[await storeRow(db, event.id, batchId, row)] += 1;
    seen.add(row.bib_number);
  }
  await db
    .update(resultBatches)
    .set({ total_processed: rows.length, ...counts })
    .where(eq(resultBatches.id, batchId));
  return c.json({ batch_id: batchId, total_processed: rows.length, ...counts });
});

type Outcome = 'uploaded' | 'updated' | 'not_found' | 'errors';

async function storeRow(
  db: NeonHttpDatabase,
  eventId: string,
  batchId: string,
  { bib_number, chip_time, gun_time, splits }: RaceRow,
): Promise<Outcome> {
  const result = {
    batch_id: batchId,
    status: 'FINISHED' as const,
    chip_time_ms: parseRaceTime(chip_time) ?? null,
    gun_time_ms: parseRaceTime(gun_time) ?? null,
    splits: Object.fromEntries(
      Object.entries(splits).map(([name, time]) => [name, parseRaceTime(time) ?? 0]),
    ),
    updated_at: new Date(),
  };
  if (result.chip_time_ms === null || result.gun_time_ms === null) return 'errors';
  const [registration] = await db
    .select({ id: registrations.id })
    .from(registrations)
    .where(and(eq(registrations.event_id, eventId), eq(registrations.bib_number, bib_number)));
  if (!registration) return 'not_found';
  const [stored] = await db
    .insert(results)
    .values({ registration_id: registration.id, event_id: eventId, ...result })
    .onConflictDoUpdate({ target: results.registration_id, set: result })
    .returning({ isNew: sql<boolean>`xmax = 0` });
  return stored?.isNew ? 'uploaded' : 'updated';
}

export default app;
