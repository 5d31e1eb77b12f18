import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage } from '../dev/package.ts';
import { listen } from '../dev/stack/listen.ts';
import { bundleCommand } from '../site/command.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

let project: string;

/** A project that contains only the package. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'consumer-'));
  const tarball = await packPackage(project);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', ...quiet, tarball], { cwd: project });
  const consumer = readFileSync(join(import.meta.dirname, 'consumer.ts'), 'utf8');
  await writeFile(
    join(project, 'consumer.ts'),
    consumer.replace("'./index.ts'", "'race-results-api/client'"),
  );
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

test('packs only the client', () => {
  const root = join(project, 'node_modules/race-results-api');
  const paths = globSync('**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const built = paths.filter((path) => /^lib\/client\/[\w/-]+(\.d\.ts|\.js)$/.test(path));
  expect(paths.filter((path) => !built.includes(path)).sort()).toEqual([
    'README.md',
    'package.json',
  ]);
  expect(built).toContain('lib/client/index.js');
  expect(built).toContain('lib/client/index.d.ts');
  for (const path of built.filter((path) => path.endsWith('.js'))) {
    const imports = readFileSync(join(root, path), 'utf8');
    expect(imports).not.toMatch(/(from|import) ?\(?'[^.]/);
  }
});

test('installs nothing but the package', () => {
  const installed = readdirSync(join(project, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['race-results-api']);
});

describe('the package', () => {
  const DOM = ['--lib', 'es2022,dom,dom.iterable', '--types', ''];
  const WORKER = ['--lib', 'es2022,webworker', '--types', ''];
  const NODE = ['--lib', 'es2022', '--types', 'node', '--typeRoots', `${ROOT}/node_modules/@types`];
  const EXACT = '--exactOptionalPropertyTypes';
  const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler'];

  test.each([
    ['a page', [...DOM, ...BUNDLER]],
    ['a page, strictest', [...DOM, ...BUNDLER, EXACT]],
    ['a worker', [...WORKER, ...BUNDLER]],
    ['a worker, strictest', [...WORKER, ...BUNDLER, EXACT]],
    ['Node', [...NODE, '--module', 'nodenext']],
    ['Node, strictest', [...NODE, '--module', 'nodenext', EXACT]],
  ])('has types that compile for %s', async (_, options) => {
    const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'es2022'];
    const check = run(TSC, [...strict, ...options, 'consumer.ts'], { cwd: project });
    const told = await check.then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(told).toBe('');
  });
});

/** Every Node on the PATH and the one that runs this test. */
function nodes(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'node')).filter(existsSync);
  return [...new Set([process.execPath, ...found].map((path) => realpathSync(path)))];
}

const PROGRAM = `
  import { createReadStream, openAsBlob } from 'node:fs';
  import { ApiError, RaceResultsClient } from 'race-results-api/client';
  const client = new RaceResultsClient({ baseUrl: process.argv[2], apiKey: 'synthetic' });
  const names = [];
  for await (const { name } of client.listEvents({ page_size: 1 })) names.push(name);
  const uploads = [];
  for (const file of [await openAsBlob('results.csv'), createReadStream('results.csv')]) {
    uploads.push((await client.uploadEventResultsFile('id', file)).total_processed);
  }
  const error = await client.getEvent('none').catch((error) => error);
  console.log(JSON.stringify({ names, uploads, refused: error instanceof ApiError && error.code }));
`;

describe('the installed package', () => {
  let api: Server;
  let baseUrl: string;
  beforeAll(async () => {
    api = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece;
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://api.test');
      const page = Number(searchParams.get('page'));
      const known: Record<string, object> = {
        '/public/v1/events': {
          data: [{ name: `Race ${page}`, event_date: '2026-05-10T07:00:00Z' }],
          meta: { total_pages: 2 },
        },
        '/public/v1/events/id/results/file': {
          total_processed: body.split('41:50').length - 1,
        },
      };
      const answer = known[pathname];
      response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? { code: 'NOT_FOUND', detail: 'Nothing.' }));
    });
    baseUrl = `http://127.0.0.1:${await listen(api)}`;
    await writeFile(join(project, 'program.js'), PROGRAM);
    await writeFile(join(project, 'results.csv'), 'bib,time\n17,41:50\n');
  });
  afterAll(() => {
    api.closeAllConnections();
    api.close();
  });

  test.each(nodes())('is what the command runs with on %s', async (node) => {
    const command = join(project, 'race-results.cjs');
    bundleCommand(command);
    const settings = { XDG_CONFIG_HOME: await mkdtemp(join(project, 'settings-')) };
    const env = { ...settings, RACE_RESULTS_API: baseUrl, RACE_RESULTS_KEY: 'synthetic' };
    const listed = run(node, [command, 'setup'], { cwd: project, env });
    await expect(listed).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Race 0'),
    });
  });

  test.each(nodes())('runs its client on %s', async (node) => {
    const { stdout } = await run(node, ['program.js', baseUrl], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({
      names: ['Race 1', 'Race 2'],
      uploads: [1, 1],
      refused: 'NOT_FOUND',
    });
  });
});
