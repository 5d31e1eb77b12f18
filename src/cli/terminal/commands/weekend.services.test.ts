import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PanelClient } from '../../../client/index.ts';
import {
  linesIn,
  pageOf,
  REHEARSAL,
  sendCrew,
  useApi,
  useCommand,
} from '../../../testing/runtime/crew.ts';
import { clock, HEADER, shows, stopped, until, watch } from '../../../testing/runtime/watching.ts';

const command = useCommand({ isFast: true });
const api = useApi();

const HOUR = 3_600;
const bibs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const rows = (ids: readonly number[], seconds: (bib: number) => number) =>
  ids.map((bib) => `${bib},${clock(seconds(bib))}\n`).join('');
/** 110K: bibs 1 to 20. 42K: 21 to 40. 21K: 41 to 60. */
const distanceOf = (bib: number) => (bib <= 20 ? '110K' : bib <= 40 ? '42K' : '21K');
const of110 = (bib: number) => 10.5 * HOUR + 67 * bib;
const of42 = (bib: number) => 3 * HOUR + 41 * bib;
const of21 = (bib: number) => 1.3 * HOUR + 31 * bib;

test('T01 C07 S21 S22: a weekend of three distances and three laptops, over a night in which the clocks go back', async () => {
  const finish = await sendCrew(api(), command().start, {
    runners: 60,
    registration: (bib) => ({ distance: distanceOf(bib) }),
  });
  const course = await sendCrew(api(), command().start, { race: finish });
  const village = await sendCrew(api(), command().start, { race: finish });
  const { client, eventId, organizationId, sessionToken } = finish;
  const timeOf = async (bib: number) => {
    const found = await client.getEventResult(eventId, `${bib}`).catch(() => undefined);
    return found && (found.chip_time ?? found.gun_time ?? found.status);
  };
  const holds = (bib: number, time: string | undefined) =>
    until(
      () => `${bib} ${time}`,
      async () => ((await timeOf(bib)) === time ? true : undefined),
    );
  mkdirSync(join(finish.folder, 'out'));

  // A file of last year is taken back. Of the right file, rows that equal it are a question.
  finish.write('2025.csv', `${HEADER}${rows(bibs(21, 31), of42)}`);
  expect((await finish.run('send', '2025.csv', '--yes', ...REHEARSAL)).exitCode).toBe(0);
  expect((await finish.run('undo', '--yes')).exitCode).toBe(0);
  finish.write(
    'out/42k.csv',
    `${HEADER}${rows(bibs(21, 25), of42)}${rows([25, 26], (bib) => of42(bib) + 9)}`,
  );
  let atFinish = watch(finish, 'out');
  await shows(atFinish, { state: 'LOOK', queue: 0, left: 4 });
  expect((await finish.run('decide', 'taken_back', 'file')).exitCode).toBe(0);
  await shows(atFinish, { state: 'OK', queue: 0, rows: 6, missing: 54 });

  // The first of 110 km came between 10:31 and 10:38: that is no time of day.
  finish.write('out/110k.csv', `${HEADER}${rows(bibs(1, 7), of110)}`);
  await shows(atFinish, { state: 'OK', queue: 0, rows: 12, missing: 48 });
  // Their start is corrected, and nobody asks whether the file is of a point.
  const earlier = (bib: number) => of110(bib) - 60;
  finish.write('out/110k.csv', `${HEADER}${rows(bibs(1, 7), earlier)}`);
  await shows(atFinish, { state: 'LOOK', stopped: 0, left: 6 });
  await finish.run('decide', 'too_many_changes', 'file');
  await shows(atFinish, { state: 'OK', queue: 0, left: 0 });
  await holds(1, '10:30:07.000');

  // A car carries a chip of 110 km over the line: its row waits, and all others go.
  const with7 = (time: string, ids = bibs(1, 7)) => `${HEADER}${rows(ids, earlier)}7,${time}\n`;
  finish.write('out/110k.csv', with7('1:22:10'));
  await shows(atFinish, { state: 'LOOK', left: 1, queue: 0 });
  expect(await timeOf(7)).toBeUndefined();
  finish.write('out/110k.csv', with7('10:39:10'));
  await shows(atFinish, { state: 'OK', left: 0, queue: 0, missing: 47 });

  // What a person removed stays so, although another laptop has an older copy.
  finish.write('out/110k.csv', with7('10:39:10', [1, 2, 3, 5, 6]));
  await shows(atFinish, { state: 'LOOK', left: 1 });
  expect((await finish.run('remove', '4', '--yes')).exitCode).toBe(0);
  await shows(atFinish, { state: 'OK', left: 0, queue: 0 });
  village.write('110k.csv', with7('10:39:10'));
  const older = watch(village, '110k.csv', '--state', 'older');
  await shows(older, { state: 'LOOK', left: 1, queue: 0 });
  expect(await timeOf(4)).toBeUndefined();
  expect((await village.run('decide', '4', 'api', '--state', 'older')).exitCode).toBe(0);
  expect((await stopped(older)).exitCode).toBe(0);

  // A radio call keeps the floor on every laptop.
  expect((await course.run('set', '3', '--status', 'DNF')).exitCode).toBe(0);
  finish.write(
    'out/110k.csv',
    with7('10:39:10', [1, 2, 3, 5, 6]).replace('3,10:32:21', '3,10:32:20'),
  );
  await shows(atFinish, { state: 'LOOK', left: 1, queue: 0 });
  expect(await timeOf(3)).toBe('DNF');
  expect((await finish.run('decide', '3', 'api')).exitCode).toBe(0);
  await shows(atFinish, { state: 'OK', left: 0, queue: 0 });

  // Wave B has a header that nobody can read.
  finish.write('out/wave B.csv', `Dorsal;Llegada a\n31;3:40:12\n`);
  await shows(atFinish, { state: 'LOOK', unread: 1, why: 'wave B.csv cannot be read' });
  expect((await finish.run('status')).exitCode).toBe(4);
  expect((await finish.run('status')).stdout).toContain('race-results check "out/wave B.csv"');
  finish.write('out/wave B.csv', `Dorsal;Tiempo\n31;3:40:12\n`);
  await shows(atFinish, { state: 'OK', unread: 0, queue: 0, missing: 47 });

  // The stick of the folder goes and comes back.
  renameSync(join(finish.folder, 'out'), join(finish.folder, 'away'));
  await shows(atFinish, { state: 'STOPPED', why: 'out is not there' });
  renameSync(join(finish.folder, 'away'), join(finish.folder, 'out'));
  await shows(atFinish, { state: 'OK', stopped: 0, queue: 0 });

  // A decision beside a frozen watch is not done, and is not done when it wakes up.
  process.kill(atFinish.pid, 'SIGSTOP');
  const frozen = await finish.run('set', '22', '--status', 'DNF');
  expect([frozen.exitCode, frozen.stderr]).toEqual([
    7,
    expect.stringContaining('Nothing was done'),
  ]);
  process.kill(atFinish.pid, 'SIGCONT');
  finish.write('out/wave B.csv', `Dorsal;Tiempo\n31;3:40:12\n32;3:41:13\n`);
  await shows(atFinish, { state: 'OK', queue: 0, missing: 46 });
  expect(await timeOf(22)).toBe('03:15:02.000');

  // Km 60 types times of day, over midnight and the change of the clocks.
  const starts = ['--start', '110K=2026-10-24 06:00', '--zone', 'Europe/Madrid'];
  expect((await course.run('setup', ...starts)).exitCode).toBe(0);
  course.write('km60.csv', `${HEADER}8,14:03:22\n9,00:01:28\n10,04:00:10\n`);
  const reading = ['--point', 'Km 60', '--times-of-day'];
  expect((await course.run('check', 'km60.csv', ...reading)).exitCode).toBe(0);
  const atKm60 = watch(course, 'km60.csv');
  await shows(atKm60, { state: 'OK', queue: 0, rows: 3, missing: 46 });
  const passings: string[] = [];
  for await (const { bib_number, time } of client.exportEventPassings(eventId)) {
    passings.push(`${bib_number} ${time}`);
  }
  expect(passings).toEqual(['8 08:03:22.000', '9 18:01:28.000', '10 23:00:10.000']);

  // The village follows a list that is published, and keeps the start list for its timing program.
  let list = `${HEADER}${rows(bibs(41, 45), of21)}61,1:59:01\n`;
  let status = 200;
  const server = createServer((_request, answer) => void answer.writeHead(status).end(list));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const atVillage = watch(village, `http://127.0.0.1:${port}/21k`, '--start-list', 'start.csv');
  await shows(atVillage, { rows: 5, rejected: 1, queue: 0 });
  await finish.register('61');
  await holds(61, '01:59:01.000');
  await until(
    () => village.read('start.csv'),
    () => (village.read('start.csv').includes('\n61,') ? true : undefined),
  );
  await shows(atVillage, { state: 'OK', rejected: 0, queue: 0 });
  status = 503;
  await shows(atVillage, { state: 'LOOK', unread: 1 });
  [status, list] = [200, HEADER];
  await shows(atVillage, { state: 'LOOK', unread: 1 });
  expect(await timeOf(44)).toBeDefined();
  list = `${HEADER}${rows(bibs(41, 46), of21)}61,1:59:01\n`;
  await shows(atVillage, { state: 'OK', unread: 0, queue: 0 });

  // The finish sees who is on the course and who has sent what: the same number everywhere.
  expect((await stopped(atFinish)).exitCode).toBe(0);

  // Its key is replaced, as after a day. A weekend in one minute would use up the requests of one key.
  finish.env['RACE_RESULTS_KEY'] = await finish.createKey();

  // A Spanish screen has no English word. A narrow one says why nothing of a file is sent.
  const waveB = finish.read('out/wave B.csv');
  finish.write('out/wave B.csv', `Dorsal;Crono;Puesto\n31;3:40:12;1\n32;3:41:13;2\n`);
  finish.write('out/nobody.csv', 'Nombre;Tiempo\nAda;1:05\nBea;1:12\nCai;1:15\n');
  const inSpanish = (args: string[], columns: number) => {
    const env = { ...finish.env, LC_ALL: 'es_ES.UTF-8', TERMINAL_COLUMNS: `${columns}` };
    return command().start(args, { cwd: finish.folder, env });
  };
  for (const columns of [60, 80]) {
    const terminal = inSpanish(['watch', 'out', '--yes'], columns);
    onTestFinished(() => terminal.kill());
    const stop = await until(
      terminal.printed,
      () => /MIRA.*? (wave B|nobody)\.csv no se puede leer/.exec(terminal.printed())?.[0],
    );
    expect(stop.length).toBeLessThan(columns);
    const commands = [
      ['status'],
      ['check', 'out/nobody.csv'],
      ['check', 'out/wave B.csv', '--chip-time', 'Meta'],
      ['send', 'out/nobody.csv', '--yes'],
      ['set', '22', '--chip-time', '1:3x'],
      ['set', '22', '--chip-time', '0:00:31'],
      ['set', '22', '--yes=x'],
    ];
    const ended = await Promise.all(commands.map((args) => inSpanish(args, columns).ended));
    terminal.interrupt();
    const said = [...ended, await terminal.ended].map(({ stdout, stderr }) => stdout + stderr);
    expect(said.join('\n')).toContain('race-results check "out/wave B.csv"');
    expect(said.join('\n').match(/\b(the|is|are|not|has|of|and|cannot|line|file)\b/gi)).toBeNull();
  }
  finish.write('out/wave B.csv', waveB);
  rmSync(join(finish.folder, 'out/nobody.csv'));

  atFinish = watch(finish, 'out');
  await shows(atFinish, { state: 'OK', queue: 0, rows: 14, missing: 41 });
  const page = await pageOf(finish).view();
  expect(page).toContain('On the course: 3 with a time at a point, of 41 without a result');
  expect(page).toMatch(/<td>Km 60<\/td><td>3 passings<\/td>/);
  expect(page).toContain('Timing crew (er_live_');
  const told = await finish.run('status');
  expect(told.stdout).toMatch(/^missing +41$/m);
  expect(told.stdout).toMatch(/^ {2}Km 60: 3 passings, /m);
  const missing = await finish.run('missing', '--distance', '110K', '--cut-off', '30:00:00');
  expect(missing.stdout).toMatch(/^10 +110K +Km 60 +23:00:10 +\d+ +42:10:18 LATE/m);

  // The end reads an export that is rewritten all the time, and compares its bytes.
  const rewriting = setInterval(() => {
    finish.write('next', finish.read('out/wave B.csv'));
    renameSync(join(finish.folder, 'next'), join(finish.folder, 'out/wave B.csv'));
  }, 20);
  onTestFinished(() => clearInterval(rewriting));
  await wait(100);
  const end = await stopped(atFinish);
  clearInterval(rewriting);
  expect([end.exitCode, end.last]).toMatchObject([
    0,
    { is_compared: true, unread: [], missing: 41 },
  ]);
  expect((await stopped(atKm60)).exitCode).toBe(0);
  expect((await stopped(atVillage)).exitCode).toBe(0);

  // The results are official. A correction after that is said.
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken });
  await panel.makeResultsOfficial(organizationId, eventId);
  expect((await course.run('set', '21', '--chip-time', '3:14:59')).exitCode).toBe(0);
  const changed = 'Results have changed since the official version 1';
  expect((await finish.run('status')).stdout).toContain(changed);
  const files = ['out/110k.csv', 'out/42k.csv', 'out/wave B.csv'];
  const proof = await finish.run('verify', ...files, '--json');
  expect(linesIn(proof.stdout).at(-1)).toMatchObject({
    official: { version: 1, state: 'changed_since' },
    missing: [],
    differ: [],
    decided_by_hand: [{ bib: '3' }, { bib: '21' }],
    other_points: [{ point: 'Km 60', passings: 3 }],
  });
});
