import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { RaceResultsClient } from '../../client/index.ts';
import { LOOPBACK, listen } from '../../dev/stack/listen.ts';
import type { RegistrationSeed } from '../../dev/stack/seed.ts';
import { type Race, type RunningApi, startApi } from '../../testing/runtime/api.ts';
import { type Ended, startInProcess } from '../../testing/runtime/command.ts';
import { linesIn, REHEARSAL, sendCrew } from '../../testing/runtime/crew.ts';
import { type Cut, startTearingProxy } from '../../testing/runtime/tearing-proxy.ts';
import { EXIT } from '../exit-codes.ts';
import { COMMANDS } from './arguments.ts';
import { raceResults } from './race-results.ts';

let api: RunningApi;
/** The race of all tests that write nothing to it. */
let readRace: Race;
let readClient: RaceResultsClient;
beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
  readRace = await api.createRace(30);
  readClient = new RaceResultsClient({ baseUrl: api.origin, apiKey: await readRace.createKey() });
}, 60_000);
afterAll(() => api?.stop());
// A key has 120 requests a minute, and all tests together send more.
beforeEach(async () => {
  readRace.apiKey = await readRace.createKey();
});

/** An empty folder in which the commands of a race are run. */
function startingFolder(race = readRace) {
  const folder = mkdtempSync(join(tmpdir(), 'race-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const variables = {
    RACE_RESULTS_API: api.origin,
    RACE_RESULTS_KEY: race.apiKey,
    RACE_RESULTS_EVENT: race.eventId,
    XDG_CONFIG_HOME: join(folder, 'home'),
  };
  const run = (line: string | string[], env: Record<string, string> = {}): Promise<Ended> =>
    startInProcess(typeof line === 'string' ? line.split(' ') : line, {
      cwd: folder,
      env: { ...variables, ...env },
    }).ended;
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { race, folder, variables, run, write, read };
}

/** A race of its own, with a client that has a key of its own. */
async function startingRace(runners = 30, registration: RegistrationSeed = {}) {
  const race = await api.createRace(runners, registration);
  const client = new RaceResultsClient({ baseUrl: api.origin, apiKey: await race.createKey() });
  return { ...startingFolder(race), client };
}

/** The objects that `--json` printed, by their type. */
const objectsIn = ({ stdout }: Ended): Map<string, Record<string, unknown>> => {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const object = JSON.parse(line) as Record<string, unknown>;
      return [String(object['type']), object];
    }),
  );
};

const heldBy = async (client: RaceResultsClient, { eventId }: Race): Promise<string[]> => {
  const held: string[] = [];
  for await (const { bib_number, status, chip_time } of client.listEventResults(eventId)) {
    held.push(`${bib_number} ${status}${chip_time ? ` ${chip_time}` : ''}`);
  }
  return held.sort();
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const NOWHERE = { RACE_RESULTS_API: 'http://127.0.0.1:1' };

describe('help', () => {
  test('describes the command and each of its commands', async () => {
    const { run } = startingFolder();
    const all = await run('--help');
    expect(all).toMatchObject({ exitCode: 0, stderr: '' });
    for (const name of Object.keys(COMMANDS)) {
      expect(all.stdout).toContain(`  ${name} `);
      const one = await run([name, '--help']);
      expect(one).toMatchObject({ exitCode: 0, stderr: '' });
      expect(one.stdout).toContain(`race-results ${name}`);
      expect(one.stdout).not.toContain('undefined');
    }
  });

  test('answers a call without a command, and counts it as wrong use', async () => {
    const { run } = startingFolder();
    expect(await run([])).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Usage:') });
  });

  test('names a command that is unknown', async () => {
    const { exitCode, stderr } = await startingFolder().run('sned results.csv');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"sned"')]);
  });
});

describe('setup', () => {
  test('O12: writes race.json without the key', async () => {
    const { run, read, race } = startingFolder();
    expect(await run('setup')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(read('race.json'))).toEqual({
      api: api.origin,
      event: race.eventId,
      event_name: 'Harbour Half',
    });
    const without = { RACE_RESULTS_API: '', RACE_RESULTS_EVENT: '' };
    expect(await run('status', without)).toMatchObject({ exitCode: 0 });
  });

  test('lists the events where none is named', async () => {
    const { run, race } = startingFolder();
    const { exitCode, stdout, stderr } = await run('setup', { RACE_RESULTS_EVENT: '' });
    expect(exitCode).toBe(2);
    expect(stdout).toContain(race.eventId);
    expect(stderr).toContain('--event');
  });
});

/** Runs a command at a terminal where a person types each answer when its question is shown. */
async function typing(
  line: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
  answers: [question: string, typed: string][],
) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  let from = 0;
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [question = '', typed = ''] = answers[0] ?? [];
    if (question === '' || shown.indexOf(question, from) < 0) return;
    from = shown.length;
    answers.shift();
    input.write(`${typed}\r`);
  });
  const terminal = { stdin: input, stdout: output, stderr: output, stop: new AbortController() };
  const exitCode = await raceResults(line.split(' '), { ...terminal, env, folder: cwd });
  return { exitCode, shown, left: answers };
}

test('asks again at setup for an address and a key that are wrong', async () => {
  const { race, folder, variables, read } = startingFolder();
  const { RACE_RESULTS_API, RACE_RESULTS_KEY, ...env } = variables;
  const asked = await typing('setup', { cwd: folder, env }, [
    ['Address of the API:', 'results'],
    ['Address of the API:', 'http://127.0.0.1:1'],
    ['API key', 'er_live_cut'],
    ['Address of the API:', RACE_RESULTS_API],
    ['Address of the API:', RACE_RESULTS_API],
    ['API key', RACE_RESULTS_KEY],
  ]);
  expect({ ...asked, shown: '' }).toEqual({ exitCode: 0, shown: '', left: [] });
  expect(asked.shown).toContain('is not a web address');
  expect(asked.shown).toContain('The API cannot be reached');
  expect(asked.shown).toContain('The API refuses the key');
  expect(asked.shown).not.toContain(RACE_RESULTS_KEY);
  expect(JSON.parse(read('race.json'))).toMatchObject({ api: api.origin, event: race.eventId });
});

test('asks at setup what each file of a folder means, and keeps it with its reading', async () => {
  const { folder, variables, read, write, run } = startingFolder();
  mkdirSync(join(folder, 'out'));
  write('out/finish.csv', 'bib,time', '1,1:28:03', '2,1:29:10');
  write('out/km10.csv', 'bib,time', '1,0:41:03', '2,0:42:10');
  const started = { cwd: folder, env: variables };
  const asked = await typing('setup out', started, [
    ['Address of the API:', ''],
    ['Which is right?', '1'],
    ['Which is right?', '2'],
    ['Name of the point', 'Km 10'],
  ]);
  expect({ ...asked, shown: '' }).toEqual({ exitCode: 0, shown: '', left: [] });
  const { readings } = JSON.parse(read('race.json'));
  expect(readings).toEqual([
    { file: 'finish.csv', header: ['bib', 'time'], read: '', accepted: ['point_or_finish'] },
    { file: 'km10.csv', header: ['bib', 'time'], read: 'point=Km%2010' },
  ]);
  expect((await run('check out/km10.csv')).stdout).toContain('of the point Km 10');
  const again = await typing('setup out', started, [
    ['Address of the API:', ''],
    ['Which event?', '1'],
  ]);
  expect([again.exitCode, again.shown]).toEqual([
    0,
    expect.not.stringContaining('Which is right?'),
  ]);
});

test('refuses at setup a key that cannot send results', async () => {
  const { race, run, folder } = startingFolder();
  const readOnly = await race.createKey(['events:read']);
  const { exitCode, stderr } = await run('setup', { RACE_RESULTS_KEY: readOnly });
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('results:write')]);
  expect(filesIn(folder).filter((path) => path.endsWith('race.json'))).toEqual([]);
});

describe('check', () => {
  const PLAIN = ['Bib,Time', '1,1:28:03', '2,1:29:10'];
  const FOREIGN = ['Stnr;Netto', "1;1h28'03", "2;1h29'10"];

  test('shows how a file is read, keeps its header, and sends nothing', async () => {
    const { run, write, read, race } = startingFolder();
    write('finish.csv', ...PLAIN);
    const { exitCode, stdout } = await run('check finish.csv');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Time +chip_time +1:28:03/);
    expect(stdout).toMatch(/2 +1 +FINISHED +01:28:03.000/);
    expect(JSON.parse(read('race.json'))).toEqual({
      readings: [{ file: 'finish.csv', header: ['Bib', 'Time'], read: '' }],
    });
    expect(await heldBy(readClient, race)).toEqual([]);
  });

  test('stops at an open question and names the flags that answer it', async () => {
    const { run, write } = startingFolder();
    write('finish.csv', ...FOREIGN);
    const { exitCode, stderr } = await run('check finish.csv');
    expect(exitCode).toBe(3);
    const flags = '--bib Stnr --chip-time Netto --time-format apostrophes';
    expect(stderr).toContain(flags);
    expect(await run(`check finish.csv ${flags}`)).toMatchObject({ exitCode: 0 });
  });

  test('keeps the suggestion under --yes, and does not ask again', async () => {
    const { run, write, read } = startingFolder();
    write('finish.csv', ...FOREIGN);
    expect((await run('check finish.csv --yes')).exitCode).toBe(0);
    expect(JSON.parse(read('race.json'))).toEqual({
      readings: [
        {
          file: 'finish.csv',
          header: ['Stnr', 'Netto'],
          read: 'bib=Stnr&chip_time=Netto&time_format=apostrophes',
        },
      ],
    });
    expect((await run('check finish.csv')).exitCode).toBe(0);
  });

  test('keeps a reading for each header', async () => {
    const { run, write, read } = startingFolder();
    write('foreign.csv', ...FOREIGN);
    write('plain.csv', ...PLAIN);
    await run('check foreign.csv --yes');
    expect((await run('check plain.csv')).exitCode).toBe(0);
    expect((await run('check foreign.csv')).exitCode).toBe(0);
    const { readings } = JSON.parse(read('race.json')) as { readings: { header: string[] }[] };
    expect(readings.map(({ header }) => header)).toEqual([
      ['Bib', 'Time'],
      ['Stnr', 'Netto'],
    ]);
  });

  test.each([
    ['1:28 is 1 h 28 min', '--time-format hours_minutes', '01:28:00.000'],
    ['1:28 is 1 min 28 s', '--chip-time Time --gun-time=', '00:01:28.000'],
  ])('lets a person decide that %s', async (meaning, flags, time) => {
    const { run, write } = startingFolder();
    write('finish.csv', 'Bib,Time', '1,1:28', '2,1:29', '3,2:10');
    const asked = await run('check finish.csv --yes');
    expect(asked.exitCode).toBe(3);
    expect(asked.stderr).toContain(`${flags}\n      ${meaning}`);
    const { exitCode, stdout } = await run(`check finish.csv ${flags}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(time);
    expect((await run('check finish.csv')).stdout).toContain(time);
  });

  test('ends with 1 if rows would be rejected, and names line, bib and value', async () => {
    const { run, write } = startingFolder();
    write('finish.csv', 'Bib,Time', '1,1:28:03', '99,1:29:10', '2,1:2803');
    const { exitCode, stdout } = await run('check finish.csv');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Line 3, bib 99: No registration');
    expect(stdout).toContain('Line 4, bib 2: The chip time "1:2803" is not a time');
  });

  test.each([
    ['a missing file', 'none.csv', 'there is no such file'],
    ['a folder', '.', 'it is a folder'],
    ['a file without results', 'start.csv', 'no time column'],
  ])('ends with 3 for %s', async (_, name, message) => {
    const { run, write } = startingFolder();
    write('start.csv', 'Bib,Name', '1,Ada Ejemplo');
    const { exitCode, stderr } = await run(['check', name]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
  });

  test('O06: prints the preview as one object a line', async () => {
    const { run, write } = startingFolder();
    write('finish.csv', ...PLAIN);
    const ended = await run('check finish.csv --json');
    expect(ended.stderr).toBe('');
    expect(objectsIn(ended).get('check')).toMatchObject({
      read: '',
      header_line: 1,
      counts: { new: 2 },
      level: 'answer',
    });
  });
});

describe('set', () => {
  test('stores a status and keeps the splits', async () => {
    const { run, client, race } = await startingRace();
    const splits = { 'Km 10': '00:41:50.000' };
    const results = [{ bib_number: '27', chip_time: '1:28:03', splits }];
    await client.uploadEventResults(race.eventId, { results });
    const { exitCode, stdout } = await run('set 27 --status dsq');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('bib 27: FINISHED 01:28:03.000 -> DSQ');
    const { status, chip_time, splits: kept } = await client.getEventResult(race.eventId, '27');
    expect({ status, chip_time, kept }).toEqual({ status: 'DSQ', chip_time: null, kept: splits });
  });

  test('decides a time and keeps the other one', async () => {
    const { run, client, race } = await startingRace();
    const results = [{ bib_number: '27', chip_time: '1:28:03', gun_time: '1:28:41' }];
    await client.uploadEventResults(race.eventId, { results });
    expect((await run('set 27 --chip-time 1:27:59,5')).exitCode).toBe(0);
    expect(await client.getEventResult(race.eventId, '27')).toMatchObject({
      status: 'FINISHED',
      chip_time: '01:27:59.500',
      gun_time: '01:28:41.000',
    });
  });

  test('L15: does not store 1:28 as 88 seconds', async () => {
    const { run, client, race } = await startingRace();
    const { exitCode, stderr } = await run('set 27 --chip-time 1:28');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('1:28:00 for 1 h 28 min');
    expect(await heldBy(client, race)).toEqual([]);
  });

  test.each([
    ['nothing decided', 'set 27', 2, '--status'],
    ['an unknown status', 'set 27 --status DSK', 2, '"DSK"'],
    ['a time that is none', 'set 27 --chip-time 1h28', 2, '"1h28"'],
    ['a finisher without a time', 'set 27 --status FINISHED', 2, 'Add --chip-time'],
    ['a time of somebody who did not finish', 'set 27 --status DNF --chip-time 1:28:03', 2, 'DNF'],
    ['an unknown bib (L14)', 'set 99 --status DNF', 1, '"99"'],
  ])('refuses %s and queues nothing', async (_, line, exitCode, message) => {
    const { run, race } = startingFolder();
    const ended = await run(line);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).toContain(message);
    expect(objectsIn(await run('status --json')).get('status')).toMatchObject({ queue: 0 });
    expect(await heldBy(readClient, race)).toEqual([]);
  });

  test('asks before a time that does not fit to the distance', async () => {
    const { run, client, race } = await startingRace(30, { distance: '21K' });
    const stopped = await run('set 27 --chip-time 0:01:28 --yes');
    expect(stopped.exitCode).toBe(4);
    expect(stopped.stderr).toContain('the fastest 21K takes 1 min 28 s');
    expect(await heldBy(client, race)).toEqual([]);
    const forced = await run('set 27 --chip-time 0:01:28 --force implausible_for_distance');
    expect(forced.exitCode).toBe(0);
    expect(await heldBy(client, race)).toEqual(['27 FINISHED 00:01:28.000']);
  });

  test('L12: keeps a decision while the API cannot be reached', async () => {
    const { run, client, race } = await startingRace();
    const { exitCode, stderr } = await run('set 27 --status DNS', NOWHERE);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('The queue keeps 1 row');
    expect(objectsIn(await run('status --json', NOWHERE)).get('status')).toMatchObject({
      queue: 1,
      online: false,
      missing: null,
    });
    expect((await run('set 28 --status DNF')).exitCode).toBe(0);
    expect(await heldBy(client, race)).toEqual(['27 DNS', '28 DNF']);
  });

  test('L09 L11 L27: is left to a person when a file says something else', async () => {
    const { run, write, client, race } = await startingRace();
    write('finish.csv', 'Bib,Time', '1,1:28:03', '2,1:29:10');
    await run('set 1 --status DSQ');
    const sent = await run('send finish.csv --yes --force not_event_day,status_would_change');
    expect([sent.exitCode, sent.stdout]).toEqual([
      4,
      expect.stringContaining('1 result stored, 1 left'),
    ]);
    expect(sent.stderr).toContain('1 DSQ, file FINISHED 01:28:03.000');
    expect(await heldBy(client, race)).toEqual(['1 DSQ', '2 FINISHED 01:29:10.000']);
    const open = await run('decide');
    expect([open.exitCode, open.stdout]).toEqual([
      4,
      expect.stringMatching(/^decided_by_person +1 DSQ, file/),
    ]);
    expect((await run('status')).stdout).toContain('1 left to you');
    expect((await run('decide 1 file')).exitCode).toBe(0);
    expect((await run('decide 1 file')).exitCode).toBe(2);
    expect((await run('decide')).stdout).toContain('Nothing waits for you');
    expect(await heldBy(client, race)).toEqual([
      '1 FINISHED 01:28:03.000',
      '2 FINISHED 01:29:10.000',
    ]);
  });
});

describe('missing', () => {
  test('lists the bibs without a result', async () => {
    const { run } = await startingRace(3);
    await run('set 2 --status DNS');
    const { exitCode, stdout } = await run('missing');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ *1\b/m);
    expect(stdout).toMatch(/^ *3\b/m);
    expect(stdout).toContain('2 bibs without a result');
    expect(objectsIn(await run('missing --json')).get('missing_total')).toMatchObject({ total: 2 });
  });

  test('P18: lists the slowest first with the last point, and who will be after the cut-off', async () => {
    const { run, client, race } = await startingRace(4, { distance: '100K' });
    const passed = (bib_number: string, point: string, time: string) => ({
      bib_number,
      point,
      time,
    });
    await client.uploadEventPassings(race.eventId, {
      passings: [
        passed('1', 'Km 10', '1:00:07'),
        passed('1', 'Km 50', '7:10:08'),
        passed('2', 'Km 50', '9:20:08'),
        passed('3', 'Km 10', '1:50:09'),
        passed('4', 'Km 10', '1:10:09'),
      ],
    });
    const ended = await run('missing --cut-off 18:00:00');
    const lines = ended.stdout.split('\n').map((line) => line.trim().split(/\s+/));
    expect(lines.slice(1, 5).map(([bib]) => bib)).toEqual(['3', '4', '2', '1']);
    expect(lines[1]).toEqual([
      '3',
      '100K',
      'Km',
      '10',
      '01:50:09',
      '0',
      '18:21:30',
      'LATE',
      ...(lines[1] ?? []).slice(8),
    ]);
    expect(ended.stdout).toContain('2 of them will be after the cut-off');
    const json = objectsIn(await run('missing --cut-off 19:00:00 --json'));
    expect(json.get('missing_total')).toMatchObject({ total: 4, late: 0 });
    expect(json.get('missing')).toMatchObject({
      bib_number: '1',
      last_point: 'Km 50',
      is_late: false,
    });
    expect((await run('missing --cut-off 18:00')).exitCode).toBe(2);
  });

  test('lists those of one distance, and names the distances if there is no such one', async () => {
    const { run } = await startingRace(3, { distance: '21K' });
    const { exitCode, stderr } = await run('missing --distance 21k');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The distances are: 21K.');
    expect((await run('missing --distance 21K')).stdout).toContain('3 bibs of 21K without');
  });
});

describe('log and undo', () => {
  test('lists what was sent, and takes the latest upload back', async () => {
    const { run, client, race } = await startingRace();
    await run('set 1 --status DNF');
    await run('set 1 --status DSQ');
    expect((await run('log')).stdout.trim().split('\n')).toHaveLength(3);

    const asked = await run('undo');
    expect(asked.exitCode).toBe(2);
    expect(asked.stdout).toContain('1 result restored to before');
    expect(await heldBy(client, race)).toEqual(['1 DSQ']);

    expect((await run('undo --yes')).exitCode).toBe(0);
    expect(await heldBy(client, race)).toEqual(['1 DNF']);
    expect((await run('undo --yes')).exitCode).toBe(0);
    expect(await heldBy(client, race)).toEqual([]);
    expect(await run('undo --yes')).toMatchObject({ exitCode: 2 });
    expect((await run('log')).stdout.match(/undone/g)).toHaveLength(2);
  });

  test('U06: takes the batch back whose id starts like this', async () => {
    const { run, client, race } = await startingRace();
    await run('set 1 --status DNF');
    await run('set 2 --status DNF');
    const batches = await client.listResultBatches(race.eventId);
    const first = batches.data.at(-1)?.id ?? '';
    expect((await run(['undo', first.slice(0, 8), '--yes'])).exitCode).toBe(0);
    expect(await heldBy(client, race)).toEqual(['2 DNF']);
    const unknown = await run('undo ffffffff --yes');
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ffffffff') });
  });
});

describe('export', () => {
  test('ends with 6 if the connection breaks, and leaves no file', async () => {
    const { run, folder } = startingFolder();
    const event = { id: 'id', name: 'Race', event_date: '2026-05-10', status: 'past', city: 'A' };
    const server = createServer((request, answer) => {
      if (!request.url?.endsWith('/export')) return void answer.end(JSON.stringify(event));
      answer.writeHead(200, { 'Content-Length': 100 }).write('bib_number');
      answer.destroy();
    });
    const origin = `http://${LOOPBACK}:${await listen(server)}`;
    onTestFinished(() => void server.close());
    const { exitCode, stderr } = await run('export results.csv', { RACE_RESULTS_API: origin });
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('the connection broke')]);
    expect(readdirSync(folder)).not.toContain('results.csv');
  });
});

describe('the key', () => {
  test('O19: is sent to no other address than the one that accepted it first', async () => {
    const { run, write, folder, variables } = startingFolder();
    expect((await run('missing')).exitCode).toBe(0);
    const other = await startTearingProxy(api.origin, []);
    onTestFinished(() => other.stop());
    write('race.json', JSON.stringify({ api: other.origin }));
    const { exitCode, stderr } = await run('missing', { RACE_RESULTS_API: '' });
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining(`not with ${other.origin}`)]);
    expect(other.connections()).toBe(0);
    const env = { ...variables, RACE_RESULTS_API: '' };
    const refused = await typing('missing', { cwd: folder, env }, [['Send it there?', 'n']]);
    expect([refused.exitCode, other.connections()]).toEqual([5, 0]);
    const allowed = await typing('missing', { cwd: folder, env }, [['Send it there?', 'y']]);
    expect(allowed.exitCode).toBe(0);
    expect((await run('missing', { RACE_RESULTS_API: '' })).exitCode).toBe(0);
  });

  test.each([
    ['is missing', '', 'RACE_RESULTS_KEY'],
    ['is cut', 'er_live_cut', 'malformed'],
    ['has a blank in it', 'er_live_a b', 'blanks'],
  ])('ends the command with 5 if it %s', async (_, key, message) => {
    const { run } = startingFolder();
    const { exitCode, stderr } = await run('missing', { RACE_RESULTS_KEY: key });
    expect(exitCode).toBe(5);
    expect(stderr).toContain(message);
  });

  test.each(['setup er_live_x', 'missing --key er_live_x', 'er_live_x'])(
    'is refused as an argument and never repeated: %s',
    async (line) => {
      const { run } = startingFolder();
      const { exitCode, stdout, stderr } = await run(line);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('A key is never an argument');
      expect(stdout + stderr).not.toContain('er_live_x');
    },
  );

  test('O12: is never printed and never written', async () => {
    const { run, write, folder, race } = await startingRace();
    write('finish.csv', 'Bib,Time', '1,1:28:03', '2,1:29:10');
    const lines = [
      'setup',
      'check finish.csv',
      'send finish.csv --yes --force not_event_day,status_would_change',
      'status',
      'log',
      'undo --yes',
    ];
    for (const line of lines) {
      const { stdout, stderr } = await run(line);
      expect(stdout + stderr).not.toContain(race.apiKey);
      const json = await run(`${line} --json`);
      expect(json.stdout + json.stderr).not.toContain(race.apiKey);
    }
    expect(filesIn(folder).length).toBeGreaterThan(3);
    for (const path of filesIn(folder)) {
      expect(readFileSync(path, 'utf8')).not.toContain(race.apiKey);
      const isOwn = !path.endsWith('finish.csv');
      if (isOwn) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    }
  });
});

test('O13: has every command and exit code in its guide', () => {
  const guide = readFileSync(
    join(import.meta.dirname, '../../site/docs/guides/live-folder.md'),
    'utf8',
  );
  for (const name of Object.keys(COMMANDS)) {
    expect(guide).toMatch(new RegExp(`race-results ${name}\\b|\`${name}\``));
  }
  for (const code of Object.values(EXIT).filter((code) => code !== EXIT.bug)) {
    expect(guide).toContain(`\n| ${code} | `);
  }
});

test('ends with 2 for an event of somebody else, and says where it came from', async () => {
  const { run } = startingFolder();
  const other = await api.createRace(0);
  const { exitCode, stderr } = await run('missing', { RACE_RESULTS_EVENT: other.eventId });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('RACE_RESULTS_EVENT');
});

test('C17 C18: does nothing if a variable and race.json name two events, until --event names one', async () => {
  const { run, write, race } = startingFolder();
  write('race.json', '{ "event": "another", "event_name": "Last week" }');
  const { exitCode, stderr } = await run('missing');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Last week')]);
  expect((await run(`missing --event ${race.eventId}`)).exitCode).toBe(0);
});

test('C16: watch asks before it sends to an event that is not today', async () => {
  const { race, folder, variables: env, write } = startingFolder();
  write('r.csv', 'bib,time', '1,0:40:11');
  const asked = await typing('watch r.csv', { cwd: folder, env }, [['is not today', 'n']]);
  expect({ ...asked, shown: '' }).toEqual({ exitCode: 4, shown: '', left: [] });
  expect(await heldBy(readClient, race)).toEqual([]);
});

test.each([
  ['race.json', 'race.json', 'status'],
  ['the state folder', 'state', 'status --state state/inner'],
])('ends with 2 if %s cannot be used', async (_, name, line) => {
  const { run, write, folder } = startingFolder();
  if (name === 'race.json') mkdirSync(join(folder, name));
  else write(name, 'a file where a folder should be');
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(name);
});

test('ends with 6 while the API cannot be reached', async () => {
  const { run } = startingFolder();
  const { exitCode, stderr } = await run('missing', NOWHERE);
  expect(exitCode).toBe(6);
  expect(stderr).toContain('The API cannot be reached');
});

/** A race behind a network that may be bad. */
async function startingCrew(...cuts: Cut[]) {
  const crew = await sendCrew(api, startInProcess, { cuts });
  return crew;
}

const ARGUMENTS = [...REHEARSAL, '--yes'];
const TWO = 'bib,time\n1,0:40:11\n2,0:41:12\n';

test('`send` sends a file, and only what changed the next time', async () => {
  const { run, write, held, client, eventId } = await startingCrew();
  write('r.csv', TWO);
  const first = await run('send', 'r.csv', ...ARGUMENTS);
  expect(first.stderr).toBe('');
  expect(first.exitCode).toBe(0);
  expect(linesIn(first.stdout)).toContainEqual(
    expect.objectContaining({ type: 'done', stored: 2, rejected: 0 }),
  );
  write('r.csv', 'bib,time\n1,0:40:11\n2,0:41:13\n3,0:42:14\n');
  const second = await run('send', 'r.csv', ...ARGUMENTS);
  expect(linesIn(second.stdout)).toContainEqual(
    expect.objectContaining({ type: 'changes', new: 1, changed: 1, unchanged: 1 }),
  );
  expect(await held()).toEqual({ 1: '00:40:11.000', 2: '00:41:13.000', 3: '00:42:14.000' });
  const third = await run('send', 'r.csv', ...ARGUMENTS);
  expect(third.exitCode).toBe(0);
  expect((await client.listResultBatches(eventId)).data).toHaveLength(2);
});

test('`send` keeps rejected rows in a file, with line and reason', async () => {
  const { run, write, read, held } = await startingCrew();
  write('r.csv', 'Nr;Club;Zeit\n1;"A; B";0:40:11\n99;C;0:41:12\n3;D;1:2803\n4;E;\n');
  const flags = ['--bib', 'Nr', '--chip-time', 'Zeit', '--split='];
  const first = await run('send', 'r.csv', ...flags, ...ARGUMENTS);
  expect([first.exitCode, first.exitCode === 1 ? '' : first.stdout]).toEqual([1, '']);
  const rejected = read('.race-results/rejected.csv');
  expect(rejected.split('\r\n')).toEqual([
    '\uFEFFNr;Club;Zeit;line;reason;reason_code',
    expect.stringMatching(/^99;C;0:41:12;3;.+;unknown_bib$/),
    expect.stringMatching(/^3;D;1:2803;4;.+;invalid_time$/),
    '',
  ]);
  expect(first.stdout).toContain('Line 4, bib 3: The chip time');
  // A row without a time is no rejected row, as in `check`, `watch` and `verify`.
  expect(first.stdout).toContain('1 on the course, without a time: 4.');
  expect(await held()).toEqual({ 1: '00:40:11.000' });
});

describe('send', () => {
  test('ends with 4 at a guard, which --yes does not pass', async () => {
    const { run, write, held } = await startingCrew();
    // Hours and minutes, or minutes and seconds?
    write('r.csv', 'bib,time\n1,0:40:00\n2,0:41:00\n');
    const { exitCode, stderr } = await run('send', 'r.csv', '--yes');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('whole_minutes');
    expect(stderr).not.toContain('--force');
    expect(await held()).toEqual({});
  });

  test('L26 L27: ends with 4 when many stored results would change', async () => {
    const { run, write, held } = await startingCrew();
    const rows = (seconds: number) =>
      Array.from({ length: 10 }, (_, at) => `${at + 1},0:40:${seconds + at}`);
    write('r.csv', ['bib,time', ...rows(10), ''].join('\n'));
    const first = await run('send', 'r.csv', ...ARGUMENTS);
    expect([first.exitCode, first.exitCode === 0 ? '' : first.stdout]).toEqual([0, '']);
    const before = await held();
    write('r.csv', ['bib,time', ...rows(30), ''].join('\n'));
    const { exitCode, stdout } = await run('send', 'r.csv', ...ARGUMENTS);
    expect([exitCode, linesIn(stdout).at(-1)]).toMatchObject([4, { type: 'done', left: 10 }]);
    expect(await held()).toEqual(before);
  });

  test('ends with 4 when the header differs from race.json', async () => {
    const { run, write } = await startingCrew();
    write('r.csv', TWO);
    write(
      'race.json',
      JSON.stringify({ readings: [{ header: ['bib', 'chip', 'club'], read: '' }] }),
    );
    const { exitCode, stdout } = await run('send', 'r.csv', '--json', '--yes');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('Missing: \\"chip\\", \\"club\\". New: \\"time\\".');
  });

  test('ends with 3 for a file that is missing or unreadable', async () => {
    const { run, write } = await startingCrew();
    const absent = await run('send', 'none.csv', '--yes');
    expect([absent.exitCode, absent.stderr]).toEqual([3, expect.stringContaining('no such file')]);
    write('r.csv', 'a,b\n1,2\n');
    const strange = await run('send', 'r.csv', '--yes');
    expect([strange.exitCode, strange.stderr]).toEqual([
      3,
      expect.stringContaining('no bib column'),
    ]);
    write('d.csv', 'bib,time\n1,1:28\n2,1:31\n3,2:07\n');
    const unclear = await run('send', 'd.csv', '--yes');
    expect(unclear.exitCode).toBeGreaterThanOrEqual(3);
  });

  test('ends with 5 for an unknown key', async () => {
    const { write, env, folder } = await startingCrew();
    write('r.csv', TWO);
    const wrong = { ...env, RACE_RESULTS_KEY: `er_live_${'x'.repeat(38)}` };
    const { exitCode, stderr } = await startInProcess(['send', 'r.csv', '--yes'], {
      cwd: folder,
      env: wrong,
    }).ended;
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('RACE_RESULTS_KEY')]);
  });

  test('O14: ends with 2 without a terminal and without --yes', async () => {
    const { run, write, held } = await startingCrew();
    write('r.csv', TWO);
    const { exitCode, stderr } = await run('send', 'r.csv', '--force', 'not_event_day');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await held()).toEqual({});
  });
});

test.each<[string, Cut[]]>([
  ['before the upload', ['at-once', 'at-once']],
  ['in its body', [{ afterSentBytes: 100_000 }, { afterSentBytes: 700 }, { afterSentBytes: 700 }]],
  [
    'before its answer',
    [{ afterSentBytes: 100_000 }, { afterAnswerBytes: 0 }, { afterAnswerBytes: 0 }],
  ],
  ['in its answer', [{ afterSentBytes: 100_000 }, { afterAnswerBytes: 80 }]],
])('`send` stores each row once over a connection that breaks %s', async (_, cuts) => {
  const { run, write, held, client, eventId } = await startingCrew(...cuts);
  write('r.csv', TWO);
  const { exitCode } = await run('send', 'r.csv', ...ARGUMENTS);
  expect(exitCode).toBe(0);
  expect(await held()).toEqual({ 1: '00:40:11.000', 2: '00:41:12.000' });
  const { data } = await client.listResultBatches(eventId);
  expect(data).toMatchObject([{ uploaded: 2, updated: 0 }]);
});

test('N12: `send` keeps the queue when the network goes away, and goes on with it', async () => {
  const { run, write, held, proxy, folder, env } = await startingCrew();
  write('r.csv', TWO);
  const offline = await startInProcess(['send', 'r.csv', ...ARGUMENTS], {
    cwd: folder,
    env,
    onPrint: (text) => text.includes('"changes"') && proxy.refuse(),
  }).ended;
  expect(offline.exitCode).toBe(6);
  expect(linesIn(offline.stdout).at(-1)).toMatchObject({
    message: expect.stringContaining('The queue keeps 2 rows'),
  });
  expect(await held()).toEqual({});
  proxy.mend();
  write('r.csv', 'bib,time\n1,0:40:11\n2,0:41:12\n3,0:42:13\n');
  expect((await run('send', 'r.csv', ...ARGUMENTS)).exitCode).toBe(0);
  expect(Object.keys(await held())).toEqual(['1', '2', '3']);
});

test.each<[string, Cut]>([
  ...[200, 800, 1_400].map((bytes): [string, Cut] => [
    `behind ${bytes} sent bytes`,
    { afterSentBytes: bytes },
  ]),
  ...[0, 1_200, 2_400].map((bytes): [string, Cut] => [
    `behind ${bytes} bytes of answers`,
    { afterAnswerBytes: bytes },
  ]),
])('takes an upload back once when `log` and `undo` are cut %s', async (_, cut) => {
  const { run, held, client, eventId } = await startingCrew(cut, cut, cut, cut);
  const results = [{ bib_number: '1', status: 'DNF' as const }];
  const { batch_id } = await client.uploadEventResults(eventId, { results });
  for (let attempt = 0; attempt < 4; attempt++) {
    const listed = await run('log', '--json');
    expect([0, 6]).toContain(listed.exitCode);
    // Repeated until the command has heard that it is done.
    const { exitCode } = await run('undo', '--any', batch_id, '--yes');
    expect([0, 6]).toContain(exitCode);
  }
  expect(await held()).toEqual({});
  const { data } = await client.listResultBatches(eventId);
  expect(data.map(({ source }) => source)).toEqual(['revert', 'json']);
  const status = await run('status', '--json');
  expect(linesIn(status.stdout)[0]).toMatchObject({ type: 'status', queue: 0, online: true });
});
