import { parseArgs } from 'node:util';
import { ApiError, RaceResultsClient } from '../../client/index.ts';
import { generateApiKey } from '../../worker/auth/api-key/api-key.ts';
import { isLocal, reasonOf } from '../stack/listen.ts';
import { ifStarted } from '../stack/script.ts';
import { TEST_EVENT, TEST_RUNNER } from './test-event.ts';

const ALL_MS = 60_000;
const REQUEST_MS = 15_000;

type Options = {
  /** The address of the API. */
  api: string;
  /** The key that `npm run bootstrap -- --test-event` printed. */
  key: string;
  /** The version that has to answer. Its requests say so, which works for a version at 0 %. */
  version?: string | undefined;
  /** The name of the Worker of that version. */
  worker?: string | undefined;
};

/**
 * Asks a deployed API what its users ask, in less than a minute. It uploads one result to the test event and takes it
 * back. Without that event it uploads nothing.
 * @param report receives a line for each check that passed
 * @throws Error that names the first check that failed, and what was answered
 */
export async function smoke(options: Options, report: (line: string) => void): Promise<void> {
  const deadline = AbortSignal.timeout(ALL_MS);
  const origin = options.api.replace(/\/+$/, '');
  const send = (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (options.version !== undefined) {
      const override = `${options.worker}="${options.version}"`;
      headers.set('Cloudflare-Workers-Version-Overrides', override);
    }
    const signals = [deadline, AbortSignal.timeout(REQUEST_MS), init.signal ?? deadline];
    return fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
  };
  const client = new RaceResultsClient({
    baseUrl: origin,
    apiKey: options.key,
    header: 'X-API-Key',
    maxAttempts: 1,
    fetch: send,
  });

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
  async function expectStatus(status: number, path: string, key?: string): Promise<Headers> {
    const response = await send(`${origin}${path}`, key ? { headers: { 'X-API-Key': key } } : {});
    const text = await response.text();
    if (response.status === status) return response.headers;
    throw new Error(`answered ${response.status}, not ${status}: ${text.slice(0, 200)}`);
  }

  await check('the Worker runs', async () => {
    const version = (await expectStatus(200, '/healthz')).get('X-Worker-Version');
    if (options.version !== undefined && version !== options.version) {
      throw new Error(`version ${version} answered, not ${options.version}`);
    }
  });
  await check('Postgres and Redis answer', () => expectStatus(200, '/readyz'));
  await check('the documentation is there', () => expectStatus(200, '/docs'));
  await check('the API document is there', () => expectStatus(200, '/openapi.json'));
  await check('a dead key is refused', () =>
    expectStatus(401, '/public/v1/events', generateApiKey()),
  );
  const event = await check('the key lists its test event', async () => {
    const { data } = await client.listEvents({ page_size: 100 });
    const found = data.find(({ name }) => name === TEST_EVENT);
    if (found) return found.id;
    throw new Error(
      `none of its ${data.length} events is called "${TEST_EVENT}". Use the key that \`npm run bootstrap -- --test-event\` printed`,
    );
  });
  await check('the limit is in the headers', async () => {
    const headers = await expectStatus(200, `/public/v1/events/${event}`, options.key);
    if (!/r=\d+/.test(headers.get('RateLimit') ?? '')) throw new Error('no RateLimit header');
  });
  await check('the event has its test runner', async () => {
    const { data } = await client.listEventParticipants(event, { page_size: 100 });
    const isThere = data.some(
      ({ bib_number, given_names }) =>
        bib_number === TEST_RUNNER.bib_number && given_names === TEST_RUNNER.given_names,
    );
    if (!isThere) throw new Error(`${JSON.stringify(TEST_RUNNER)} is not among its participants`);
  });
  await check('the figures are counted', () => client.getEventStats(event));
  await check('the results are listed', async () => client.listEventResults(event));

  const bib = TEST_RUNNER.bib_number;
  const resultOf = () =>
    client.getEventResult(event, bib).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
  const before = await check('the result of a bib is read', resultOf);
  const time = before?.chip_time === '01:00:01.000' ? '01:00:02' : '01:00:01';
  const file = new File([`Bib;Time\n${bib};${time}\n`], 'smoke.csv');
  await check('a file is previewed', () => client.previewEventResultsFile(event, file));
  const batch = await check('a result is uploaded', async () => {
    const { batch_id, uploaded, updated } = await client.uploadEventResultsFile(event, file);
    if (uploaded + updated !== 1) throw new Error(`${uploaded} uploaded, ${updated} updated`);
    return batch_id;
  });
  await check('the upload is taken back', async () => {
    await client.revertResultBatch(event, batch);
    const after = await resultOf();
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      throw new Error(`the result of bib ${bib} is ${JSON.stringify(after)}`);
    }
  });
  await check('the board is served by the cache', async () => {
    const miss = await expectStatus(200, `/board/${event}/data`);
    const hit = await expectStatus(200, `/board/${event}/data`);
    const [first, second] = [miss, hit].map((headers) => headers.get('CF-Cache-Status'));
    // Workers Cache runs at Cloudflare alone: `wrangler dev` has none.
    if (second !== 'HIT' && !isLocal(origin)) throw new Error(`${first}, then ${second}, not HIT`);
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
