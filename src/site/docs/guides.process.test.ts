import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { lexer } from 'marked';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildDownloads } from '../../dev/build-downloads.ts';
import { DEMO, type Demo, ensureDemo } from '../../dev/stack/demo.ts';
import { listen } from '../../dev/stack/listen.ts';
import { startOwnStack } from '../../testing/runtime/own-stack.ts';
import { startWorkerd } from '../../testing/runtime/workerd.ts';
import { buildSite } from '../build.ts';
import { FACTS } from '../facts.ts';
import { fill } from '../fill.ts';
import { GUIDES, pathOf, SPANISH } from './page.ts';
import { inShell, readRequest } from './request-samples.ts';

const run = promisify(execFile);

let postgresUrl: string;
let served: { origin: string; demo: Demo };
const undo: (() => unknown)[] = [];
const all = mkdtempSync(join(tmpdir(), 'guides-'));
const site = join(all, 'site');
const commands = join(all, 'bin');
/** The working folder of a guide's reader. */
let folder: string;

/** The guides to follow before, where a guide builds on their stored data. */
const BEFORE: Record<string, readonly string[]> = {
  'timing-software': ['live-folder'],
  csv: ['quickstart'],
  results: ['quickstart'],
};

beforeAll(async () => {
  const { stack, stop } = await startOwnStack();
  undo.push(stop);
  ({ postgresUrl } = stack);
  const worker = await startWorkerd(inject('worker').folder, { bindings: stack.workerEnv });
  undo.push(worker.stop);
  served = { origin: worker.origin, demo: await ensureDemo(postgresUrl, join(all, 'demo')) };
  buildSite(site);
  await buildDownloads(site);
  const main = join(import.meta.dirname, '../../cli/main.ts');
  mkdirSync(commands);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(commands, 'race-results'), script, { mode: 0o755 });
}, 120_000);

afterAll(async () => {
  for (const step of undo.reverse()) await step();
  rmSync(all, { recursive: true, force: true });
}, 60_000);

/** Gives the reader of a guide a separate demo event and folder, so that no guide depends on another's success. */
async function begin(slug: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query('delete from organizations where id = $1', [DEMO.organizationId]);
  await client.end();
  folder = mkdtempSync(join(all, `${slug}-`));
  served.demo = await ensureDemo(postgresUrl, folder);
  const first = await ask('/participants?page_size=1');
  const { data } = (await first.json()) as { data: { inscription_id: string }[] };
  for (const name of Object.keys(taken)) delete taken[name];
  taken['ID'] = data[0]?.inscription_id ?? '';
  for (const before of BEFORE[slug] ?? []) await follow(before);
}

/** Follows a guide, without a look at the answers. */
async function follow(slug: string): Promise<void> {
  for (const { language, name, text } of blocksOf(slug)) {
    if (language === 'sh') await paste(text);
    if (language === 'csv') writeFileSync(join(folder, name), `${text}\n`);
  }
}

const ask = (path: string) =>
  fetch(`${served.origin}/public/v1/events/${served.demo.eventId}${path}`, {
    headers: { 'X-API-Key': served.demo.apiKey },
  });

/** The file of the site for a path. */
function open(path: string): string {
  const file = ['', '.html', '/index.html']
    .map((end) => join(site, path + end))
    .find((name) => existsSync(name) && statSync(name).isFile());
  if (file === undefined) throw new Error(`The site has no ${path}.`);
  return readFileSync(file, 'utf8');
}

/** Values of an answer for the reader's next request. */
const taken: Record<string, string> = {};

const environment = (api = served.origin) => ({
  ...process.env,
  ...taken,
  API: api,
  KEY: served.demo.apiKey,
  EVENT: served.demo.eventId,
  RACE_RESULTS_KEY: served.demo.apiKey,
  // The command keeps its user's settings in this folder.
  XDG_CONFIG_HOME: join(folder, 'settings'),
  PATH: [commands, process.env['PATH']].join(delimiter),
});

const guideText = (slug: string): string =>
  fill(readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8'), FACTS);

type Block = { language: string; name: string; text: string };

/** The code blocks of a guide: language, file name and text. */
const blocksOf = (slug: string): Block[] =>
  lexer(guideText(slug)).flatMap((token) => {
    if (token.type !== 'code') return [];
    const [language = '', ...info] = String(token['lang'] ?? '').split(' ');
    const [name, text] = [info.join(' '), String(token['text'])];
    if (language !== 'request') return [{ language, name, text }];
    return [{ language: 'sh', name, text: inShell(readRequest(text, name)) }];
  });

/** Runs commands in a shell with the reader's own key and event. */
async function paste(commands: string): Promise<string> {
  if (commands.includes('$ETAG')) {
    taken['ETAG'] = (await ask('/results?page_size=10')).headers.get('ETag') ?? '';
  }
  const pasted = commands.replace(/^(API|KEY|EVENT)=.*$/gm, '');
  const { stdout } = await run('bash', ['--norc', '-euc', pasted], {
    cwd: folder,
    env: environment(),
  });
  const [, batch] = /"batch_id":"([^"]+)"/.exec(stdout) ?? [];
  if (batch) taken['BATCH'] = batch;
  return stdout;
}

/** Replaces ids and instants, because they differ between runs. */
const steady = (json: string): unknown =>
  JSON.parse(
    json
      .replace(/"[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}"/g, '"<id>"')
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<instant>"'),
  );

const steadyLines = (http: string): string[] =>
  http.split(/\r?\n/).map((line) => line.replace(/\b(r|t)=\d+/g, '$1=<n>'));

/** Each line of a guide is a line of the command's output. */
function expectLines(printed: string, shown: string): void {
  expect(printed.split(/\r?\n/)).toEqual(expect.arrayContaining(shown.split('\n')));
}

describe.each(GUIDES)('the guide $slug', ({ slug }) => {
  const blocks = blocksOf(slug);

  test('has only code blocks of known languages', () => {
    const kinds = new Set(['sh', 'json', 'csv', 'html', 'ts', 'python', 'php', 'http', 'text']);
    expect(blocks.filter(({ language }) => !kinds.has(language))).toEqual([]);
  });

  test('shows the real answers of the API', { timeout: 120_000 }, async () => {
    await begin(slug);
    let answered = '';
    for (const { language, name, text } of blocks) {
      if (language === 'sh') answered = await paste(text);
      if (language === 'csv') writeFileSync(join(folder, name), `${text}\n`);
      if (language === 'text' && name === 'printed') expectLines(answered, text);
      if (language === 'json' && name !== 'example') expect(steady(answered)).toEqual(steady(text));
      if (language === 'http' && name !== 'example') {
        expect(steadyLines(answered)).toEqual(expect.arrayContaining(steadyLines(text)));
      }
    }
  });
});

test('has no broken link on any page', () => {
  const checked: string[] = [];
  for (const from of [
    '/docs',
    ...SPANISH.map((slug) => pathOf(`es/${slug}`)),
    '/docs/reference',
    ...GUIDES.map(({ slug }) => `/docs/${slug}`),
  ]) {
    for (const [, href = ''] of open(from).matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (href.startsWith('https://')) continue;
      const [path = '', anchor] = href.split('#');
      const html = open(path || from);
      if (anchor) expect(html, `${from} → ${href}`).toContain(` id="${anchor}"`);
      checked.push(href);
    }
  }
  expect(checked).toContain('/docs/live-timing#what-to-do-with-failed');
  expect(checked).toContain('/openapi.json');
  const llms = open('/llms.txt');
  const links = [...llms.matchAll(/\]\((\/[^)]+)\)/g)].map(([, href = '']) => href);
  expect(links).toHaveLength(GUIDES.length + 2);
  for (const href of links) open(href);
});

test('serves the package and the command with their checksums', async () => {
  await begin('client');
  const download = (name: string) => readFileSync(join(site, 'downloads', name));
  const sums = String(download('SHA256SUMS')).trim().split('\n');
  const [client, command] = ['race-results-api.tgz', 'race-results.cjs'];
  expect(sums.map((line) => line.split('  ')[1])).toEqual([client, command]);
  for (const line of sums) {
    const [digest, name = ''] = line.split('  ');
    const content = download(name);
    expect(createHash('sha256').update(content).digest('hex')).toBe(digest);
    writeFileSync(join(folder, name), content);
  }
  const { stdout } = await run(process.execPath, [command, '--help'], { cwd: folder });
  expect(stdout).toContain('race-results');
  // As the guide says: the lock file names the file in the repository, and not an address whose file changes.
  const install = blocksOf('client').find(({ text }) => text.includes('npm install'))?.text ?? '';
  await paste(`export npm_config_cache=cache npm_config_audit=false npm_config_fund=false
    curl() { test "$*" = "-fO $API/downloads/${client}"; }
    ${install}
    rm -r node_modules && npm ci`);
  expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toContain(`file:${client}`);
  expect(existsSync(join(folder, 'node_modules/race-results-api/lib/client/index.js'))).toBe(true);
});

test('finds every part of every guide in the search index', () => {
  const entries: [string, string, string, string][] = JSON.parse(open('/docs/search.json'));
  const hrefs = entries.map(([href]) => href);
  expect(new Set(hrefs).size).toBe(hrefs.length);
  for (const { slug } of GUIDES) {
    const html = open(`/docs/${slug}`);
    const anchors = [...html.matchAll(/<h[2-6] id="([^"]+)"/g)].map(([, id]) => `#${id}`);
    const expected = ['', ...anchors].map((anchor) => `/docs/${slug}${anchor}`);
    expect(hrefs.filter((href) => href.split('#')[0] === `/docs/${slug}`)).toEqual(expected);
  }
});

test('lists every public operation in the changelog', () => {
  const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
    open('/openapi.json'),
  );
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/public/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => [method.toUpperCase(), path]));
  expect(operations.length).toBeGreaterThan(6);
  const changelog = guideText('changelog');
  for (const operation of operations) {
    expect(changelog).toContain(`\`${operation.join(' ')}\``);
  }
});

describe('the errors guide', () => {
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
    ['columns of a CSV', '1100', 400, () => csv(`bib,time,${columns(1_099)}\n1,\n`)],
    ['characters of a column', '100', 400, () => csv(`bib,time,${'x'.repeat(101)}\n1,\n`)],
    ['`page_size`', '1 to 100', 400, () => list('page_size=101')],
    ['`page`', 'from 1', 400, () => list('page=0')],
  ])('states the true limit: %s', async (what, limit, status, exceed) => {
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

/** Saves a program of a guide. The program imports the client from this repository. */
function save(slug: string, at: number, name: string): void {
  const programs = blocksOf(slug).filter(({ language }) => language === 'ts');
  const client = join(import.meta.dirname, '../../client/index.ts');
  const text = programs[at]?.text.replace('race-results-api/client', client) ?? '';
  writeFileSync(join(folder, name), text);
}

/** Runs a program of TypeScript. Node strips the types. */
const runProgram = (program: string, api?: string) =>
  run(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', '--input-type=module', '--eval', program],
    { cwd: folder, env: environment(api) },
  );

test('has programs that tsc accepts', async () => {
  await begin('client');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const programs = GUIDES.flatMap(({ slug }) =>
    blocksOf(slug)
      .filter(({ language }) => language === 'ts')
      .map((_, at) => ({ slug, at, name: `${slug}-${at}.ts` })),
  );
  expect(programs.length).toBeGreaterThan(3);
  for (const { slug, at, name } of programs) save(slug, at, name);
  const modules = join(import.meta.dirname, '../../../node_modules');
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
  const node = ['--types', 'node', '--typeRoots', join(modules, '@types')];
  const form = ['--target', 'es2022', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const names = programs.map(({ name }) => name);
  const said = await run(join(modules, '.bin/tsc'), [...strict, ...node, ...form, ...names], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(said).toBe('');
});

test('runs the program of the client guide', async () => {
  await begin('client');
  save('client', 0, 'client.ts');
  writeFileSync(join(folder, 'results.csv'), 'bib,time\n17,1:28:03\n');
  const { stdout } = await runProgram("await import('./client.ts');");
  expect(stdout).toMatch(/^1 event\(s\); the latest is .+\n\d+ participants have a bib\n/);
  expect(stdout).toContain('3 999 ');
  expect(stdout).toContain('1 rows of the file');
});

test('makes the copy of the CRM guide equal to the list of participants', async () => {
  await begin('crm');
  await follow('crm');
  save('crm', 0, 'crm.ts');
  const driver = `
    import { sync } from './crm.ts';
    const contacts = new Map([['cancelled', { inscription_id: 'cancelled' }]]);
    await sync(process.env.EVENT, contacts);
    console.log(JSON.stringify([...contacts.keys()]));
  `;
  const { stdout } = await runProgram(driver);
  const ids: unknown = JSON.parse(stdout);
  expect(ids).toHaveLength(276);
  const lines = readFileSync(join(folder, 'participants.csv'), 'utf8').trim().split('\r\n');
  expect(ids).toEqual(lines.slice(1).map((line) => line.split(',', 1)[0]));
});

test('delivers every row with the live timing client over a bad network', async () => {
  await begin('live-timing');
  save('live-timing', 0, 'live.ts');
  const relay = await startBadRelay(served.origin);
  try {
    const { stdout } = await runProgram(DRIVER, relay.origin);
    const reports = JSON.parse(stdout) as { bib_number: string }[][];
    expect(reports.map((failed) => failed.map(({ bib_number }) => bib_number))).toEqual([
      ['8888'],
      [],
      [],
    ]);
    // No answer, then half an answer to a stored upload, then 503. Each attempt sends equal rows.
    expect(relay.uploads.map((rows) => rows.map((row) => Object.values(row).join(' ')))).toEqual([
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00', '8888 01:50:01'],
      ['51 01:50:00.5', '52 01:50:07'],
      ['53 DNF'],
    ]);
  } finally {
    await relay.stop();
  }
});

const DRIVER = `
  import { arrived, send } from './live.ts';
  const reports = [];
  arrived({ bib_number: '51', chip_time: '01:50:00' });
  arrived({ bib_number: '8888', chip_time: '01:50:01' });
  const first = send();
  arrived({ bib_number: '51', chip_time: '01:50:00.5' });
  arrived({ bib_number: '52', chip_time: '01:50:07' });
  reports.push(await first);
  reports.push(await send());
  arrived({ bib_number: '53', status: 'DNF' });
  reports.push(await send());
  console.log(JSON.stringify(reports));
`;

/** Starts a relay to the API. The relay loses a request, then half an answer, then answers 503, then works. */
async function startBadRelay(to: string) {
  const uploads: Record<string, string>[][] = [];
  const pass = async (url: string, body: Buffer, headers: Record<string, string>) =>
    fetch(to + url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { results } = JSON.parse(body.toString()) as { results: Record<string, string>[] };
    const turn = uploads.push(results);
    if (turn === 1) return void request.socket.destroy();
    if (turn === 3) return void response.writeHead(503, { 'Retry-After': '1' }).end();
    const answer = await pass(request.url ?? '', body, {
      Authorization: String(request.headers.authorization),
      'Idempotency-Key': String(request.headers['idempotency-key']),
    });
    const text = await answer.text();
    if (turn === 2) {
      response.writeHead(200, { 'Content-Length': text.length }).write(text.slice(0, 20));
      setTimeout(() => request.socket.destroy(), 50);
      return;
    }
    response.writeHead(answer.status).end(text);
  }
  const server = createServer((request, response) => void relay(request, response));
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    uploads,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
