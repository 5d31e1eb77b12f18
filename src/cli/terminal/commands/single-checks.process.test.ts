import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Registered } from '../../../testing/runtime/api.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import {
  type Crew,
  linesIn,
  pageOf,
  REHEARSAL,
  sendCrew,
  useApi,
} from '../../../testing/runtime/crew.ts';
import {
  clock,
  holds,
  says,
  shows,
  stopped,
  until,
  watch,
} from '../../../testing/runtime/watching.ts';

// A test waits several times.
vi.setConfig({ testTimeout: 60_000 });

const api = useApi();

const crewOf = (registration: Registered = {}, race?: Crew): Promise<Crew> =>
  sendCrew(api(), startInProcess, { runners: 16, registration, ...(race && { race }) });

const row = (bib: number, more = 0) => `${bib},${clock(2_400 + 11 * bib + more)}\n`;
const file = (bibs: readonly number[], more = 0) =>
  `bib,time\n${bibs.map((bib) => row(bib, more)).join('')}`;
const stored = (bibs: readonly number[], more = 0) =>
  Object.fromEntries(bibs.map((bib) => [bib, `0${clock(2_400 + 11 * bib + more)}.000`]));

const batchesOf = async ({ client, eventId }: Crew) =>
  (await client.listResultBatches(eventId)).meta.total;

const statusOf = async (crew: Crew) => linesIn((await crew.run('status', '--json')).stdout).at(-1);

test('F24: a drive that is away for long is STOPPED, then OK, and nothing is stored twice', async () => {
  const crew = await crewOf();
  const [out, away] = [join(crew.folder, 'out'), join(crew.folder, 'away')];
  mkdirSync(out);
  crew.write('out/r.csv', file([1, 2]));
  const running = watch(crew, 'out');
  await shows(running, { state: 'OK', stored: 2 });
  renameSync(out, away);
  await shows(running, { state: 'STOPPED', stopped: 1 });
  renameSync(away, out);
  await shows(running, { state: 'OK', stored: 2 });
  expect(await batchesOf(crew)).toBe(1);
});

test('F26 L38 L40: two files of a second that disagree are a question, also after a restart, and need a name', async () => {
  const crew = await crewOf();
  crew.write('a.csv', file([1, 2]));
  crew.write('b.csv', `bib,time\n${row(1)}${row(2, 7)}`);
  for (const name of ['a.csv', 'b.csv']) utimesSync(join(crew.folder, name), 1e9, 1e9);
  const running = watch(crew, 'a.csv', 'b.csv');
  const look = await shows(running, { state: 'LOOK', left: 1, queue: 0 });
  expect(await crew.held()).toEqual(stored([1]));
  const unnamed = await crew.run('decide', '2', 'file');
  expect(unnamed.exitCode).not.toBe(0);
  expect(unnamed.stderr).toMatch(/a\.csv.*b\.csv/s);
  expect((await stopped(running)).exitCode).toBe(4);
  const again = watch(crew, 'a.csv', 'b.csv');
  expect(await shows(again, { state: 'LOOK', left: 1 })).toMatchObject({ why: look['why'] });
  expect((await crew.run('decide', '2', 'b.csv')).exitCode).toBe(0);
  await holds(crew, { ...stored([1]), ...stored([2], 7) });
});

test('F40: the start list of another program is no results, and no question after an answer', async () => {
  const crew = await crewOf();
  mkdirSync(join(crew.folder, 'out'));
  crew.write('out/r.csv', file([1]));
  crew.write('out/starters.csv', 'bib,name\n1,Ana\n2,Bo\n');
  const running = watch(crew, 'out');
  await shows(running, { state: 'LOOK', queue: 0, stored: 1 });
  await pageOf(crew).answer();
  await shows(running, { state: 'OK' });
  await stopped(running);
  await shows(watch(crew, 'out'), { state: 'OK', queue: 0 });
  expect(await crew.held()).toEqual(stored([1]));
});

test('F55: the newer content counts again after a drive has given old content', async () => {
  const crew = await crewOf();
  crew.write('r.csv', file([1, 2]));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  for (const more of [9, 0, 9]) {
    crew.write('r.csv', file([1, 2], more));
    await holds(crew, stored([1, 2], more));
  }
  await shows(running, { state: 'OK', queue: 0 });
});

test('N05 S01 S03: a file that changes while a request is out waits for the answer, and is not OK before', async () => {
  const crew = await crewOf();
  crew.proxy.delay(400);
  crew.write('r.csv', file([1]));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'READING' });
  await shows(running, { state: 'SENDING', queue: 1 });
  crew.write('r.csv', file([1, 2], 5));
  await shows(running, { state: 'OK', stored: 2 });
  expect(await crew.held()).toEqual(stored([1, 2], 5));
  const states = linesIn(running.printed()).flatMap(({ type, ...one }) =>
    type === 'status' ? [`${one['state']} ${one['queue']}`] : [],
  );
  expect(states[0]).toBe('READING 0');
  expect(states.filter((state) => state.startsWith('OK')).every((one) => one === 'OK 0')).toBe(
    true,
  );
});

test('N08: the page of a hotspot is OFFLINE, in words', async () => {
  const crew = await crewOf();
  crew.write('r.csv', file([1]));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK' });
  crew.proxy.capture();
  crew.write('r.csv', file([1, 2]));
  // A request that was out says first that the connection broke.
  await until(running.printed, () => {
    const last = linesIn(running.printed()).findLast(({ type }) => type === 'status');
    const isSo = last?.['queue'] === 1 && String(last['why']).includes('text/html');
    return (isSo && last['state'] === 'OFFLINE') || undefined;
  });
  expect((await statusOf(crew))?.['state']).toBe('OFFLINE');
  crew.proxy.mend();
  await shows(running, { state: 'OK', stored: 2 });
});

test('N19: a damaged line of the state is said, and the same rows are stored', async () => {
  const crew = await crewOf();
  crew.write('r.csv', file([1, 2]));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  await stopped(running);
  const state = join(crew.folder, '.race-results/state.log');
  writeFileSync(state, crew.read('.race-results/state.log').replace('"acknowledged"', '"acknow'));
  crew.write('r.csv', file([1, 2, 3]));
  const again = watch(crew, 'r.csv');
  await says(again, 'damaged');
  await shows(again, { state: 'OK', stored: 3 });
  expect(await crew.held()).toEqual(stored([1, 2, 3]));
});

test('L20: a wave that one correction of the gun moves is stored, and is no second finish', async () => {
  const crew = await crewOf();
  const bibs = Array.from({ length: 16 }, (_, at) => at + 1);
  crew.write('r.csv', file(bibs));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 16 });
  const [wave, others] = [bibs.slice(0, 3), bibs.slice(3)];
  crew.write('r.csv', file(wave, 240) + others.map((bib) => row(bib)).join(''));
  await holds(crew, { ...stored(wave, 240), ...stored(others) });
  await shows(running, { state: 'OK', stored: 16 });
});

test('L26 L20: a correction of the gun for over a fifth of the rows waits for a person, and new rows do not', async () => {
  const crew = await crewOf();
  const bibs = Array.from({ length: 8 }, (_, at) => at + 1);
  crew.write('r.csv', file(bibs));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 8 });
  crew.write('r.csv', file(bibs, 240) + row(9));
  await shows(running, { state: 'LOOK', left: 8, queue: 0, stored: 1 });
  expect(await crew.held()).toEqual({ ...stored(bibs), ...stored([9]) });
  expect((await crew.run('decide', 'too_many_changes', 'file')).exitCode).toBe(0);
  await holds(crew, { ...stored(bibs, 240), ...stored([9]) });
  await shows(running, { state: 'OK', stored: 9 });
});

test('L34: a DNS of a runner with a passing is a question', async () => {
  const crew = await crewOf();
  const passings = [{ bib_number: '1', point: 'Km 5', time: '0:20:00' }];
  await crew.client.uploadEventPassings(crew.eventId, { passings });
  crew.write('r.csv', `bib,time,status\n1,,DNS\n2,${clock(2_422)},FINISHED\n`);
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'LOOK', left: 1, queue: 0 });
  const open = linesIn((await crew.run('decide', '--json')).stdout);
  expect(open).toEqual([expect.objectContaining({ key: '1', code: 'dns_with_passing' })]);
  expect(await crew.held()).toEqual(stored([2]));
});

test('S14: status beside a watch has the state of the watch', async () => {
  const crew = await crewOf();
  crew.write('r.csv', `${file([1])}99,0:50:00\n`);
  const running = watch(crew, 'r.csv');
  const { state, stored: count, rejected } = await shows(running, { state: 'LOOK', rejected: 1 });
  expect(await statusOf(crew)).toMatchObject({ state, stored: count, rejected });
});

test('P17: 24 laps are 24 splits', async () => {
  const crew = await crewOf();
  const laps = Array.from({ length: 24 }, (_, at) => at + 1);
  const header = ['bib', ...laps.map((lap) => `Lap ${lap}`), 'time'].join(',');
  const times = laps.map((lap) => clock(600 * lap));
  crew.write('r.csv', `${header}\n1,${times.join(',')},${clock(14_500)}\n`);
  const sent = await crew.run('send', 'r.csv', '--yes', ...REHEARSAL);
  expect([sent.exitCode, sent.stderr]).toEqual([0, '']);
  const { splits } = await crew.client.getEventResult(crew.eventId, '1');
  expect(Object.keys(splits)).toHaveLength(24);
});

test('P07: two laptops at two points touch no rows of each other', async () => {
  const finish = await crewOf();
  const course = await crewOf({}, finish);
  finish.write('finish.csv', file([1, 2]));
  course.write('km5.csv', file([1, 2, 3], -1_200));
  const atFinish = watch(finish, 'finish.csv');
  const atKm5 = watch(course, 'km5.csv', '--point', 'Km 5');
  await shows(atFinish, { state: 'OK', stored: 2 });
  await shows(atKm5, { state: 'OK', stored: 3 });
  appendFileSync(join(course.folder, 'km5.csv'), row(4, -1_200));
  await vi.waitFor(async () => {
    const passed: string[] = [];
    for await (const { bib_number, time } of finish.client.exportEventPassings(finish.eventId)) {
      passed.push(`${bib_number} ${time}`);
    }
    expect(passed.sort()).toEqual(
      [1, 2, 3, 4].map((bib) => `${bib} 0${clock(1_200 + 11 * bib)}.000`),
    );
  }, 30_000);
  expect(await finish.held()).toEqual(stored([1, 2]));
  await shows(atFinish, { state: 'OK', stored: 2, left: 0 });
});

test('T03 T10: a second laptop with equal rows has no question, and takes over with a copy of the file', async () => {
  const first = await crewOf();
  const second = await crewOf({}, first);
  first.write('r.csv', file([1, 2]));
  const running = watch(first, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  cpSync(join(first.folder, 'r.csv'), join(second.folder, 'r.csv'));
  const other = watch(second, 'r.csv');
  await shows(other, { state: 'OK', stored: 2, left: 0 });
  expect(await batchesOf(first)).toBe(1);
  await stopped(running);
  appendFileSync(join(second.folder, 'r.csv'), row(3));
  await shows(other, { state: 'OK', stored: 3, left: 0 });
  expect(await first.held()).toEqual(stored([1, 2, 3]));
});

test('C06 C12: setup leaves waves by bib, and reads the start in the named zone', async () => {
  const crew = await crewOf({ distance: '21K' });
  const wave = { name: 'Wave B', distance: '21K', starts_at: '2026-10-25T09:10:00+01:00' };
  const starts = [{ ...wave, bib_from: 9, bib_to: 16 }];
  const { version } = await crew.client.getEventStarts(crew.eventId);
  await crew.client.putEventStarts(crew.eventId, { version, starts });
  const told = ['--start', '21K=2026-10-25 09:00', '--zone', 'Atlantic/Canary'];
  expect((await crew.run('setup', ...told)).exitCode).toBe(0);
  const found = (await crew.client.getEventStarts(crew.eventId)).starts.map(
    ({ name, starts_at }) => [name, Date.parse(starts_at)],
  );
  expect(found.sort()).toEqual([
    ['21K', Date.parse('2026-10-25T09:00:00Z')],
    ['Wave B', Date.parse(wave.starts_at)],
  ]);
});

test('D04: set of a cancelled registration warns', async () => {
  const crew = await crewOf({ status: 'CANCELLED' });
  const asked = await crew.run('set', '1', '--status', 'DNF');
  expect([asked.exitCode, asked.stderr]).toEqual([
    4,
    expect.stringContaining('cancelled_registration'),
  ]);
  expect(await crew.held()).toEqual({});
});

test('D10: a start list that cannot be written is said, and the results go on', async () => {
  const crew = await crewOf();
  crew.write('r.csv', file([1]));
  const running = watch(crew, 'r.csv', '--start-list', 'absent/start.csv');
  await says(running, 'start_list_not_kept');
  await shows(running, { state: 'OK', stored: 1 });
});

test('O16: export saves the results as the API writes them', async () => {
  const crew = await crewOf();
  await crew.client.uploadEventResults(crew.eventId, {
    results: [{ bib_number: '7', chip_time: '0:41:00' }],
  });
  expect((await crew.run('export', 'results.csv')).exitCode).toBe(0);
  expect(crew.read('results.csv')).toMatch(/\b7\b.*00:41:00/);
  const again = await crew.run('export', 'results.csv');
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('results.csv')]);
});

test('O17: a stored passing that the file of its point lacks is a difference', async () => {
  const crew = await crewOf();
  crew.write('km5.csv', file([1, 2], -1_200));
  const passings = [1, 2, 3].map((bib) => ({
    bib_number: `${bib}`,
    point: 'Km 5',
    time: clock(1_200 + 11 * bib),
  }));
  await crew.client.uploadEventPassings(crew.eventId, { passings });
  const verified = await crew.run('verify', 'km5.csv', '--point', 'Km 5', '--json');
  expect([verified.exitCode, linesIn(verified.stdout).at(-1)]).toMatchObject([
    1,
    { is_equal: false, in_no_file: [{ bib: '3', point: 'km 5' }], other_points: [] },
  ]);
});

test('O21: a link as the state folder is refused', async () => {
  const crew = await crewOf();
  mkdirSync(join(crew.folder, 'elsewhere'));
  symlinkSync(join(crew.folder, 'elsewhere'), join(crew.folder, '.race-results'));
  crew.write('r.csv', file([1]));
  const ended = await crew.run('watch', 'r.csv');
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('.race-results')]);
  expect(await crew.held()).toEqual({});
});

test('C10 C11: times of day without a start are STOPPED or rejected, and the command is named', async () => {
  const crew = await crewOf((bib) => ({ distance: bib < 3 ? '21K' : '5K' }));
  crew.write('r.csv', 'bib,time\n1,10:31:10\n2,10:32:20\n3,09:25:00\n');
  const running = watch(crew, 'r.csv', '--times-of-day');
  await shows(running, { state: 'STOPPED', queue: 0 });
  await until(running.printed, () => /setup --start/.test(running.printed()) || undefined);
  expect(await crew.held()).toEqual({});
  const told = ['--start', '21K=2026-10-25 09:00', '--zone', 'Europe/Madrid'];
  expect((await crew.run('setup', ...told)).exitCode).toBe(0);
  await shows(running, { stopped: 0, stored: 2, rejected: 1 });
  const { stdout } = await crew.run('status');
  expect(stdout).toContain('setup --start "5K=');
});
