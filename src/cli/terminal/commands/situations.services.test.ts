import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
  until,
  watch,
} from '../../../testing/runtime/watching.ts';

const api = useApi();

const bibs = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);

async function crewOf(runners: number, registration: Registered = {}): Promise<Crew> {
  const crew = await sendCrew(api(), startInProcess, { runners, registration });
  mkdirSync(join(crew.folder, 'out'));
  return crew;
}

async function besides(race: Crew): Promise<Crew> {
  const crew = await sendCrew(api(), startInProcess, { race });
  return crew;
}

/** The stored values of a bib, the oldest first. */
async function valuesOf({ client, eventId }: Crew, bib: number): Promise<(string | null)[]> {
  const values: { version: number; time: string | null }[] = [];
  for await (const { version, result } of client.listEventResultVersions(eventId, `${bib}`)) {
    values.push({ version, time: result?.chip_time ?? null });
  }
  return values.sort((one, other) => one.version - other.version).map(({ time }) => time);
}

const batchesOf = async ({ client, eventId }: Crew) =>
  (await client.listResultBatches(eventId, { page_size: 1 })).meta.total;

const minuteOf = (turn: number) =>
  `${10 + Math.floor(turn / 60)}-${`${turn % 60}`.padStart(2, '0')}`;

test.each([30, 60])(
  'B1 F20 F21 F22 F23 F52: %i time-stamped exports, a drive that goes and a restart store no old time',
  async (count) => {
    const crew = await crewOf(count);
    const write = (turn: number) => {
      // Bib 5 is corrected in the middle of the race.
      const more = turn >= count / 2 ? 7 : 0;
      const rows = bibs(turn + 1).map((bib) => row(bib, bib === 5 ? more : 0));
      crew.write(`out/results 2026-05-03 ${minuteOf(turn)}.csv`, HEADER + rows.join(''));
    };
    for (const turn of bibs(count - 3, 0)) write(turn);
    const right = { ...stored(...bibs(count)), 5: '01:27:42.000' };
    let running = watch(crew, 'out');
    await shows(running, { state: 'OK', queue: 0, stored: count - 3 });
    for (const turn of bibs(3, count - 3)) write(turn);
    await holds(crew, right);
    await shows(running, { state: 'OK', queue: 0, stored: count });
    const before = await batchesOf(crew);
    renameSync(join(crew.folder, 'out'), join(crew.folder, 'away'));
    await wait(150);
    renameSync(join(crew.folder, 'away'), join(crew.folder, 'out'));
    await wait(500);
    await shows(running, { state: 'OK', queue: 0, stored: count });
    expect((await stopped(running)).exitCode).toBe(0);
    cpSync(join(crew.folder, 'out'), join(crew.folder, 'out copy'), { recursive: true });
    running = watch(crew, 'out', 'out copy');
    await shows(running, { state: 'OK', queue: 0, stored: count });
    expect(await stopped(running)).toMatchObject({ exitCode: 0, last: { stored: count } });
    // A state that is lost changes nothing.
    rmSync(join(crew.folder, '.race-results'), { recursive: true });
    running = watch(crew, 'out', 'out copy');
    await shows(running, { state: 'OK', queue: 0, stored: count });
    expect((await stopped(running)).exitCode).toBe(0);
    expect(await batchesOf(crew)).toBe(before);
    expect(await crew.held()).toEqual(right);
    for (const bib of [1, 5, 6]) expect(await valuesOf(crew, bib)).toHaveLength(1);
  },
);

test('F08 F25 F57 F58 F59: of files of a first start the newer one counts, by name and by disk', async () => {
  const crew = await crewOf(4);
  crew.write('results 11-55 AM.csv', HEADER + row(1, 60) + row(2));
  crew.write('results 1-05 PM.csv', HEADER + row(1));
  crew.write('old.csv', HEADER + row(3, 60));
  crew.write('new.csv', HEADER + row(3));
  const now = Date.now() / 1_000;
  utimesSync(join(crew.folder, 'old.csv'), now - 60, now - 60);
  const names = ['results 11-55 AM.csv', 'results 1-05 PM.csv', 'old.csv', 'new.csv', 'late.csv'];
  const running = watch(crew, ...names);
  await holds(crew, stored(1, 2, 3));
  await shows(running, { state: 'STOPPED', why: 'late.csv is not there', queue: 0 });
  crew.write('late.csv', HEADER + row(4));
  await holds(crew, stored(1, 2, 3, 4));
  await shows(running, { state: 'OK', queue: 0 });
  expect(await valuesOf(crew, 1)).toHaveLength(1);
  expect(await valuesOf(crew, 3)).toHaveLength(1);
});

test('B2 P01 P02 P03: a finish export with Km 10 alone is sent as passings, and the advice works', async () => {
  const crew = await crewOf(30, { distance: '21K' });
  const rows = bibs(30).map((bib) => `${bib},${clock(2_400 + 7 * bib)},\n`);
  const text = `bib,Km 10,time\n${rows.join('')}`;
  crew.write('finish.csv', text);
  const checked = await crew.run('check', 'finish.csv', '--yes');
  expect(checked).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining('30 on the course, without a time: 1, 2, 3'),
  });
  const running = watch(crew, 'finish.csv');
  await shows(running, { state: 'OK', queue: 0, on_course: 30 });
  const points = await crew.client.listEventPassingPoints(crew.eventId);
  expect(points.data).toMatchObject([{ point: 'Km 10', total: 30 }]);
  crew.write('finish.csv', text.replace(/^1,.*$/m, `1,0:40:07,1:26:51`));
  await holds(crew, stored(1));
  await shows(running, { state: 'OK', queue: 0, on_course: 29 });
});

test.each([
  [600, 10],
  [1_500, 30],
])(
  'B3 L16 L17: of %i rows all are stored at once but %i impossible ones, which are named',
  async (count, wrong) => {
    const crew = await crewOf(count, { distance: '21K' });
    const rows = bibs(count).map((bib) =>
      bib % (count / wrong) === 0
        ? `${bib},0:09:${10 + (bib % 50)}\n`
        : `${bib},${clock(5_200 + bib)}\n`,
    );
    crew.write('r.csv', HEADER + rows.join(''));
    const running = watch(crew, 'r.csv');
    const { why } = await shows(running, {
      state: 'LOOK',
      queue: 0,
      left: wrong,
      stored: count - wrong,
    });
    expect(why).toContain(
      `${wrong} left to you, too fast for the distance: ${count / wrong} -, file`,
    );
    expect(linesIn(running.printed()).filter(({ type }) => type === 'sent')).toHaveLength(1);
    const listed = await crew.run('decide', 'too_fast', '--json');
    expect(linesIn(listed.stdout)).toHaveLength(wrong);
    expect((await crew.run('decide', 'too_fast', 'api')).exitCode).toBe(0);
    await shows(running, { state: 'OK', left: 0, decided: wrong });
  },
);

test('B4 U02 U03 U04 U05 U06: undo is of this sender, and --any of the named upload', async () => {
  const crew = await crewOf(6, { distance: '21K' });
  const other = await besides(crew);
  crew.write('finish.csv', fileOf(1, 2));
  expect((await crew.run('send', 'finish.csv', '--yes', ...REHEARSAL)).exitCode).toBe(0);
  const none = await other.run('undo', '--yes');
  expect([none.exitCode, none.stderr]).toEqual([
    2,
    expect.stringContaining('no upload to take back'),
  ]);
  other.write('km10.csv', `${HEADER}3,0:41:07\n4,0:42:08\n`);
  const sent = await other.run('send', 'km10.csv', '--point', 'Km 10', '--yes', ...REHEARSAL);
  expect([sent.exitCode, sent.stderr + sent.stdout]).toEqual([0, expect.anything()]);
  const listed = linesIn((await crew.run('undo', '--any', '--json')).stdout).filter(
    ({ type }) => type === 'upload',
  );
  expect(listed).toMatchObject([
    { of: 'passings', total_processed: 2 },
    { of: 'results', file_name: 'finish.csv', total_processed: 2, key_name: expect.any(String) },
  ]);
  expect(new Set(listed.map(({ sender }) => sender)).size).toBe(2);
  const passings = `${listed[0]?.['id']}`;
  const refused = await crew.run('undo', passings.slice(0, 8), '--yes');
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`race-results undo --any ${passings.slice(0, 8)}`),
  ]);
  // The last upload of the other laptop is of passings.
  expect((await other.run('undo', '--yes')).exitCode).toBe(0);
  expect((await crew.client.listEventPassings(crew.eventId)).meta.total).toBe(0);
  expect(await crew.held()).toEqual(stored(1, 2));
  const results = `${listed[1]?.['id']}`;
  expect((await other.run('undo', '--any', results, '--yes')).exitCode).toBe(0);
  expect(await crew.held()).toEqual({});
});

test('B5 B6 F36 F37 F38 F39 F41: our own files in the folder are no results', async () => {
  const crew = await crewOf(6);
  crew.write('out/finish.csv', fileOf(1, 2));
  const running = watch(crew, 'out', '--start-list', 'out/start.csv');
  await holds(crew, stored(1, 2));
  expect((await crew.run('export', 'out/results.csv')).exitCode).toBe(0);
  expect((await crew.run('verify', 'out/finish.csv')).exitCode).toBe(0);
  cpSync(join(crew.folder, 'out/finish.csv'), join(crew.folder, 'out/copy of finish.csv'));
  // Bib 2 was 3. The export and the copy still say 2.
  crew.write('out/finish.csv', HEADER + row(1) + row(3));
  await shows(running, { queue: 0, stored: 3 });
  const held = await crew.held();
  expect(held).toMatchObject(stored(1, 3));
  expect(await valuesOf(crew, 1)).toHaveLength(1);
  await until(
    () => 'the start list',
    () => existsSync(join(crew.folder, 'out/start.csv')) || undefined,
  );
  await shows(running, { queue: 0, unread: 0 });
});

test('B9 L22 L23 L25: a first DNF and a DESCALIFICADO count, and a removed result stays away', async () => {
  const crew = await crewOf(5);
  const line = (bib: number, status = '', time = clock(5_200 + 11 * bib)) =>
    `${bib};${status === '' ? time : ''};${status}\n`;
  const header = 'Dorsal;Tiempo;Obs\n';
  crew.write('r.csv', header + line(1) + line(2));
  expect((await crew.run('check', 'r.csv', '--yes')).exitCode).toBe(0);
  const running = watch(crew, 'r.csv');
  await holds(crew, stored(1, 2));
  crew.write('r.csv', header + line(1) + line(2) + line(3, 'DNF') + line(4, 'DESCALIFICADO'));
  await until(running.printed, async () => {
    const held = await crew.held();
    const isStored = held[3] === 'DNF' && held[4] === 'DSQ';
    const last = linesIn(running.printed()).findLast(({ type }) => type === 'status');
    return isStored || Number(last?.['rejected']) >= 2 || undefined;
  });
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken: crew.sessionToken });
  await panel.deleteOrganizationEventResult(crew.organizationId, crew.eventId, '2');
  crew.write('r.csv', header + line(1) + line(2, '', '1:27:00') + line(5));
  await until(running.printed, async () => ((await crew.held())[5] ? true : undefined));
  expect((await crew.held())[2]).toBeUndefined();
  // The rows are stored before the command has the answer that names the row of bib 2.
  const open = await until(running.printed, async () => {
    const { exitCode, stdout } = await crew.run('decide', '2', '--json');
    return exitCode === 2 ? undefined : linesIn(stdout);
  });
  expect(open).toMatchObject([{ code: 'deleted_by_person' }]);
});

test('B11 S15 S16: status after a cut send names the rows that wait, and the next watch sends them', async () => {
  const crew = await crewOf(3);
  crew.write('r.csv', fileOf(1, 2, 3));
  const sending = startInProcess(['send', 'r.csv', '--yes', ...REHEARSAL], {
    cwd: crew.folder,
    env: crew.env,
    onPrint: (text) => text.includes('"changes"') && crew.proxy.refuse(),
  });
  expect((await sending.ended).exitCode).toBe(6);
  crew.proxy.mend();
  const status = await crew.run('status', '--json');
  expect([status.exitCode, linesIn(status.stdout).at(-1)]).toMatchObject([6, { queue: 3 }]);
  crew.write('none.csv', HEADER);
  watch(crew, 'none.csv');
  await holds(crew, stored(1, 2, 3));
});

test('C19 C20 T11: two events in one folder go on beside each other, without --state', async () => {
  const crew = await crewOf(4);
  const kids = await crewOf(4);
  const { RACE_RESULTS_API = '', XDG_CONFIG_HOME = '' } = crew.env;
  const env = { ...kids.env, RACE_RESULTS_API, XDG_CONFIG_HOME, RACE_RESULTS_EVENT: '' };
  const second = (...args: string[]) =>
    startInProcess([...args, '--event', kids.eventId], { cwd: crew.folder, env });
  crew.write('race.json', JSON.stringify({ event: crew.eventId, event_name: 'Half' }));
  crew.write('race.csv', fileOf(1, 2));
  crew.write('kids.csv', fileOf(3));
  const running = watch(crew, 'race.csv');
  const beside = second('watch', 'kids.csv', '--json');
  onTestFinished(async () => {
    beside.interrupt();
    await beside.ended;
  });
  await holds(crew, stored(1, 2));
  await holds(kids, stored(3));
  await shows(running, { state: 'OK', rows: 2 });
  await shows(beside, { state: 'OK', rows: 1 });
  expect((await second('status', '--json').ended).stdout).toContain('"rows":1');
  expect((await second('set', '4', '--status', 'DNF').ended).exitCode).toBe(0);
  expect(await kids.held()).toEqual({ ...stored(3), 4: 'DNF' });
  expect(await crew.held()).toEqual(stored(1, 2));
  for (const one of [running, beside]) one.interrupt();
  await Promise.all([running.ended, beside.ended]);
  expect((await second('set', '1', '--status', 'DNF').ended).exitCode).toBe(0);
  expect(await kids.held()).toMatchObject({ 1: 'DNF' });
  const mixed = await second('set', '4', '--status', 'DNF', '--state', '.race-results').ended;
  expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining('--state')]);
});

test('D01 D02: the desk swaps two bibs, and results follow within 10 s', async () => {
  const crew = await crewOf(4);
  crew.write('r.csv', fileOf(1, 2, 3));
  const running = watch(crew, 'r.csv');
  await holds(crew, stored(1, 2, 3));
  await shows(running, { state: 'OK', queue: 0 });
  // The next look tells the registration of each bib.
  await wait(2_500);
  const ids = new Map<string, string>();
  for await (const one of crew.client.listEventParticipants(crew.eventId)) {
    ids.set(one.bib_number ?? '', one.inscription_id);
  }
  const [first = '', second = ''] = [ids.get('1'), ids.get('2')];
  await crew.renumber(first, null);
  await crew.renumber(second, '1');
  await crew.renumber(first, '2');
  const swappedAt = performance.now();
  await until(running.printed, async () => {
    const result = await crew.client.getEventResult(crew.eventId, '1').catch(() => undefined);
    const isRight = result?.inscription_id === second && result.chip_time === '01:26:51.000';
    return isRight || undefined;
  });
  expect(performance.now() - swappedAt).toBeLessThan(10_000);
  await holds(crew, stored(1, 2, 3));
  await shows(running, { state: 'OK', left: 0, queue: 0 });
});

test('F60 F61 B12: another encoding and a new split column in mid-race stop no known row', async () => {
  const crew = await crewOf(6);
  const header = 'dorsal;Año;tiempo\n';
  const line = (bib: number) => `${bib};1980;${clock(5_200 + 11 * bib)}\n`;
  crew.write('r.csv', header + line(1) + line(2));
  expect((await crew.run('check', 'r.csv', '--ignore', 'Año', '--yes')).exitCode).toBe(0);
  const running = watch(crew, 'r.csv');
  await holds(crew, stored(1, 2));
  writeFileSync(
    join(crew.folder, 'r.csv'),
    Buffer.from(header + line(1) + line(2) + line(3), 'latin1'),
  );
  await holds(crew, stored(1, 2, 3));
  await shows(running, { state: 'OK', queue: 0 });
  const split = (bib: number) => `${bib};1980;${clock(5_200 + 11 * bib)};0:41:00\n`;
  crew.write('r.csv', `dorsal;Año;tiempo;Km 10\n${[1, 2, 3, 4].map(split).join('')}`);
  await holds(crew, stored(1, 2, 3, 4));
  const { why } = await shows(running, { state: 'LOOK', queue: 0, unread: 1 });
  expect(why).toContain('a new column');
});

test.each([['Arrivals Km 10'], ['Course "A"; 2026'], ['10 km']])(
  'P04 P14 P15: a point with times of day below the title %s is checked and sent',
  async (title) => {
    const crew = await crewOf(3, { distance: '21K' });
    expect(
      (await crew.run('setup', '--start', '21K=2026-10-25 09:00', '--zone', 'Europe/Madrid'))
        .exitCode,
    ).toBe(0);
    crew.write('km10.csv', `${title}\n\nbib,time\n1,09:41:07\n2,09:42:08\n`);
    const checked = await crew.run(
      'check',
      'km10.csv',
      '--point',
      'Km 10',
      '--times-of-day',
      '--yes',
    );
    expect([checked.exitCode, checked.stderr]).toEqual([0, expect.anything()]);
    const running = watch(crew, 'km10.csv');
    await shows(running, { state: 'OK', queue: 0, rows: 2 });
    const { data } = await crew.client.listEventPassings(crew.eventId);
    expect(data.map(({ time }) => time).sort()).toEqual(['00:41:07.000', '00:42:08.000']);
  },
);

const MADRID = ['--zone', 'Europe/Madrid'];

test('C21 U05: the gun was 30 s later: what moves is said before a yes, and one batch is taken back', async () => {
  const crew = await crewOf(4, { distance: '21K' });
  const { client, eventId } = crew;
  const tell = (at: string, ...more: string[]) =>
    crew.run('setup', '--start', `21K=2026-10-25 ${at}`, ...MADRID, '--json', ...more);
  const gunTime = async () => (await client.getEventResult(eventId, '1')).gun_time;
  expect((await tell('09:00')).exitCode).toBe(0);
  await client.uploadEventResults(eventId, {
    results: [
      { bib_number: '1', gun_time: '1:30:00' },
      { bib_number: '2', chip_time: '1:29:50', gun_time: '1:31:00' },
    ],
  });
  const asked = await tell('09:00:30');
  expect(asked.exitCode).toBe(2);
  const trial = linesIn(asked.stdout).find(({ type }) => type === 'dry_run');
  expect(trial).toMatchObject({ seconds: 30, runners: 4, results: 2, official_version: null });
  expect(trial?.['podiums']).toContainEqual(
    expect.objectContaining({ before: ['2', '1'], after: ['1', '2'] }),
  );
  expect(await gunTime()).toBe('01:30:00.000');
  const done = await tell('09:00:30', '--yes');
  expect([done.exitCode, await gunTime()]).toEqual([0, '01:29:30.000']);
  // The same command again moves nothing twice.
  expect([(await tell('09:00:30')).exitCode, await gunTime()]).toEqual([0, '01:29:30.000']);
  const shifted = linesIn(done.stdout).find(({ type }) => type === 'shifted');
  expect((await crew.run('undo', '--any', `${shifted?.['batch_id']}`, '--yes')).exitCode).toBe(0);
  expect(await gunTime()).toBe('01:30:00.000');
  const { starts } = await client.getEventStarts(eventId);
  expect(starts.map(({ starts_at }) => Date.parse(starts_at))).toEqual([
    Date.parse('2026-10-25T09:00:00+01:00'),
  ]);
  // A gun later than a finish is refused, with the bib.
  const late = await tell('10:45', '--yes');
  expect([late.exitCode, late.stdout]).toEqual([
    3,
    expect.stringMatching(/gun time.*: [12], [12]/),
  ]);
  expect(await gunTime()).toBe('01:30:00.000');
});

test('C04 C05: four laptops tell the start of a distance each at the same moment, and no start is lost', async () => {
  const crew = await crewOf(1);
  const crews = [crew, await besides(crew), await besides(crew), await besides(crew)];
  const told = await Promise.all(
    crews.map((one, at) =>
      one.run('setup', '--start', `${at + 1}K=2026-10-25 09:0${at}`, ...MADRID),
    ),
  );
  expect(told.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(crews.map(() => [0, '']));
  const { starts } = await crew.client.getEventStarts(crew.eventId);
  expect(starts.map(({ distance }) => distance).sort()).toEqual(['1K', '2K', '3K', '4K']);
});

test('B16 N06 N07 T01 T02: what the jury and the other laptop stored meanwhile is not overwritten', async () => {
  const crew = await crewOf(8);
  const other = await besides(crew);
  crew.write('r.csv', fileOf(1, 2, 3));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', queue: 0, stored: 3 });
  crew.proxy.refuse();
  await shows(running, { state: 'OFFLINE' });
  crew.write('r.csv', `${HEADER}${row(1, 9)}${row(2)}${row(3)}${row(4)}${row(5)}${row(6)}`);
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken: crew.sessionToken });
  const { organizationId, eventId } = crew;
  await panel.correctOrganizationEventResult(organizationId, eventId, '1', {
    status: 'DSQ',
    reason: 'Short cut',
  });
  await panel.deleteOrganizationEventResult(organizationId, eventId, '2');
  other.write('r.csv', `${HEADER}${row(4, 30)}${row(5)}`);
  expect((await other.run('send', 'r.csv', '--yes', ...REHEARSAL)).exitCode).toBe(0);
  crew.proxy.mend();
  const right = { ...stored(3, 5, 6), 1: 'DSQ', 4: '01:27:54.000' };
  await holds(crew, right);
  await shows(running, { state: 'LOOK', queue: 0, left: 3 });
  const open = linesIn((await crew.run('decide', '--json')).stdout);
  expect(Object.fromEntries(open.map(({ key, code }) => [key, code]))).toEqual({
    1: 'decided_by_person',
    2: 'deleted_by_person',
    4: 'of_another_sender',
  });
  await wait(3_000);
  expect(await crew.held()).toEqual(right);
});

test('T05 T06 T07: a copied state folder asks for a name before anything is sent', async () => {
  const crew = await crewOf(4);
  const other = await besides(crew);
  crew.write('r.csv', fileOf(1));
  expect((await crew.run('send', 'r.csv', '--yes', ...REHEARSAL)).exitCode).toBe(0);
  cpSync(join(crew.folder, '.race-results'), join(other.folder, '.race-results'), {
    recursive: true,
  });
  other.write('r.csv', fileOf(1, 2));
  for (const args of [
    ['watch', 'r.csv'],
    ['set', '2', '--status', 'DNF'],
    ['send', 'r.csv', '--yes', ...REHEARSAL],
  ]) {
    const refused = await other.run(...args);
    expect([refused.exitCode, refused.stderr + refused.stdout]).toEqual([
      4,
      expect.stringContaining('Give this one a name'),
    ]);
  }
  expect(await crew.held()).toEqual(stored(1));
  const running = watch(other, 'r.csv', '--sender', 'Finish 2');
  await holds(crew, stored(1, 2));
  await shows(running, { state: 'OK' });
  const log = await crew.run('log');
  expect(log.stdout).toContain('Finish 2, ');
});
