import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Subrequest } from '../replay.ts';

/** Both subrequests of getEvent, with `{key_hash}` and `{event_id}` where these belong. */
type Bindings = { NEON: string; UPSTASH: string };
type NeonAnswer = { results: { fields: { name: string }[]; rows: (string | null)[][] }[] };

const PATH = /^\/public\/v1\/events\/([^/]+)$/;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const KEY = /^er_live_[0-9A-Za-z]{38}$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const NEON_BUDGET_MS = 30_000;
const UPSTASH_BUDGET_MS = 1_000;

let neon: Subrequest | undefined;
let upstash: Subrequest | undefined;

/**
 * getEvent by hand, without any library: as little code as gives the same answers. Beside the API it leaves
 * out only what no measured request needs: other routes, retries, a database that is read-only, a Redis
 * that has not seen the script, and the memory of refused keys.
 */
export default {
  async fetch(request, { NEON, UPSTASH }) {
    neon ??= JSON.parse(NEON) as Subrequest;
    upstash ??= JSON.parse(UPSTASH) as Subrequest;
    const call = startCall(request);
    try {
      return await getEvent(call, request, neon, upstash);
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', message: String(error) }));
      return refuse(
        call,
        503,
        'SERVICE_UNAVAILABLE',
        'The database cannot do this now. Try again.',
      );
    }
  },
} satisfies ExportedHandler<Bindings>;

type Call = ReturnType<typeof startCall>;

function startCall(request: Request) {
  const sentId = request.headers.get('X-Request-Id');
  const isUsable = sentId && sentId.length <= 255 && !/[^\w\-=]/.test(sentId);
  return {
    requestId: isUsable ? sentId : crypto.randomUUID(),
    method: request.method,
    startedAt: Date.now(),
    keyId: undefined as string | undefined,
    trips: 0,
    remaining: 120,
    resetSeconds: 60,
  };
}

async function getEvent(
  call: Call,
  request: Request,
  neon: Subrequest,
  upstash: Subrequest,
): Promise<Response> {
  const eventId = PATH.exec(new URL(request.url).pathname)?.[1];
  if (request.method !== 'GET' || eventId === undefined) {
    return refuse(call, 404, 'NOT_FOUND', 'No operation has this method and path.');
  }
  const key = presentedKey(request.headers);
  if (!key) {
    return unauthorized(
      call,
      'Send an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    );
  }
  if (!isWellFormed(key)) {
    return unauthorized(call, 'The API key is malformed: a part of it is missing or mistyped.');
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const keyHash = Buffer.from(digest).toString('hex');

  call.trips = 1;
  const [verdict, rows] = await Promise.all([
    countRequest(upstash, keyHash),
    queryEvent(neon, keyHash, UUID.test(eventId) ? eventId : NIL_UUID),
  ]);
  call.remaining = verdict.remaining;
  call.resetSeconds = verdict.resetSeconds;
  if (!rows.key) {
    return unauthorized(call, 'The API key does not exist, has expired or was revoked.');
  }
  call.keyId = rows.key.id;
  if (!verdict.isAdmitted) {
    return answer(
      call,
      429,
      { detail: 'The API key has used up its requests for this minute.', code: 'RATE_LIMITED' },
      { 'Retry-After': String(verdict.resetSeconds) },
    );
  }
  if (!rows.key.isPermitted) {
    return refuse(call, 403, 'INSUFFICIENT_SCOPE', 'The API key lacks the scope events:read.');
  }
  if (!rows.event) return refuse(call, 404, 'NOT_FOUND', 'This event does not exist.');
  return answer(call, 200, eventOf(rows.event));
}

function presentedKey(headers: Headers): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(headers.get('Authorization') ?? '')?.[1];
  if (token?.startsWith('er_live_')) return token;
  return headers.get('X-API-Key')?.trim() || token;
}

function isWellFormed(key: string): boolean {
  if (!KEY.test(key)) return false;
  let rest = crc32(key.slice(0, -6));
  let checksum = '';
  while (checksum.length < 6) {
    checksum = ALPHABET.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum === key.slice(-6);
}

/** If Redis does not answer, the request is admitted. */
async function countRequest({ url, headers, body }: Subrequest, keyHash: string) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: body.replace('{key_hash}', keyHash),
      signal: AbortSignal.timeout(UPSTASH_BUDGET_MS),
    });
    const { result }: { result: [number, number, number] } = await response.json();
    const [admitted, remaining, resetUs] = result;
    const resetSeconds = Math.max(1, Math.ceil(resetUs / 1_000_000));
    return { isAdmitted: admitted === 1, remaining, resetSeconds };
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', message: String(error) }));
    return { isAdmitted: true, remaining: 120, resetSeconds: 60 };
  }
}

async function queryEvent({ url, headers, body }: Subrequest, keyHash: string, eventId: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: body.replaceAll('{key_hash}', keyHash).replace('{event_id}', eventId),
    signal: AbortSignal.timeout(NEON_BUDGET_MS),
  });
  if (!response.ok) throw new Error(`The database answered ${response.status}.`);
  const { results }: NeonAnswer = await response.json();
  const [keys, events] = results;
  if (!keys || !events) throw new Error('The database answered other queries.');
  const [key] = keys.rows;
  const [event] = events.rows;
  return {
    key: key && { id: key[0] ?? '', isPermitted: key[1] === 't' },
    event:
      event && Object.fromEntries(events.fields.map(({ name }, at) => [name, event[at] ?? null])),
  };
}

function eventOf(row: Record<string, string | null>) {
  const eventDate = new Date(row['event_date'] ?? '');
  return {
    id: row['id'],
    name: row['name'],
    event_date: eventDate.toISOString(),
    status: statusOf(row, eventDate),
    city: row['city'],
  };
}

function statusOf(row: Record<string, string | null>, eventDate: Date): string {
  const now = new Date();
  const { registration_opens_at: opensAt, registration_closes_at: closesAt } = row;
  if (row['is_active'] !== 't') return 'inactive';
  if (eventDate < now) return 'past';
  if (opensAt && now < new Date(opensAt)) return 'scheduled';
  if (closesAt && now > new Date(closesAt)) return 'closed';
  return 'open';
}

const unauthorized = (call: Call, detail: string): Response =>
  answer(call, 401, { detail, code: 'UNAUTHORIZED' }, { 'WWW-Authenticate': 'Bearer' });

const refuse = (call: Call, status: number, code: string, detail: string): Response =>
  answer(call, status, { detail, code });

function answer(
  call: Call,
  status: number,
  body: unknown,
  more: Record<string, string> = {},
): Response {
  console.log(
    JSON.stringify({
      level: 'info',
      request_id: call.requestId,
      method: call.method,
      route: '/public/v1/events/:event_id',
      status,
      ms: Date.now() - call.startedAt,
      key_id: call.keyId,
      trips: call.trips,
    }),
  );
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
      'X-Request-Id': call.requestId,
      'RateLimit-Policy': '"per-key";q=120;w=60',
      RateLimit: `"per-key";r=${call.remaining};t=${call.resetSeconds}`,
      ...more,
    },
  });
}
