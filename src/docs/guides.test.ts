import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { lexer } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../local/listen.ts';
import { type ServedPanel, servePanel } from '../panel/served.ts';
import { FACTS } from './build.ts';
import { fill } from './guide.ts';
import { GUIDES } from './page.ts';

const run = promisify(execFile);

let served: ServedPanel;
/** Where a reader works: files of one guide are there in the next. */
const folder = mkdtempSync(join(tmpdir(), 'guides-'));

beforeAll(async () => {
  served = await servePanel();
}, 120_000);

afterAll(async () => {
  await served?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const environment = (api = served.origin) => ({
  ...process.env,
  API: api,
  KEY: served.demo.apiKey,
  EVENT: served.demo.eventId,
});

const guideText = (slug: string): string =>
  fill(readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8'), FACTS);

type Block = { language: string; name: string; text: string };

/** The fenced blocks of a guide: language, the name of the file it is to be saved as, text. */
const blocksOf = (slug: string): Block[] =>
  lexer(guideText(slug)).flatMap((token) => {
    if (token.type !== 'code') return [];
    const [language = '', name = ''] = String(token['lang'] ?? '').split(' ');
    return [{ language, name, text: String(token['text']) }];
  });

/** Pasted into a shell that has the reader's own key and event. */
async function paste(commands: string): Promise<string> {
  const pasted = commands.replace(/^(API|KEY|EVENT)=.*$/gm, '');
  const { stdout } = await run('bash', ['--norc', '-euc', pasted], {
    cwd: folder,
    env: environment(),
  });
  return stdout;
}

/** Ids and instants differ from run to run, and nothing else does. */
const steady = (json: string): unknown =>
  JSON.parse(
    json
      .replace(/"[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}"/g, '"<id>"')
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<instant>"'),
  );

const steadyLines = (http: string): string[] =>
  http.split(/\r?\n/).map((line) => line.replace(/\b(r|t)=\d+/g, '$1=<n>'));

describe.each(GUIDES)('the guide $slug', ({ slug }) => {
  const blocks = blocksOf(slug);

  test('has blocks of known kinds alone', () => {
    const kinds = new Set(['sh', 'json', 'csv', 'js', 'http']);
    expect(blocks.filter(({ language }) => !kinds.has(language))).toEqual([]);
  });

  test('shows what the API answers', async () => {
    let answered = '';
    for (const { language, name, text } of blocks) {
      if (language === 'sh') answered = await paste(text);
      if (language === 'csv') writeFileSync(join(folder, name), `${text}\n`);
      if (language === 'json') expect(steady(answered)).toEqual(steady(text));
      if (language === 'http' && name !== 'example') {
        expect(steadyLines(answered)).toEqual(expect.arrayContaining(steadyLines(text)));
      }
    }
  });
});

test('every link of every page leads somewhere', async () => {
  const pages = new Map<string, string>();
  const open = async (path: string): Promise<string> => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const answer = await fetch(served.origin + path);
    expect(answer.status, path).toBe(200);
    const html = await answer.text();
    pages.set(path, html);
    return html;
  };
  const checked: string[] = [];
  for (const from of ['/docs', ...GUIDES.map(({ slug }) => `/docs/${slug}`)]) {
    for (const [, href = ''] of (await open(from)).matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (href.startsWith('https://')) continue;
      const [path = '', anchor] = href.split('#');
      const html = await open(path || from);
      if (anchor) expect(html, `${from} → ${href}`).toContain(` id="${anchor}"`);
      checked.push(href);
    }
  }
  expect(checked).toContain('/docs/live-timing#what-to-do-with-failed');
  expect(checked).toContain('/openapi.json');
});

test('the changelog has every public operation', async () => {
  const { paths } = (await (await fetch(`${served.origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/public/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => [method.toUpperCase(), path]));
  expect(operations.length).toBeGreaterThan(6);
  const changelog = guideText('changelog');
  for (const operation of operations) {
    expect(changelog).toContain(`\`${operation.join(' ')}\``);
  }
});

describe('a limit', () => {
  const upload = (init: RequestInit, path = '') =>
    fetch(`${served.origin}/public/v1/events/${served.demo.eventId}/results${path}`, {
      method: 'POST',
      ...init,
      headers: { 'X-API-Key': served.demo.apiKey, ...init.headers },
    });
  const json = (body: string) => upload({ body, headers: { 'Content-Type': 'application/json' } });
  const csv = (text: string) => {
    const body = new FormData();
    body.set('file', new Blob([text]));
    return upload({ body }, '/file');
  };
  const list = (query: string) =>
    fetch(`${served.origin}/public/v1/events?${query}`, {
      headers: { 'X-API-Key': served.demo.apiKey },
    });
  const MIB = 1_024 * 1_024;
  const columns = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join();

  test.each<[string, string, number, () => Promise<Response>]>([
    ['rows of a JSON upload', '5000', 400, () => json(`{"results": [${'0,'.repeat(5_000)}0]}`)],
    ['rows of a CSV upload', '100 000', 400, () => csv(`bib,time\n${'1,\n'.repeat(100_001)}`)],
    ['body of a JSON upload', '8 MiB', 413, () => json(' '.repeat(8 * MIB + 1))],
    ['body of a CSV upload', '16 MiB', 413, () => csv(' '.repeat(16 * MIB))],
    ['columns of a CSV', '200', 400, () => csv(`bib,time,${columns(199)}\n1,\n`)],
    ['characters of a column', '100', 400, () => csv(`bib,time,${'x'.repeat(101)}\n1,\n`)],
    ['`page_size`', '1 to 100', 400, () => list('page_size=101')],
    ['`page`', 'from 1', 400, () => list('page=0')],
  ])('is as the guide says: %s', async (what, limit, status, exceed) => {
    const row = guideText('errors')
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(what));
    expect(row?.replaceAll('\u202f', ' ')).toContain(limit);
    expect(row).toContain(`\`${status}\``);
    const answer = await exceed();
    expect(answer.status).toBe(status);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toContain(limit.replace('100 000', '100000'));
  });
});

test('the client of live timing outlives a bad network', async () => {
  const [client] = blocksOf('live-timing').filter(({ language }) => language === 'js');
  writeFileSync(join(folder, 'live.mjs'), client?.text ?? '');
  const relay = await startBadRelay(served.origin);
  try {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', DRIVER], {
      cwd: folder,
      env: environment(relay.origin),
    });
    const reports = JSON.parse(stdout) as { bib_number: string }[][];
    // No answer, half an answer of an upload that was stored, 503; then all of it, newest rows.
    expect(reports.map((failed) => failed.map(({ bib_number }) => bib_number))).toEqual([
      [],
      [],
      [],
      ['8888'],
      [],
    ]);
    expect(relay.uploads.map((rows) => rows.map((row) => Object.values(row).join(' ')))).toEqual([
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00.5', '8888 01:50:01', '52 01:50:07'],
      ['51 01:50:00.5', '8888 01:50:01', '52 01:50:07'],
      ['53 DNF'],
    ]);
  } finally {
    await relay.stop();
  }
});

const DRIVER = `
  import { arrived, send } from './live.mjs';
  const reports = [];
  arrived({ bib_number: '51', chip_time: '01:50:00' });
  arrived({ bib_number: '8888', chip_time: '01:50:01' });
  reports.push(await send());
  reports.push(await send());
  arrived({ bib_number: '51', chip_time: '01:50:00.5' });
  arrived({ bib_number: '52', chip_time: '01:50:07' });
  reports.push(await send());
  reports.push(await send());
  arrived({ bib_number: '53', status: 'DNF' });
  reports.push(await send());
  console.log(JSON.stringify(reports));
`;

/** What stands between a race and the API: it loses a request, an answer, has none, then gets well. */
async function startBadRelay(to: string) {
  const uploads: Record<string, string>[][] = [];
  const pass = async (url: string, body: Buffer, key: string) =>
    fetch(to + url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    });
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { results } = JSON.parse(body.toString()) as { results: Record<string, string>[] };
    const turn = uploads.push(results);
    if (turn === 1) return void request.socket.destroy();
    if (turn === 3) return void response.writeHead(503, { 'Retry-After': '1' }).end();
    const answer = await pass(request.url ?? '', body, String(request.headers['x-api-key']));
    const text = await answer.text();
    if (turn === 2) {
      response.writeHead(200, { 'Content-Length': text.length }).write(text.slice(0, 20));
      setTimeout(() => request.socket.destroy(), 50);
      return;
    }
    response.writeHead(answer.status).end(text);
  }
  const server = createServer((request, response) => void relay(request, response));
  const port = await listen(server, 0, 'the relay');
  return {
    origin: `http://127.0.0.1:${port}`,
    uploads,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
