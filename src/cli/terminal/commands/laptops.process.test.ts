import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PanelClient } from '../../../client/index.ts';
import type { Registered } from '../../../testing/runtime/api.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { linesIn, pageOf, REHEARSAL, sendCrew, useApi } from '../../../testing/runtime/crew.ts';
import { says, shows, watch } from '../../../testing/runtime/watching.ts';

// A test waits several times.
vi.setConfig({ testTimeout: 180_000 });

const api = useApi();
const LONGEST_MS = 40_000;

/** A laptop at the finish, and one on the course. */
async function laptops(registration: Registered = { distance: '21K' }) {
  const finish = await sendCrew(api(), startInProcess, { runners: 9, registration });
  const course = await sendCrew(api(), startInProcess, { race: finish });
  return { finish, course };
}

const bibs = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const lastOf = (stdout: string) => linesIn(stdout).at(-1);

test('O17: verify lists apart what a person decided anywhere, and the points of other laptops', async () => {
  const { finish, course } = await laptops();
  const { client, eventId } = finish;
  finish.write('finish.csv', 'bib,time\n1,1:30:03\n2,1:31:12\n3,1:32:21\n');
  course.write('km10.csv', 'bib,time\n1,0:41:10\n2,0:42:20\n4,0:43:35\n');
  await finish.run('send', 'finish.csv', '--yes', ...REHEARSAL);
  await course.run('send', 'km10.csv', '--point', 'Km 10', '--yes', ...REHEARSAL);
  expect((await course.run('set', '2', '--status', 'DNF')).exitCode).toBe(0);
  const equal = await finish.run('verify', 'finish.csv', '--json');
  expect([equal.exitCode, lastOf(equal.stdout)]).toMatchObject([
    0,
    {
      is_equal: true,
      counts: { equal: 2, differ: 0, in_no_file: 0, decided_by_hand: 1 },
      decided_by_hand: [{ bib: '2', held: expect.stringContaining('DNF') }],
      other_points: [{ point: 'Km 10', passings: 3 }],
    },
  ]);
  expect((await finish.run('verify', 'finish.csv')).stdout).toMatch(/^EQUAL, but for what people/);
  // What nobody decided is a difference.
  await client.uploadEventResults(eventId, {
    results: [{ bib_number: '3', chip_time: '1:39:00' }],
  });
  const differs = await finish.run('verify', 'finish.csv', '--json');
  expect([differs.exitCode, lastOf(differs.stdout)]).toMatchObject([1, { differ: [{ bib: '3' }] }]);
});

test('T15: watch, status and verify say that results have changed since they were official', async () => {
  const { finish, course } = await laptops();
  const { organizationId, eventId, sessionToken } = finish;
  mkdirSync(`${finish.folder}/out`);
  finish.write('out/finish.csv', 'bib,time\n1,1:30:03\n2,1:31:12\n');
  const first = watch(finish, 'out');
  await shows(first, { queue: 0, rows: 2, official: null });
  first.interrupt();
  await first.ended;
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken });
  await panel.makeResultsOfficial(organizationId, eventId);
  const official = await finish.run('status');
  expect(official.stdout).toMatch(/^official +version 1 of /m);
  expect((await course.run('set', '2', '--chip-time', '1:31:30')).exitCode).toBe(0);
  await shows(watch(finish, 'out'), { official: 1 });
  const changed = 'Results have changed since the official version 1';
  expect((await finish.run('status')).stdout).toContain(changed);
  expect((await finish.run('verify', 'out/finish.csv')).stdout).toContain(changed);
});

test('T04 T16: the page and status say who is on the course and who sent what, with one number of those without a result', async () => {
  const { finish, course } = await laptops();
  course.write('km10.csv', 'bib,time\n1,0:41:10\n2,0:42:20\n4,0:43:35\n');
  await course.run('send', 'km10.csv', '--point', 'Km 10', '--yes', ...REHEARSAL);
  await course.run('set', '9', '--status', 'DNF');
  finish.write('finish.csv', 'bib,time\n1,1:30:03\n3,1:31:12\n');
  const running = watch(finish, 'finish.csv');
  await shows(running, { queue: 0, rows: 2, missing: 6 });
  const view = await pageOf(finish).view();
  expect(view).toContain('On the course: 2 with a time at a point, of 6 without a result');
  // The slower one comes first.
  const rows = [...view.matchAll(/<td>(\d)<\/td><td>21K<\/td><td>Km 10<\/td><td>([\d:]+)<\/td>/g)];
  expect(rows.map(([, bib, time]) => [bib, time])).toEqual([
    ['4', '00:43:35'],
    ['2', '00:42:20'],
  ]);
  expect(view).toMatch(/<td>Km 10<\/td><td>3 passings<\/td><td>[\d:]{8}<\/td><td>0<\/td>/);
  expect(view).toMatch(/<td>[^<]+, Timing crew \(er_live_\w+\)<\/td><td>[^<]+, 1 row<\/td>/);
  const { stdout } = await finish.run('status');
  expect(stdout).toMatch(/^missing +6$/m);
  expect(stdout).toMatch(/^ {2}Km 10: 3 passings, [-\d: ]+, 0 min ago$/m);
  running.interrupt();
  const ended = await running.ended;
  expect(linesIn(ended.stdout).findLast(({ type }) => type === 'stopped')).toMatchObject({
    missing: 6,
  });
});

test('C01 C02 C07: times of day become race times by the start of each distance, over midnight and a change of the clocks', async () => {
  const { finish, course } = await laptops((bib) => ({ distance: bib < 5 ? '110K' : '21K' }));
  const starts = [
    ...['--start', '110K=2026-10-24 06:00', '--start', '21K=2026-10-25 09:00'],
    ...['--zone', 'Europe/Madrid'],
  ];
  course.write('km60.csv', 'bib;time\n1;14:03:22\n2;00:01:28\n3;01:59:59\n');
  const early = await course.run('check', 'km60.csv', '--point', 'Km 60', '--times-of-day');
  expect([early.exitCode, early.stderr]).toEqual([
    3,
    expect.stringContaining('has no start times'),
  ]);
  for (const crew of [finish, course]) {
    expect((await crew.run('setup', ...starts)).exitCode).toBe(0);
  }
  const checked = await course.run('check', 'km60.csv', '--point', 'Km 60', '--times-of-day');
  // The told starts are of a past day.
  const pastDay = expect.stringMatching(/^\nLook at this [^\n]*:\n {2}not_event_day: [^\n]*\n$/);
  expect([checked.exitCode, checked.stderr]).toEqual([0, pastDay]);
  // Bib 2 came an hour after the clocks had gone back; bib 3 in the hour that comes twice.
  course.write('km60.csv', 'bib;time\n1;14:03:22\n2;00:01:28\n3;02:30:00\n4;16:00:00\n');
  const atKm60 = watch(course, 'km60.csv', '--point', 'Km 60');
  await shows(atKm60, { queue: 0, rows: 4, rejected: 1 });
  finish.write('finish.csv', 'bib;time;status\n1;22:31:10;\n2;08:00:00;\n5;10:28:03;\n6;;DNF\n');
  expect((await finish.run('check', 'finish.csv', '--times-of-day')).exitCode).toBe(0);
  const running = watch(finish, 'finish.csv');
  await shows(running, { state: 'OK', queue: 0, rows: 4, missing: 5 });
  const { client, eventId } = finish;
  const stored: Record<string, string | null> = {};
  for await (const one of client.listEventResults(eventId)) {
    stored[one.bib_number ?? ''] = one.gun_time ?? one.status;
  }
  expect(stored).toEqual({
    '1': '16:31:10.000',
    '2': '27:00:00.000',
    '5': '01:28:03.000',
    '6': 'DNF',
  });
  // A queue is empty for a moment before the rows of a file wait in it.
  await vi.waitFor(async () => {
    const passed: string[] = [];
    for await (const { bib_number, time } of client.exportEventPassings(eventId)) {
      passed.push(`${bib_number} ${time}`);
    }
    expect(passed).toEqual(['1 08:03:22.000', '4 10:00:00.000', '2 18:01:28.000']);
  }, LONGEST_MS);
  // The start is corrected: every time is half a minute longer.
  const corrected = ['--start', '110K=2026-10-24 05:59:30', '--yes'];
  expect((await finish.run('setup', ...corrected)).exitCode).toBe(0);
  await shows(running, { queue: 0, rows: 4 });
  await vi.waitFor(
    async () => expect((await client.getEventResult(eventId, '1')).gun_time).toBe('16:31:40.000'),
    LONGEST_MS,
  );
  const proof = await finish.run('verify', 'finish.csv');
  expect([proof.exitCode, proof.stdout]).toEqual([0, expect.stringMatching(/^EQUAL/)]);
});

/** The API, where the paths of a pattern cannot be reached. */
async function partOfApi() {
  const away = { paths: /^$/ };
  const server = createServer((asked, answer) => {
    const { url = '/', method, headers } = asked;
    if (away.paths.test(url)) return void answer.writeHead(503).end();
    const forwarded = request(new URL(url, api().origin), { method, headers }, (found) => {
      found.pipe(answer.writeHead(found.statusCode ?? 500, found.headers));
    });
    asked.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return { away, origin: `http://127.0.0.1:${port}` };
}

test('after a restart without a network, the starts of the last reading count, and the command says so', async () => {
  const { finish } = await laptops();
  const { away, origin } = await partOfApi();
  finish.env['RACE_RESULTS_API'] = origin;
  const starts = ['--start', '21K=2026-10-25 09:00', '--zone', 'Europe/Madrid'];
  expect((await finish.run('setup', ...starts)).exitCode).toBe(0);
  finish.write('finish.csv', 'bib;time\n1;10:28:03\n');
  expect((await finish.run('check', 'finish.csv', '--times-of-day')).exitCode).toBe(0);
  const first = watch(finish, 'finish.csv');
  await shows(first, { state: 'OK', queue: 0, rows: 1 });
  expect(first.printed()).not.toContain('starts_kept');
  first.interrupt();
  await first.ended;

  // A bad network lets small requests pass, and never the start list.
  away.paths = /\/(start-list|starts)/;
  finish.write('finish.csv', 'bib;time\n1;10:28:03\n2;10:29:00\n');
  const second = watch(finish, 'finish.csv');
  await says(second, 'starts_kept', { message: expect.stringMatching(/starts read at \d{4}-/) });
  await shows(second, { queue: 0, rows: 2 });
  expect((await finish.client.getEventResult(finish.eventId, '2')).gun_time).toBe('01:29:00.000');
  away.paths = /./;
  await says(second, 'offline', {});
  second.interrupt();
  await second.ended;

  const third = watch(finish, 'finish.csv');
  await says(third, 'offline', {});
  await says(third, 'starts_kept', {});
  // The corrected start counts as soon as the network is back.
  const { client, eventId } = finish;
  const { version, starts: told } = await client.getEventStarts(eventId);
  const earlier = told.map((one) => ({ ...one, starts_at: '2026-10-25T08:59:30+01:00' }));
  await client.putEventStarts(eventId, { version, starts: earlier });
  away.paths = /^$/;
  await vi.waitFor(
    async () => expect((await client.getEventResult(eventId, '2')).gun_time).toBe('01:29:30.000'),
    LONGEST_MS,
  );
});

test('F64 F65 F66: an address is a file: its list is sent, and an error page or a shorter list removes nothing', async () => {
  const { finish } = await laptops();
  const list = (last: number) =>
    ['bib,time\n', ...bibs(last).map((bib) => `${bib},1:3${bib}:0${bib}\n`)].join('');
  let status = 200;
  let body = list(6);
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const running = watch(finish, `http://127.0.0.1:${port}/list?key=secret`);
  await shows(running, { state: 'OK', queue: 0, rows: 6, missing: 3 });
  [status, body] = [503, '<h1>Maintenance</h1>'];
  await shows(running, { state: 'LOOK', unread: 1, rows: 6 });
  [status, body] = [200, list(1)];
  await shows(running, { state: 'LOOK', why: expect.stringContaining('less than half') });
  expect(Object.keys(await finish.held())).toHaveLength(6);
  body = list(7);
  await shows(running, { state: 'OK', unread: 0, queue: 0, rows: 7, missing: 2 });
  // A person says that it is right: what it has lost is a question, and stays.
  body = list(1);
  await shows(running, { state: 'LOOK', unread: 1 });
  expect(await pageOf(finish).answer()).toBe(200);
  await shows(running, { state: 'LOOK', unread: 0, left: 6, rows: 1 });
  expect(Object.keys(await finish.held())).toHaveLength(7);
  // A person says it with `check` too, and the end asks for the list once more.
  body = '';
  await shows(running, { state: 'LOOK', unread: 1 });
  const operand = `http://127.0.0.1:${port}/list?key=secret`;
  body = list(7);
  expect((await finish.run('check', operand, '--yes')).exitCode).toBe(0);
  expect((await finish.run('verify', operand)).stdout).toMatch(/^EQUAL/);
  await shows(running, { unread: 0, left: 0, rows: 7 });
  status = 503;
  running.interrupt();
  const ended = await running.ended;
  expect([ended.exitCode, ended.stdout]).toEqual([4, expect.stringContaining('answers 503')]);
  expect(running.printed()).not.toContain('secret');
  const refused = await finish.run('watch', 'http://results.example/list');
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('https')]);
});
