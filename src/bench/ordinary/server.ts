// An engineer writes this much of the contract in an afternoon, with the usual packages: getEvent, a page of participants
// and an upload of JSON. The server runs in a folder with packages of its own, so it imports nothing of this project.
import { createHash, randomUUID } from 'node:crypto';
import { and, asc, count, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
// biome-ignore lint/correctness/noUndeclaredDependencies: the bench installs it beside this file.
import Fastify, { LogController, type Request } from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { z } from 'zod';

const { DATABASE_URL = '', REDIS_URL = '' } = process.env;
const WINDOW_MS = 60_000;
const REQUESTS_MAX = 120;
const USED_EVERY_MS = 60_000;
const ROWS_MAX = 5_000;
const CHUNK_ROWS = 1_000;
const BODY_MAX = 8 * 1_024 * 1_024;

const instant = () => timestamp({ withTimezone: true });

const apiKeys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  organization_id: uuid().notNull(),
  key_hash: text().notNull(),
  scopes: text().array().notNull(),
  last_used_at: instant(),
  expires_at: instant(),
  revoked_at: instant(),
});

const events = pgTable('events', {
  id: uuid().primaryKey(),
  organization_id: uuid().notNull(),
  name: text().notNull(),
  event_date: instant().notNull(),
  city: text().notNull(),
  registration_opens_at: instant(),
  registration_closes_at: instant(),
  is_active: boolean().notNull(),
});

const registrations = pgTable('registrations', {
  id: uuid().primaryKey(),
  event_id: uuid().notNull(),
  given_names: text(),
  surnames: text(),
  document: text(),
  email: text(),
  mobile_phone: text(),
  bib_number: text(),
  distance: text(),
  category: text(),
  kit_status: text(),
  gender: text(),
  status: text().notNull(),
  registered_at: instant(),
  chip: text(),
});

const uploads = pgTable('ordinary_uploads', {
  id: uuid().primaryKey(),
  event_id: uuid().notNull(),
  api_key_id: uuid().notNull(),
  total_processed: integer().notNull(),
  uploaded: integer().notNull(),
  updated: integer().notNull(),
  not_found: integer().notNull(),
  errors: integer().notNull(),
  duplicates: integer().notNull(),
  received_at: instant().notNull().defaultNow(),
});

const results = pgTable('ordinary_results', {
  registration_id: uuid().primaryKey(),
  event_id: uuid().notNull(),
  upload_id: uuid().notNull(),
  status: text().notNull(),
  chip_time_ms: integer(),
  gun_time_ms: integer(),
  splits: jsonb().notNull(),
  position_overall: integer(),
  position_gender: integer(),
  position_category: integer(),
  updated_at: instant().notNull().defaultNow(),
});

const TABLES = `
  create table ordinary_uploads (
    id uuid primary key, event_id uuid not null references events on delete cascade,
    api_key_id uuid not null references api_keys on delete cascade, total_processed int not null, uploaded int not null,
    updated int not null, not_found int not null, errors int not null, duplicates int not null,
    received_at timestamptz not null default now()
  );
  create table ordinary_results (
    registration_id uuid primary key references registrations on delete cascade,
    event_id uuid not null references events on delete cascade,
    upload_id uuid not null references ordinary_uploads on delete cascade, status text not null, chip_time_ms int,
    gun_time_ms int, splits jsonb not null, position_overall int, position_gender int, position_category int,
    updated_at timestamptz not null default now()
  );
  create index ordinary_results_by_event on ordinary_results (event_id, chip_time_ms)`;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
await pool.query(TABLES);
const db = drizzle(pool);
const redis = new Redis(REDIS_URL);

class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const notFound = () => new ApiError(404, 'NOT_FOUND', 'The event does not exist.');

async function callerOf(request: Request, scope: string) {
  const sent = request.headers['x-api-key'];
  const keyHash = createHash('sha256').update(String(sent)).digest('hex');
  const [key] = await db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.key_hash, keyHash),
        isNull(apiKeys.revoked_at),
        or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, new Date())),
      ),
    );
  if (!key) throw new ApiError(401, 'UNAUTHORIZED', 'The API key is not valid.');
  await admit(key.id);
  if (!key.scopes.includes(scope)) throw new ApiError(403, 'FORBIDDEN', `It needs ${scope}.`);
  if (Date.now() - (key.last_used_at?.getTime() ?? 0) > USED_EVERY_MS) {
    db.update(apiKeys)
      .set({ last_used_at: new Date() })
      .where(eq(apiKeys.id, key.id))
      .catch((error) => app.log.error(error));
  }
  return key;
}

/** A sliding window as a sorted set of requests. */
async function admit(keyId: string): Promise<void> {
  const name = `ordinary:${keyId}`;
  const now = Date.now();
  const answers = await redis
    .multi()
    .zremrangebyscore(name, 0, now - WINDOW_MS)
    .zcard(name)
    .zadd(name, now, `${now} ${randomUUID()}`)
    .pexpire(name, WINDOW_MS)
    .exec();
  if (Number(answers?.[1]?.[1]) >= REQUESTS_MAX)
    throw new ApiError(429, 'RATE_LIMITED', 'Too many requests.');
}

async function eventOf(caller: typeof apiKeys.$inferSelect, id: string) {
  const [event] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.organization_id, caller.organization_id)));
  if (!event) throw notFound();
  return event;
}

function statusOf(event: typeof events.$inferSelect): string {
  const now = new Date();
  if (!event.is_active) return 'inactive';
  if (event.event_date < now) return 'past';
  if (event.registration_opens_at && now < event.registration_opens_at) return 'scheduled';
  if (event.registration_closes_at && now > event.registration_closes_at) return 'closed';
  return 'open';
}

const Path = z.object({ event_id: z.uuid() });
const Page = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});
const Time = z
  .string()
  .trim()
  .regex(/^(\d{1,3}:[0-5]\d:[0-5]\d|\d{1,2}:[0-5]\d)([.,]\d{1,3})?$/);
const Row = z.object({
  bib_number: z.union([z.string(), z.number().int().transform(String)]),
  chip_time: Time.nullish(),
  gun_time: Time.nullish(),
  status: z.enum(['FINISHED', 'DNF', 'DNS', 'DSQ']).default('FINISHED'),
  splits: z.record(z.string(), Time).nullish(),
});
const Upload = z.object({ results: z.array(z.unknown()).max(ROWS_MAX) });

function msOf(time: string): number {
  const [clock = '', fraction = ''] = time.replace(',', '.').split('.');
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1_000 + Number(fraction.padEnd(3, '0'));
}
const msOrNull = (time: string | null | undefined) => (time ? msOf(time) : null);

const app = Fastify({
  logger: true,
  // One line for each request, as the API logs.
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: BODY_MAX,
});

app.addHook('onSend', async (request, reply, body) => {
  if (request.method !== 'GET' || reply.statusCode !== 200) return body;
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] !== etag) return body;
  reply.code(304);
  return '';
});
app.addHook('onResponse', async (request, reply) => {
  const { method, url, id } = request;
  app.log.info({ id, method, url, status: reply.statusCode, ms: reply.elapsedTime });
});
app.setErrorHandler((error, _request, reply) => {
  const ofRequest = error instanceof z.ZodError ? 400 : (error.statusCode ?? 500);
  const status = error instanceof ApiError ? error.status : ofRequest;
  if (status >= 500) app.log.error(error);
  const code = error instanceof ApiError ? error.code : 'VALIDATION_ERROR';
  reply.code(status).send({ error: { code, message: error.message } });
});

app.get('/public/v1/events/:event_id', async (request) => {
  const caller = await callerOf(request, 'events:read');
  const event = await eventOf(caller, Path.parse(request.params).event_id);
  const { id, name, event_date, city } = event;
  return { id, name, event_date, city, status: statusOf(event) };
});

app.get('/public/v1/events/:event_id/participants', async (request) => {
  const caller = await callerOf(request, 'participants:read');
  const { page, page_size } = Page.parse(request.query);
  const event = await eventOf(caller, Path.parse(request.params).event_id);
  const where = and(eq(registrations.event_id, event.id), eq(registrations.status, 'PAID'));
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(registrations).where(where),
    db
      .select()
      .from(registrations)
      .where(where)
      .orderBy(asc(registrations.registered_at), asc(registrations.id))
      .limit(page_size)
      .offset((page - 1) * page_size),
  ]);
  const total = counted?.total ?? 0;
  const data = rows.map(({ id, event_id: _, ...row }) => ({ inscription_id: id, ...row }));
  return { data, meta: { page, page_size, total, total_pages: Math.ceil(total / page_size) } };
});

app.post('/public/v1/events/:event_id/results', async (request) => {
  const caller = await callerOf(request, 'results:write');
  const event = await eventOf(caller, Path.parse(request.params).event_id);
  const { results: sent } = Upload.parse(request.body);
  const failed: object[] = [];
  const valid = new Map<string, z.output<typeof Row> & { row: number; item: unknown }>();
  let duplicates = 0;
  for (const [at, item] of sent.entries()) {
    const read = Row.safeParse(item);
    const hasTime = read.success && Boolean(read.data.chip_time || read.data.gun_time);
    if (!read.success || (read.data.status === 'FINISHED' && !hasTime)) {
      const reason = read.success ? 'A FINISHED row needs a time.' : read.error.message;
      failed.push({ row: at + 1, reason, reason_code: 'invalid_row', item });
      continue;
    }
    const bib = read.data.bib_number.trim();
    if (valid.has(bib)) duplicates += 1;
    valid.set(bib, { row: at + 1, item, ...read.data });
  }
  const errors = failed.length;
  const batchId = randomUUID();
  const counts = await db.transaction(async (tx) => {
    const found = await tx
      .select({ id: registrations.id, bib: registrations.bib_number })
      .from(registrations)
      .where(
        and(
          eq(registrations.event_id, event.id),
          inArray(registrations.bib_number, [...valid.keys()]),
        ),
      );
    const idOf = new Map(found.map(({ id, bib }) => [bib, id]));
    for (const [bib, { row, item }] of valid) {
      const reason = `No registration of this event has the bib number "${bib}".`;
      if (!idOf.has(bib))
        failed.push({ row, bib_number: bib, reason, reason_code: 'unknown_bib', item });
    }
    const [known] = await tx
      .select({ stored: count() })
      .from(results)
      .where(inArray(results.registration_id, [...idOf.values()]));
    const stored = known?.stored ?? 0;
    const counts = {
      total_processed: sent.length,
      uploaded: idOf.size - stored,
      updated: stored,
      not_found: valid.size - idOf.size,
      errors,
      duplicates,
    };
    await tx
      .insert(uploads)
      .values({ id: batchId, event_id: event.id, api_key_id: caller.id, ...counts });
    const rows = [...valid].flatMap(([bib, row]) => {
      const registration_id = idOf.get(bib);
      const splits = Object.entries(row.splits ?? {}).map(([name, time]) => [name, msOf(time)]);
      return registration_id === undefined
        ? []
        : {
            registration_id,
            event_id: event.id,
            upload_id: batchId,
            status: row.status,
            chip_time_ms: msOrNull(row.chip_time),
            gun_time_ms: msOrNull(row.gun_time),
            splits: Object.fromEntries(splits),
          };
    });
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      await tx
        .insert(results)
        .values(rows.slice(from, from + CHUNK_ROWS))
        .onConflictDoUpdate({
          target: results.registration_id,
          set: {
            upload_id: sql`excluded.upload_id`,
            status: sql`excluded.status`,
            chip_time_ms: sql`excluded.chip_time_ms`,
            gun_time_ms: sql`excluded.gun_time_ms`,
            splits: sql`excluded.splits`,
            updated_at: sql`now()`,
          },
        });
    }
    await tx.execute(recount(event.id));
    return counts;
  });
  const names = [...valid.values()].flatMap(({ splits }) => Object.keys(splits ?? {}));
  return { batch_id: batchId, ...counts, splits_detected: [...new Set(names)], failed };
});

/** Numbers the finishers of an event anew. */
const recount = (eventId: string) => sql`
  update ordinary_results set position_overall = ranked.overall, position_gender = ranked.of_gender,
    position_category = ranked.of_category
  from (
    select registration_id,
      rank() over (partition by distance order by ms) as overall,
      rank() over (partition by distance, gender order by ms) as of_gender,
      rank() over (partition by distance, category order by ms) as of_category
    from (
      select registration_id, coalesce(chip_time_ms, gun_time_ms) as ms
      from ordinary_results where event_id = ${eventId} and status = 'FINISHED'
    ) finishers join registrations on registrations.id = registration_id
  ) ranked
  where ordinary_results.registration_id = ranked.registration_id`;

process.send?.({ origin: await app.listen({ host: '127.0.0.1', port: 0 }) });
