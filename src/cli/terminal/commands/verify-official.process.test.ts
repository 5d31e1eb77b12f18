import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PanelClient, RaceResultsClient, type ResultIn } from '../../../client/index.ts';
import { newSigningKeys } from '../../../dev/stack/signing-keys.ts';
import { type Race, type RunningApi, startApi } from '../../../testing/runtime/api.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { EXIT } from '../../exit-codes.ts';

let api: RunningApi;
let race: Race;
let folder: string;
let version: string;
let csv: string;

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs the command without a key and without a network, unless the environment names the API. */
const run = (line: string, env: Record<string, string> = {}) =>
  startInProcess(line.split(' '), {
    cwd: folder,
    env: { XDG_CONFIG_HOME: join(folder, 'home'), ...env },
  }).ended;

beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
  race = await api.createRace(3);
  folder = mkdtempSync(join(tmpdir(), 'official-'));
  const { eventId, organizationId, apiKey, sessionToken } = race;
  const client = new RaceResultsClient({ baseUrl: api.origin, apiKey });
  const panel = new PanelClient({ baseUrl: api.origin, sessionToken });
  const results: ResultIn[] = [
    { bib_number: '1', chip_time: '41:02.5', splits: { 'Km 5': '20:00' } },
    { bib_number: '2', status: 'DNF' },
    { bib_number: '3', chip_time: '42:00' },
  ];
  await client.uploadEventResults(eventId, { results });
  const made = await panel.makeResultsOfficial(organizationId, eventId);
  expect(await client.listOfficialResults(eventId)).toMatchObject({ data: [made] });
  version = await client.getOfficialResults(eventId, 1);
  expect(await panel.getOrganizationOfficialResults(organizationId, eventId, 1)).toBe(version);
  const headers = { 'X-API-Key': apiKey };
  const path = `${api.origin}/public/v1/events/${eventId}/results/export`;
  csv = await (await fetch(path, { headers })).text();
  write('official.jsonl', version);
  write('results.csv', csv);
  write('jwks.json', await (await fetch(`${api.origin}/.well-known/jwks.json`)).text());
  for (const [at, rule] of (['gun', 'gun_overall'] as const).entries()) {
    await panel.updateEventRanking(organizationId, eventId, { rule });
    await panel.makeResultsOfficial(organizationId, eventId);
    write(`${rule}.jsonl`, await client.getOfficialResults(eventId, at + 2));
  }
}, 60_000);

afterAll(async () => {
  await api?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('O18: accepts what was signed, without a key and without a network', async () => {
  const { stdout, exitCode } = await run('verify official.jsonl results.csv --keys jwks.json');
  expect(stdout).toContain('OFFICIAL: the signature is right');
  expect(stdout).toContain(race.eventId);
  expect(stdout).toContain('results.csv: EQUAL');
  expect(exitCode).toBe(EXIT.done);
});

test.each([
  ['official.jsonl', 'ranking       by chip time', 'clasificación por tiempo de chip'],
  ['gun.jsonl', 'ranking       by gun time', 'clasificación por tiempo de pistola'],
  [
    'gun_overall.jsonl',
    'ranking       by gun time, in categories by chip time',
    'clasificación por tiempo de pistola; en categorías, por tiempo de chip',
  ],
])('says in words how the places of %s count', async (file, english, spanish) => {
  for (const [language, line] of [
    ['en_GB.UTF-8', english],
    ['es_ES.UTF-8', spanish],
  ] as const) {
    const { stdout } = await run(`verify ${file} --keys jwks.json`, { LANG: language });
    expect(stdout.split('\n')).toContain(line);
  }
});

test('takes the public keys from the API, and says so', async () => {
  const { stdout, exitCode } = await run('verify official.jsonl --json', {
    RACE_RESULTS_API: api.origin,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'official',
    rows: 3,
    event: { id: race.eventId },
    keys_from: `${api.origin}/.well-known/jwks.json`,
  });
  expect(exitCode).toBe(EXIT.done);
});

test.each<[string, string, () => string]>([
  ['a forged time', 'other_document', () => version.replace('00:41:02.500', '00:40:02.500')],
  ['a missing row', 'other_document', () => version.replace(/\{"bib_number":"2".*\n/, '')],
  ['another statement', 'wrong_signature', () => version.replace(/\.(\w)/, '.A$1')],
])('finds %s', async (_, refusal, forged) => {
  write('forged.jsonl', forged());
  const { stdout, exitCode } = await run('verify forged.jsonl --keys jwks.json --json');
  expect(JSON.parse(stdout)).toMatchObject({ type: 'not_official', refusal });
  expect(exitCode).toBe(EXIT.rejected);
});

test('finds another key, and another event', async () => {
  write('other.json', newSigningKeys());
  const unknown = await run('verify official.jsonl --keys other.json');
  expect(unknown.stdout).toContain('NOT OFFICIAL: nobody has published the key');
  expect(unknown.exitCode).toBe(EXIT.rejected);
  const other = await run(`verify official.jsonl --keys jwks.json --event ${crypto.randomUUID()}`);
  expect(other.stdout).toContain(
    'NOT OFFICIAL: the signature is right, and it is of another event',
  );
  expect(other.exitCode).toBe(EXIT.rejected);
});

test('says which rows of an export are not those that were signed', async () => {
  const [header, first = '', , ...rest] = csv.split('\r\n');
  const forged = first.replace('00:41:02.500', '00:40:02.500');
  write('forged.csv', [header, forged, ...rest].join('\r\n'));
  const { stdout, exitCode } = await run('verify official.jsonl forged.csv --keys jwks.json');
  expect(stdout).toContain('1 chip_time: signed 00:41:02.500, in the file 00:40:02.500');
  expect(stdout).toContain('3: signed, not in the file');
  expect(exitCode).toBe(EXIT.rejected);
});

test.each([
  ['verify official.jsonl', EXIT.usage, 'The public keys are missing'],
  ['verify official.jsonl --keys none.json', EXIT.unclear, 'could not be read from none.json'],
  ['verify official.jsonl --keys official.jsonl', EXIT.unclear, 'could not be read'],
  ['verify official.jsonl jwks.json --keys jwks.json', EXIT.unclear, 'no export of results'],
  ['verify official.jsonl none.csv --keys jwks.json', EXIT.unclear, 'none.csv cannot be read'],
  ['verify official.jsonl --api http://127.0.0.1:1', EXIT.offline, 'could not be read from'],
  // Any other file is compared with the API, which takes a key.
  ['verify results.csv', EXIT.usage, 'address'],
])('explains what is missing: %s', async (line, code, said) => {
  const { stdout, stderr, exitCode } = await run(line);
  expect(stdout + stderr).toContain(said);
  expect(exitCode).toBe(code);
});
