import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDownloads, checkReleased, KEPT, keepPackages } from './build-downloads.ts';
import { listen } from './stack/listen.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
const kept = join(folder, 'kept');
const project = join(folder, 'project');
const CLIENT = 'race-results-api-0.1.0.tgz';

let deployed = 0;
/** The folder of the latest deployment. */
const site = () => join(folder, `site-${deployed}`);
async function deploy(version: string): Promise<void> {
  deployed += 1;
  await buildDownloads(site(), version, kept);
}

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const redirects = readFileSync(join(site(), '_redirects'), 'utf8').split('\n');
    const to = redirects.find((line) => line.startsWith(`${path} `))?.split(' ')[1];
    if (to) response.writeHead(302, { Location: to }).end();
    else if (existsSync(join(site(), path))) response.end(readFileSync(join(site(), path)));
    else response.writeHead(404).end();
  });
  origin = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const npm = (...words: string[]) =>
  run('npm', [...words, '--no-audit', '--no-fund', '--cache', join(folder, `cache-${deployed}`)], {
    cwd: project,
  });
const installed = (): string =>
  JSON.parse(readFileSync(join(project, 'node_modules/race-results-api/package.json'), 'utf8'))
    .version;

test('npm ci finds a released client at its address after the next release', async () => {
  await keepPackages('0.1.0', kept);
  await deploy('0.1.0');
  await run('mkdir', [project]);
  writeFileSync(join(project, 'package.json'), '{"private": true}');
  await npm('install', `${origin}/downloads/${CLIENT}`);
  expect(installed()).toBe('0.1.0');
  const command = readFileSync(join(site(), 'downloads/race-results-0.1.0.cjs'));

  await keepPackages('0.2.0', kept);
  await deploy('0.2.0');
  rmSync(join(project, 'node_modules'), { recursive: true });
  await npm('ci');
  expect(installed()).toBe('0.1.0');
  expect(readFileSync(join(site(), 'downloads/race-results-0.1.0.cjs')).equals(command)).toBe(true);

  await npm('install', `${origin}/downloads/race-results-api.tgz`);
  expect(installed()).toBe('0.2.0');
}, 120_000);

test('serves the present version before its release, beside the released ones, and says that it is not released', async () => {
  await deploy('0.3.0');
  const sums = readFileSync(join(site(), 'downloads/SHA256SUMS'), 'utf8');
  for (const version of ['0.1.0', '0.2.0', '0.3.0']) {
    expect(sums).toContain(`race-results-api-${version}.tgz`);
    expect(sums).toContain(`race-results-${version}.cjs`);
  }
  await checkReleased('0.2.0', kept);
  await expect(checkReleased('0.3.0', kept)).rejects.toThrow('0.3.0 is not released');
}, 60_000);

test('refuses to release a version twice, and to serve a released file that has changed or is gone', async () => {
  await expect(keepPackages('0.1.0', kept)).rejects.toThrow('Version 0.1.0 is released');
  const file = join(kept, CLIENT);
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]));
  await expect(deploy('0.2.0')).rejects.toThrow('is not the released one');
  rmSync(file);
  await expect(deploy('0.2.0')).rejects.toThrow('is not the released one');
  writeFileSync(file, bytes);
  await deploy('0.2.0');
}, 60_000);

test('keeps the released files as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  await buildDownloads(folder, undefined, KEPT);
  rmSync(folder, { recursive: true });
}, 60_000);
