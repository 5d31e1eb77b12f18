import { appendFileSync, mkdirSync } from 'node:fs';
import { request as ask, createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../dev/stack/listen.ts';
import type { Registered } from '../../../testing/runtime/api.ts';
import { type RunningCommand, startInProcess } from '../../../testing/runtime/command.ts';
import { type Crew, linesIn, sendCrew, useApi } from '../../../testing/runtime/crew.ts';
import {
  HEADER,
  holds,
  row,
  shows,
  stopped,
  stored,
  until,
  watch,
} from '../../../testing/runtime/watching.ts';

// A running `watch` asks for the starts every 90 s.
vi.setConfig({ testTimeout: 300_000 });
const A_CHECK = { timeout: 180_000, interval: 500 };

const api = useApi();
afterEach(() => {
  vi.useRealTimers();
});

const crewOf = (registration: Registered = {}): Promise<Crew> =>
  sendCrew(api(), startInProcess, { runners: 6, registration });

const gunTimeOf = async ({ client, eventId }: Crew, bib: number) =>
  (await client.getEventResult(eventId, `${bib}`).catch(() => undefined))?.gun_time;

const idOf = async ({ client, eventId }: Crew, bib: number) =>
  (await client.getEventResult(eventId, `${bib}`)).inscription_id;

const MADRID = ['--zone', 'Europe/Madrid'];
const tell = async (crew: Crew, start: string) => {
  const told = await crew.run('setup', '--start', start, ...MADRID, '--yes');
  expect([told.exitCode, told.stderr]).toEqual([0, '']);
};

test('C08 C09: the hour that comes twice needs its offset, and a time of day before the start is rejected', async () => {
  const crew = await crewOf({ distance: '5K' });
  await tell(crew, '5K=2026-10-25 01:30');
  const times = [
    '02:15:07',
    '2026-10-25T02:15:07+02:00',
    '2026-10-25T01:20:00',
    '01:55:03',
    '01:56:05',
  ];
  crew.write('r.csv', HEADER + times.map((time, at) => `${at + 1},${time}\n`).join(''));
  const running = watch(crew, 'r.csv', '--times-of-day');
  await shows(running, { state: 'LOOK', queue: 0, stored: 3, rejected: 2 });
  expect(await Promise.all([1, 2, 3, 4].map((bib) => gunTimeOf(crew, bib)))).toEqual([
    undefined,
    '00:45:07.000',
    undefined,
    '00:25:03.000',
  ]);
  const { stdout } = await crew.run('status');
  expect(stdout).toMatch(/Line 2, bib 1: The hour of "02:15:07" comes twice/);
  expect(stdout).toMatch(/Line 4, bib 3: The time of day .* is before the start/);
});

test('L33: a time before a start that is told too late is left, and is sent when the start is corrected', async () => {
  const crew = await crewOf({ distance: '21K' });
  const day = (fromNow: number) =>
    new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 10);
  await tell(crew, `21K=${day(2)} 09:00`);
  crew.write('r.csv', HEADER + row(1));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'LOOK', queue: 0, left: 1 });
  const open = linesIn((await crew.run('decide', '--json')).stdout);
  expect(open).toMatchObject([{ key: '1', code: 'before_start' }]);
  expect(await crew.held()).toEqual({});
  await tell(crew, `21K=${day(-2)} 09:00`);
  await holds(crew, stored(1));
  await shows(running, { state: 'OK', left: 0 });
});

test('C03: files with times of day are read again after another program has corrected the start', async () => {
  const crew = await crewOf({ distance: '21K' });
  const { client, eventId } = crew;
  await tell(crew, '21K=2026-10-25 09:00');
  crew.write('r.csv', `${HEADER}1,10:30:10\n2,10:31:20\n`);
  const running = watch(crew, 'r.csv', '--times-of-day');
  await shows(running, { state: 'OK', stored: 2 });
  expect(await gunTimeOf(crew, 1)).toBe('01:30:10.000');
  const { version, starts } = await client.getEventStarts(eventId);
  const corrected = starts.map((one) => ({ ...one, starts_at: '2026-10-25T09:00:30+01:00' }));
  await client.putEventStarts(eventId, { version, starts: corrected });
  await vi.waitFor(async () => expect(await gunTimeOf(crew, 1)).toBe('01:29:40.000'), A_CHECK);
  await shows(running, { state: 'OK', stored: 2, queue: 0 });
});

test('D11: a runner who changes the distance gets the time since the start of that distance', async () => {
  const crew = await crewOf({ distance: '21K' });
  await tell(crew, '21K=2026-10-25 09:00');
  await tell(crew, '10K=2026-10-25 09:30');
  crew.write('r.csv', `${HEADER}1,10:30:10\n2,10:31:20\n`);
  const running = watch(crew, 'r.csv', '--times-of-day', '--start-list', 'start.csv');
  await shows(running, { state: 'OK', stored: 2 });
  await crew.move(await idOf(crew, 1), '10K');
  await vi.waitFor(async () => expect(await gunTimeOf(crew, 1)).toBe('01:00:10.000'), A_CHECK);
  expect(await gunTimeOf(crew, 2)).toBe('01:31:20.000');
  expect(crew.read('start.csv')).toMatch(/^1,.*10K/m);
});

test('D05: the row of a runner who was deleted is rejected, with its bib', async () => {
  const crew = await crewOf();
  crew.write('r.csv', HEADER + row(1) + row(2) + row(3));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 3 });
  await crew.drop(await idOf(crew, 2));
  const { why } = await shows(running, { state: 'LOOK', queue: 0, stored: 2, rejected: 1 });
  expect(why).toContain('"2"');
  expect(crew.read('.race-results/rejected.csv')).toMatch(/^2,.*unknown_bib/m);
});

/** Passes requests on to the API, and refuses the next cursor of each list when the test says so. */
async function refusingCursors(origin: string) {
  const { hostname, port } = new URL(origin);
  const whole: string[] = [];
  const lists = new Set<string>();
  const server = createServer((asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url ?? '', origin);
    const list = /(results|passings)\/export$/.exec(pathname)?.[1];
    const cursor = searchParams.get('changed_since');
    if (list && cursor === '') whole.push(list);
    if (list && cursor && lists.delete(list)) {
      const refusal = { code: 'VALIDATION_ERROR', detail: 'changed_since is of another database.' };
      answer.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(refusal));
      return;
    }
    const { method, url, headers } = asked;
    const onwards = ask({ hostname, port, method, path: url, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    onwards.on('error', () => answer.destroy());
    asked.pipe(onwards);
  });
  const listening = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${listening}`,
    whole,
    refuse() {
      for (const list of ['results', 'passings']) lists.add(list);
    },
  };
}

test('N22: after a refused cursor the whole list is read once, and a lost row is sent again', async () => {
  const crew = await crewOf();
  const proxy = await refusingCursors(api().origin);
  Object.assign(crew.env, { RACE_RESULTS_API: proxy.origin });
  crew.write('r.csv', HEADER + row(1) + row(2));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 2 });
  expect(proxy.whole.sort()).toEqual(['passings', 'results']);
  await crew.forget('1');
  proxy.refuse();
  await holds(crew, stored(1, 2));
  await until(running.printed, () => proxy.whole.length === 4 || undefined);
  appendFileSync(join(crew.folder, 'r.csv'), row(3));
  await holds(crew, stored(1, 2, 3));
  expect(await stopped(running)).toMatchObject({ exitCode: 0, last: { stored: 3 } });
  expect(proxy.whole.sort()).toEqual(['passings', 'passings', 'results', 'results']);
});

const HOUR_MS = 3_600_000;
/** Sets the clock of the laptop, which is this process. The API runs in another one. */
const setClock = (now: number) =>
  vi.useFakeTimers({ now, toFake: ['Date'], shouldAdvanceTime: true });

test('C13 C14: a clock that is an hour off, and is set back by three, changes no result and delays no row', async () => {
  const crew = await crewOf();
  setClock(Date.now() + HOUR_MS);
  crew.write('r.csv', HEADER + row(1));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', stored: 1 });
  vi.setSystemTime(Date.now() - 3 * HOUR_MS);
  appendFileSync(join(crew.folder, 'r.csv'), row(2));
  await holds(crew, stored(1, 2));
  expect((await crew.run('set', '3', '--status', 'DNF')).exitCode).toBe(0);
  await holds(crew, { ...stored(1, 2), 3: 'DNF' });
  await shows(running, { state: 'OK', stored: 2, queue: 0 });
  expect(await stopped(running)).toMatchObject({ exitCode: 0, last: { stored: 2 } });
});

test('C15: watch says nothing of the day on the day of the event', async () => {
  const crew = await crewOf();
  const { event_date } = await crew.client.getEvent(crew.eventId);
  crew.write('r.csv', HEADER + row(1));
  const eve = watch(crew, 'r.csv');
  await shows(eve, { state: 'OK', stored: 1 });
  await stopped(eve);
  setClock(Date.parse(event_date));
  const today = watch(crew, 'r.csv');
  await shows(today, { state: 'OK', stored: 1 });
  await stopped(today);
  const saysDay = (running: RunningCommand) =>
    linesIn(running.printed()).some(({ type }) => type === 'not_today');
  expect([saysDay(eve), saysDay(today)]).toEqual([true, false]);
});

test('T12: the second day is a new event in a folder of its own, and touches nothing of the first', async () => {
  const first = await crewOf();
  first.write('r.csv', HEADER + row(1) + row(2));
  const saturday = watch(first, 'r.csv');
  await shows(saturday, { state: 'OK', stored: 2 });
  expect((await stopped(saturday)).exitCode).toBe(0);
  const second = await crewOf();
  const folder = join(first.folder, 'sunday');
  mkdirSync(folder);
  const { XDG_CONFIG_HOME = '' } = first.env;
  const start = (...args: string[]) =>
    startInProcess(args, { cwd: folder, env: { ...second.env, XDG_CONFIG_HOME } });
  expect((await start('setup').ended).exitCode).toBe(0);
  first.write('sunday/r.csv', HEADER + row(3));
  const sunday = start('watch', 'r.csv', '--json');
  onTestFinished(async () => {
    sunday.interrupt();
    await sunday.ended;
  });
  await shows(sunday, { state: 'OK', stored: 1 });
  expect((await stopped(sunday)).exitCode).toBe(0);
  expect([await first.held(), await second.held()]).toEqual([stored(1, 2), stored(3)]);
});
