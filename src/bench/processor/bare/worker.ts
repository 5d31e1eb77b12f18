import { createHash } from 'node:crypto';
import type { Subrequest } from '../replay.ts';

let subrequests: Subrequest[] | undefined;

type Bindings = { SUBREQUESTS: string; ANSWER: string };

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'RateLimit-Policy': '"per-key";q=120;w=60',
  RateLimit: '"per-key";r=119;t=60',
};

const BUDGET_MS = 8_000;

/**
 * The floor of a read. The floor sends the API's subrequests, each with a deadline, and parses their answers. The floor
 * hashes the key, notices a lost client, logs a line, and answers a fixed text with the API's headers.
 */
export default {
  async fetch(request, { SUBREQUESTS, ANSWER }) {
    const startedAt = Date.now();
    const leave = () => {};
    request.signal.addEventListener('abort', leave);
    const key = request.headers.get('X-API-Key') ?? '';
    const hash = createHash('sha256').update(key).digest('hex');
    subrequests ??= JSON.parse(SUBREQUESTS) as Subrequest[];
    await Promise.all(subrequests.map(send));
    request.signal.removeEventListener('abort', leave);
    const ms = Date.now() - startedAt;
    const { method, url } = request;
    console.log(JSON.stringify({ level: 'info', method, route: url, key: hash, status: 200, ms }));
    const headers = { ...HEADERS, 'X-Request-Id': crypto.randomUUID() };
    return new Response(ANSWER, { headers });
  },
} satisfies ExportedHandler<Bindings>;

async function send({ url, headers, body }: Subrequest): Promise<unknown> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), BUDGET_MS);
  try {
    const { signal } = deadline;
    const answer = await fetch(url, { method: 'POST', headers, body, signal });
    return await answer.json();
  } finally {
    clearTimeout(timer);
  }
}
