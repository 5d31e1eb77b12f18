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
  const program = consumer.replace("'./index.ts'", "'race-results-api/client'");
  await writeFile(join(project, 'consumer.ts'), program);
  await writeFile(join(project, 'consumer.cts'), program);
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

test('packs only the client', () => {
  const root = join(project, 'node_modules/race-results-api');
  const paths = globSync('**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const built = paths.filter((path) =>
    /^lib\/(client|commonjs)\/[\w/-]+(\.d\.ts|\.js)$/.test(path),
  );
  expect(paths.filter((path) => !built.includes(path)).sort()).toEqual([
    'README.md',
    'lib/commonjs/package.json',
    'package.json',
  ]);
  for (const folder of ['lib/client', 'lib/commonjs']) {
    expect(built).toContain(`${folder}/index.js`);
    expect(built).toContain(`${folder}/index.d.ts`);
  }
  for (const path of built.filter((path) => path.endsWith('.js'))) {
    const imports = readFileSync(join(root, path), 'utf8');
    expect(imports).not.toMatch(/(from|import|require) ?\(?['"][^.]/);
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

  const CONSUMER = 'consumer.ts';
  const COMMONJS = 'consumer.cts';

  test.each([
    ['a page', CONSUMER, [...DOM, ...BUNDLER]],
    ['a page, strictest', CONSUMER, [...DOM, ...BUNDLER, EXACT]],
    ['a worker', CONSUMER, [...WORKER, ...BUNDLER]],
    ['a worker, strictest', CONSUMER, [...WORKER, ...BUNDLER, EXACT]],
    ['Node', CONSUMER, [...NODE, '--module', 'nodenext']],
    ['Node, strictest', CONSUMER, [...NODE, '--module', 'nodenext', EXACT]],
    ['a CommonJS program', COMMONJS, [...NODE, '--module', 'node16']],
    ['a CommonJS program, strictest', COMMONJS, [...NODE, '--module', 'node16', EXACT]],
    ['a CommonJS bundle', COMMONJS, [...NODE, '--module', 'commonjs', EXACT]],
  ])('has types that compile for %s', async (_, file, options) => {
    const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'es2022'];
    const check = run(TSC, [...strict, ...options, file], { cwd: project });
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
  async function main(baseUrl: string) {
    const client = new RaceResultsClient({ baseUrl, apiKey: 'synthetic' });
    const names: string[] = [];
    for await (const { name } of client.listEvents({ page_size: 1 })) names.push(name);
    const uploads: number[] = [];
    for (const file of [await openAsBlob('results.csv'), createReadStream('results.csv')]) {
      uploads.push((await client.uploadEventResultsFile('id', file)).total_processed);
    }
    const error = await client.getEvent('none').catch((error: unknown) => error);
    const refused = error instanceof ApiError && error.code;
    console.log(JSON.stringify({ names, uploads, refused }));
  }
  void main(process.argv[2] ?? '');
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
          data: [
            {
              ...{ id: 'id', name: `Race ${page}`, event_date: '2026-05-10T07:00:00Z' },
              ...{ status: 'past', city: 'Port Example' },
            },
          ],
          meta: { total: 2, total_pages: 2 },
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
    await writeFile(join(project, 'program.mts'), PROGRAM);
    await writeFile(join(project, 'program.cts'), PROGRAM);
    const types = ['--types', 'node', '--typeRoots', `${ROOT}/node_modules/@types`];
    const options = ['--strict', '--module', 'node16', '--target', 'es2022', ...types];
    await run(TSC, [...options, 'program.mts', 'program.cts'], { cwd: project });
    expect(readFileSync(join(project, 'program.cjs'), 'utf8')).toContain('require(');
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

  test.each(
    nodes().flatMap((node) => ['program.mjs', 'program.cjs'].map((file) => [file, node] as const)),
  )('runs its client in %s on %s', async (file, node) => {
    const { stdout } = await run(node, [file, baseUrl], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({
      names: ['Race 1', 'Race 2'],
      uploads: [1, 1],
      refused: 'NOT_FOUND',
    });
  });
});
