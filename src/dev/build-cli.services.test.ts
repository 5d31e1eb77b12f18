import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { lexer } from 'marked';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { digestOf } from '../cli/own-files.ts';
import { RaceResultsClient } from '../client/index.ts';
import { type RunningApi, startApi } from '../testing/runtime/api.ts';
import { buildCli, FUSE, NODE_FILE, SYSTEMS } from './build-cli.ts';

const run = promisify(execFile);
const GUIDE = join(import.meta.dirname, '../site/docs/guides/live-folder.md');

const folder = mkdtempSync(join(tmpdir(), 'build-cli-'));
let api: RunningApi;
beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
  await buildCli(folder);
}, 300_000);
afterAll(async () => {
  await api?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder of a race with the bibs of the guide. */
async function startingRace() {
  const race = await api.createRace(0, { distance: '21K' });
  for (const bib of ['61', '62', '63']) await race.register(bib);
  const cwd = mkdtempSync(join(tmpdir(), 'race-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const env = {
    ...process.env,
    API: api.origin,
    EVENT: race.eventId,
    RACE_RESULTS_KEY: race.apiKey,
    XDG_CONFIG_HOME: join(cwd, 'settings'),
  };
  return { race, cwd, env };
}

test('writes checksums of all files', () => {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map((line) => line.split('  ')[1])).toContain(NODE_FILE);
  for (const [sum = '', name = ''] of sums.map((line) => line.split('  '))) {
    expect(sum.startsWith(digestOf(readFileSync(join(folder, name))))).toBe(true);
  }
});

test('makes a file for Node that goes through the whole guide', async () => {
  const { race, cwd, env } = await startingRace();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(folder, NODE_FILE)}" "$@"\n`;
  writeFileSync(join(bin, 'race-results'), script, { mode: 0o755 });
  const path = [bin, '/usr/bin', '/bin'].join(delimiter);
  for (const token of lexer(readFileSync(GUIDE, 'utf8'))) {
    if (token.type !== 'code') continue;
    const [language, name] = String(token['lang'] ?? '').split(' ');
    if (name !== undefined && name !== 'printed')
      writeFileSync(join(cwd, name), `${token['text']}\n`);
    if (language !== 'sh') continue;
    await run('bash', ['--norc', '-euc', String(token['text'])], {
      cwd,
      env: { ...env, PATH: path },
    });
  }
  const client = new RaceResultsClient({ baseUrl: api.origin, apiKey: race.apiKey });
  const batches = await client.listResultBatches(race.eventId);
  expect(batches.data[0]?.source).toBe('revert');
  expect(batches.data.at(-1)).toMatchObject({ file_name: 'finish.csv', uploaded: 3 });
});

test('makes a program for Windows that carries the command', () => {
  const [{ program: name }] = SYSTEMS;
  const program = readFileSync(join(folder, name));
  expect(program.toString('latin1', 0, 2)).toBe('MZ');
  // Node looks for a program inside its file once the digit behind the fuse is 1.
  expect(program.includes(`${FUSE}:1`)).toBe(true);
  expect(program.includes(readFileSync(join(folder, NODE_FILE)))).toBe(true);
});
