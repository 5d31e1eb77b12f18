import { parseArgs } from 'node:util';
import * as z from 'zod';
import { generateApiKey } from '../../worker/auth/api-key/api-key.ts';
import { isLocal, reasonOf } from '../stack/listen.ts';
import { ifStarted } from '../stack/script.ts';

const ALL_MS = 60_000;
const REQUEST_MS = 15_000;

const Events = z.object({ data: z.array(z.object({ id: z.guid() })).min(1) });
const Registrations = z.object({ data: z.array(z.object({ bib_number: z.string().nullable() })) });
const Upload = z.object({ batch_id: z.guid(), uploaded: z.int(), updated: z.int() });
const Result = z.looseObject({ chip_time: z.string().nullable() });

type Options = {
  /** The address of the API. */
  api: string;
  /** A key of every scope, of a test organization whose first event has a runner and an open board. */
  key: string;
  /** The version that has to answer. Its requests say so, which works for a version at 0 %. */
  version?: string | undefined;
  /** The name of the Worker of that version. */
  worker?: string | undefined;
};

/**
 * Asks a deployed API what its users ask, in less than a minute. It uploads one result and takes it back.
 * @param report receives a line for each check that passed
 * @throws Error that names the first check that failed, and what was answered
 */
export async function smoke(options: Options, report: (line: string) => void): Promise<void> {
  const deadline = AbortSignal.timeout(ALL_MS);
  const origin = options.api.replace(/\/+$/, '');
  const override =
    options.version === undefined
      ? {}
      : { 'Cloudflare-Workers-Version-Overrides': `${options.worker}="${options.version}"` };

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(REQUEST_MS)]);
    const headers = { ...override, ...init.headers };
    return fetch(`${origin}${path}`, { ...init, headers, signal });
  }
  const withKey = (path: string, init: RequestInit = {}) =>
    ask(path, { ...init, headers: { 'X-API-Key': options.key } });

  async function check<Value>(name: string, attempt: () => Promise<Value>): Promise<Value> {
    const startedAt = Date.now();
    try {
      const value = await attempt();
      report(`${name} (${Date.now() - startedAt} ms)`);
      return value;
    } catch (error) {
      throw new Error(`${name}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** @throws Error with the beginning of the answer */
  async function expectStatus(answer: Promise<Response>, status: number): Promise<Response> {
    const response = await answer;
    if (response.status === status) return response;
    const text = await response.text();
    throw new Error(`answered ${response.status}, not ${status}: ${text.slice(0, 200)}`);
  }
  const read = async <Schema extends z.ZodType>(schema: Schema, answer: Promise<Response>) =>
    schema.parse(await (await expectStatus(answer, 200)).json());

  await check('the Worker runs', async () => {
    const response = await expectStatus(ask('/healthz'), 200);
    const version = response.headers.get('X-Worker-Version');
    if (options.version !== undefined && version !== options.version) {
      throw new Error(`version ${version} answered, not ${options.version}`);
    }
  });
  await check('Postgres and Redis answer', () => expectStatus(ask('/readyz'), 200));
  await check('the documentation is there', () => expectStatus(ask('/docs'), 200));
  await check('the API document is there', () => expectStatus(ask('/openapi.json'), 200));
  await check('a dead key is refused', () =>
    expectStatus(ask('/public/v1/events', { headers: { 'X-API-Key': generateApiKey() } }), 401),
  );
  const eventId = await check('the key lists its events', async () => {
    const { data } = await read(Events, withKey('/public/v1/events?page_size=1'));
    return data[0]?.id ?? '';
  });
  const event = `/public/v1/events/${eventId}`;
  await check('the limit is in the headers', async () => {
    const { headers } = await expectStatus(withKey(event), 200);
    if (!/r=\d+/.test(headers.get('RateLimit') ?? '')) throw new Error('no RateLimit header');
  });
  const bib = await check('the event has a runner with a bib', async () => {
    const { data } = await read(Registrations, withKey(`${event}/participants?page_size=100`));
    const found = data.find(({ bib_number }) => bib_number !== null)?.bib_number;
    if (!found) throw new Error('none of its first participants has one');
    return found;
  });
  await check('the figures are counted', () => expectStatus(withKey(`${event}/stats`), 200));
  await check('the results are listed', () => expectStatus(withKey(`${event}/results`), 200));

  const resultOf = async () => {
    const response = await withKey(`${event}/results/${encodeURIComponent(bib)}`);
    if (response.status === 404) return null;
    return read(Result, Promise.resolve(response));
  };
  const before = await check('the result of a bib is read', resultOf);
  const sent = `Bib;Time\n${bib};01:00:${before?.chip_time === '01:00:01.000' ? '02' : '01'}\n`;
  const file = () => {
    const body = new FormData();
    body.set('file', new File([sent], 'smoke.csv'));
    return body;
  };
  await check('a file is previewed', () =>
    expectStatus(withKey(`${event}/results/file/preview`, { method: 'POST', body: file() }), 200),
  );
  const batch = await check('a result is uploaded', async () => {
    const upload = withKey(`${event}/results/file`, { method: 'POST', body: file() });
    const { batch_id, uploaded, updated } = await read(Upload, upload);
    if (uploaded + updated !== 1) throw new Error(`${uploaded} uploaded, ${updated} updated`);
    return batch_id;
  });
  await check('the upload is taken back', async () => {
    const path = `${event}/result-batches/${batch}/revert`;
    await expectStatus(withKey(path, { method: 'POST' }), 200);
    const after = await resultOf();
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      throw new Error(`the result of bib ${bib} is ${JSON.stringify(after)}`);
    }
  });
  await check('the board is served by the cache', async () => {
    const first = await expectStatus(ask(`/board/${eventId}/data`), 200);
    const second = await expectStatus(ask(`/board/${eventId}/data`), 200);
    const [miss, hit] = [first, second].map(({ headers }) => headers.get('CF-Cache-Status'));
    // Workers Cache runs at Cloudflare alone: `wrangler dev` has none.
    if (hit !== 'HIT' && !isLocal(origin)) throw new Error(`${miss}, then ${hit}, not HIT`);
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      api: { type: 'string' },
      key: { type: 'string' },
      version: { type: 'string' },
      worker: { type: 'string' },
    },
  });
  const { api, key = process.env['SMOKE_KEY'] } = values;
  if (api === undefined || !key) {
    throw new Error('Usage: npm run smoke -- --api URL --key KEY. SMOKE_KEY may hold the key.');
  }
  await smoke({ ...values, api, key }, (line) => console.log(`ok  ${line}`));
}

ifStarted(import.meta.filename, main);
