import { expect, test } from 'vitest';
import { PanelClient } from '../../../client/index.ts';
import type { Registered } from '../../../testing/runtime/api.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { type Crew, linesIn, REHEARSAL, sendCrew, useApi } from '../../../testing/runtime/crew.ts';
import {
  clock,
  fileOf,
  HEADER,
  holds,
  row,
  shows,
  stopped,
  stored,
  timeOf,
  until,
  watch,
} from '../../../testing/runtime/watching.ts';

const api = useApi();

const crewOf = (runners: number, registration: Registered = {}): Promise<Crew> =>
  sendCrew(api(), startInProcess, { runners, registration });

/** The codes of the open questions, by key. */
const openIn = async (crew: Crew) =>
  Object.fromEntries(
    linesIn((await crew.run('decide', '--json')).stdout)
      .filter(({ type }) => type === 'open')
      .map(({ key, code }) => [`${key}`.replace('\n', ' '), code]),
  );

const send = async (crew: Crew, name: string, ...more: string[]) =>
  (await crew.run('send', name, '--yes', ...REHEARSAL, ...more)).exitCode;

test('L06 L07 L08 L10 L37: a person decides several bibs, or all of a reason, and later rows of the file count', async () => {
  const crew = await crewOf(6);
  const other = await sendCrew(api(), startInProcess, { race: crew });
  for (const bib of ['1', '2', '3']) await other.run('set', bib, '--status', 'DSQ');
  crew.write('r.csv', fileOf(1, 2, 3, 4));
  const running = watch(crew, 'r.csv');
  const { why } = await shows(running, { state: 'LOOK', left: 3, queue: 0 });
  expect(why).toMatch(/1 DSQ, file FINISHED 01:26:51.000; .*\(stored by .*, 20\d\d-/);
  const nobody = await crew.run('decide', '99', 'api');
  expect([nobody.exitCode, nobody.stderr]).toEqual([2, expect.stringContaining('99')]);
  const decided = await crew.run('decide', '1', '2', 'file');
  expect(decided).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('2 DSQ, file FINISHED'),
  });
  await holds(crew, { ...stored(1, 2, 4), 3: 'DSQ' });
  crew.write('r.csv', HEADER + row(1, 5) + row(2) + row(3) + row(4));
  await holds(crew, { ...stored(2, 4), 1: timeOf(1, 5), 3: 'DSQ' });
  expect((await crew.run('decide', 'decided_by_person', 'api')).exitCode).toBe(0);
  await shows(running, { state: 'OK', left: 0, decided: 1 });
  const status = await crew.run('status', '--json');
  expect([status.exitCode, linesIn(status.stdout).at(-1)]).toMatchObject([0, { state: 'OK' }]);
});

test('U10 U11 U12 U16 U19 U20: undo goes back upload by upload, names kept rows, and can be undone', async () => {
  const crew = await crewOf(6);
  crew.write('r.csv', fileOf(1, 2));
  expect(await send(crew, 'r.csv')).toBe(0);
  crew.write('r.csv', HEADER + row(1, 5) + row(2) + row(3));
  expect(await send(crew, 'r.csv')).toBe(0);
  const both = { ...stored(2, 3), 1: timeOf(1, 5) };
  expect(await crew.held()).toEqual(both);
  const undone = await crew.run('undo', '--yes');
  expect(await crew.held()).toEqual(stored(1, 2));
  const [, id = ''] = /undo --any (\S+)/.exec(undone.stdout) ?? [];
  expect((await crew.run('undo', '--any', id, '--yes')).exitCode).toBe(0);
  expect(await crew.held()).toEqual(both);
  // The first upload has bib 1 of an earlier value: bib 1 stays.
  const { data } = await crew.client.listResultBatches(crew.eventId);
  const first = data.at(-1)?.id ?? '';
  const kept = await crew.run('undo', first, '--yes');
  expect([kept.exitCode, kept.stdout]).toEqual([0, expect.stringContaining('would stay: bib 1')]);
  const none = await crew.run('remove', '6', '--yes');
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('bib 6 has no result')]);
  const blank = await crew.run('undo', '', '--yes');
  expect(blank.exitCode).toBe(2);
  const before = await crew.held();
  crew.proxy.refuse();
  expect((await crew.run('undo', '--yes')).exitCode).toBe(6);
  crew.proxy.mend();
  expect(await crew.held()).toEqual(before);
});

test('U07 U08 U13 U17: undo and remove beside a watch, and the right file after the undo of a wrong one', async () => {
  const crew = await crewOf(8);
  crew.write('r.csv', fileOf(1, 2));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  expect((await crew.run('remove', '2', '--yes')).exitCode).toBe(0);
  await shows(running, { state: 'OK', left: 0, decided: 1 });
  crew.write('r.csv', fileOf(1, 2, 3));
  await holds(crew, stored(1, 3));
  // A wrong file is sent and undone. Equal rows of the right file are a question, and the printed advice sends them.
  crew.write('wrong.csv', fileOf(4, 5));
  expect(await send(crew, 'wrong.csv')).toBe(0);
  const undone = await crew.run('undo', '--yes');
  expect(undone.stdout).toContain('`race-results decide taken_back file` sends them');
  const at = performance.now();
  crew.write('r.csv', `${fileOf(1, 2, 3, 4)}${row(5, 7)}`);
  await shows(running, { state: 'LOOK', left: 1 });
  expect(performance.now() - at).toBeLessThan(10_000);
  expect(await crew.held()).toEqual({ ...stored(1, 3), 5: timeOf(5, 7) });
  expect(await openIn(crew)).toEqual({ 4: 'taken_back' });
  expect((await crew.run('decide', 'taken_back', 'file')).exitCode).toBe(0);
  await holds(crew, { ...stored(1, 3, 4), 5: timeOf(5, 7) });
  await shows(running, { state: 'OK', left: 0 });
});

test('U18: after send and undo of a wrong file, send of the right file gives advice that works', async () => {
  const crew = await crewOf(4);
  crew.write('wrong.csv', fileOf(1, 2));
  expect(await send(crew, 'wrong.csv')).toBe(0);
  expect((await crew.run('undo', '--yes')).exitCode).toBe(0);
  crew.write('right.csv', `${fileOf(1)}${row(2, 9)}${row(3)}`);
  const sent = await crew.run('send', 'right.csv', '--yes', ...REHEARSAL.slice(0, 2));
  expect([sent.exitCode, sent.stdout + sent.stderr]).toEqual([
    4,
    expect.stringContaining('`race-results decide BIB file` sends them'),
  ]);
  expect(await crew.held()).toEqual({ ...stored(3), 2: timeOf(2, 9) });
  const decided = await crew.run('decide', '1', 'file');
  expect([decided.exitCode, decided.stderr]).toEqual([0, '']);
  expect(await crew.held()).toEqual({ ...stored(1, 3), 2: timeOf(2, 9) });
});

test('P09 P10 P11 P16 P19 P20: passings that cannot be are left, and a deleted point stays away', async () => {
  const crew = await crewOf(6, { distance: '21K' });
  const results = [
    { bib_number: '1', chip_time: '1:20:07' },
    { bib_number: '2', status: 'DNS' as const },
  ];
  await crew.client.uploadEventResults(crew.eventId, { results });
  const km10 = (...rows: string[]) => `${HEADER}${rows.join('\n')}\n`;
  crew.write('km10.csv', km10('1,1:25:07', '2,0:41:08', '3,0:42:09', '4,0:43:01', '5,0:44:02'));
  const running = watch(crew, 'km10.csv', '--point', 'Km 10');
  await shows(running, { queue: 0, left: 2, state: 'LOOK' });
  expect(await openIn(crew)).toEqual({ '1 km 10': 'after_finish', '2 km 10': 'passing_of_dns' });
  await crew.client.deleteEventPassings(crew.eventId, 'Km 10');
  await shows(running, { queue: 0, left: 5 });
  expect((await crew.client.listEventPassings(crew.eventId)).meta.total).toBe(0);
  const open = await openIn(crew);
  expect(open['3 km 10']).toBe('deleted_by_person');
  expect((await crew.run('decide', 'deleted_by_person', 'file')).exitCode).toBe(0);
  await shows(running, { queue: 0, left: 2 });
  crew.write('km10.csv', km10('3,0:42:09', '4,0:43:01', '5,0:44:02'));
  await shows(running, { queue: 0, stored: 3 });
});

test('L18 L21 L24: most rows impossible stop a file, a DNF of the file counts, a DSQ is not overwritten', async () => {
  const crew = await crewOf(30, { distance: '21K' });
  crew.write('r.csv', fileOf(1, 2));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  const status = (line: string) => `bib,time,status\n${line}`;
  const more = Array.from({ length: 20 }, (_, at) => `${row(at + 10).trim()},\n`).join('');
  crew.write('s.csv', status(`3,1:26:51,\n4,,DSQ\n${more}`));
  expect((await crew.run('check', 's.csv', '--yes')).exitCode).toBe(0);
  const second = watch(crew, 'r.csv', 's.csv', '--state', 'other');
  expect((await second.ended).exitCode).toBe(7);
  expect(await send(crew, 's.csv')).toBe(0);
  crew.write('s.csv', status(`3,,DNF\n4,1:27:51,\n${more}`));
  expect(await send(crew, 's.csv', '--force', 'status_would_change')).toBe(4);
  expect(await openIn(crew)).toEqual({ 4: 'disqualified' });
  expect(await crew.held()).toMatchObject({ 3: 'DNF', 4: 'DSQ' });
  crew.write('r.csv', `${HEADER}${[1, 2, 5, 6, 7].map((bib) => `${bib},0:0${bib}:12\n`).join('')}`);
  await until(
    running.printed,
    () => /too_fast|too fast|STOPPED/.test(running.printed()) || undefined,
  );
  expect(await crew.held()).toMatchObject(stored(1, 2));
  expect((await crew.held())[5]).toBeUndefined();
});

test('F29 F31 F49 F50 F51: lists of parts, of twins and without rows remove nothing', async () => {
  const crew = await crewOf(6);
  crew.write('r.csv', `${HEADER}${row(1, 60)} 1 ,${clock(5_211)}\n${row(2)}${row(3)}`);
  let running = watch(crew, 'r.csv');
  await holds(crew, stored(1, 2, 3));
  crew.write('r.csv', fileOf(1, 2));
  await shows(running, { state: 'LOOK', left: 1 });
  expect(await openIn(crew)).toEqual({ 3: 'gone' });
  const needsRemove = await crew.run('decide', '3', 'file');
  expect([needsRemove.exitCode === 0, needsRemove.stderr]).toEqual([
    false,
    expect.stringContaining('race-results remove 3'),
  ]);
  expect((await crew.run('decide', '3', 'api')).exitCode).toBe(0);
  await shows(running, { state: 'OK', left: 0 });
  crew.write('r.csv', HEADER);
  await shows(running, { state: 'LOOK', queue: 0 });
  expect(await crew.held()).toEqual(stored(1, 2, 3));
  await stopped(running);
  crew.write(
    'all.csv',
    `bib,time,point\n${[1, 2, 3].map((bib) => `${row(bib).trim()},Finish\n`).join('')}4,0:41:07,Km 10\n`,
  );
  running = watch(crew, 'all.csv', '--where', 'point:Finish', '--ignore', 'point');
  await shows(running, { state: 'OK', queue: 0, stored: 3 });
  crew.write('all.csv', 'bib,time,point\n4,0:41:07,Km 10\n');
  await until(running.printed, () => /"rows":0/.test(running.printed()) || undefined);
  expect(await crew.held()).toEqual(stored(1, 2, 3));
});

test('T14 L25 S24: a result removed in the panel stays away, and status lists the question', async () => {
  const crew = await crewOf(4);
  crew.write('r.csv', fileOf(1, 2));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken: crew.sessionToken });
  await panel.deleteOrganizationEventResult(crew.organizationId, crew.eventId, '1');
  const at = performance.now();
  await shows(running, { state: 'LOOK', left: 1, queue: 0 });
  expect(performance.now() - at).toBeLessThan(10_000);
  expect(await crew.held()).toEqual(stored(2));
  const status = await crew.run('status');
  expect([status.exitCode, status.stdout]).toEqual([
    4,
    expect.stringContaining('a person removed it: 1 -, file FINISHED'),
  ]);
});
