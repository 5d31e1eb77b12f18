import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RunningProcess } from '../../../testing/runtime/command.ts';
import {
  type Crew,
  linesIn,
  REHEARSAL,
  sendCrew,
  useApi,
  useCommand,
} from '../../../testing/runtime/crew.ts';
import { fileOf, shows, stopped, stored, until, watch } from '../../../testing/runtime/watching.ts';

const command = useCommand({ isFast: true });
const api = useApi();

const crewOf = (runners: number): Promise<Crew<RunningProcess>> =>
  sendCrew(api(), command().start, { runners });

const TRIP_MS = 1_200;

test.each([
  ['S09: before the first look', 0],
  ['S09: during the first look', 4_000],
  ['S09: after the first upload', 8_000],
])(
  'B10 N15 %s, with trips of 1.2 s, Ctrl-C sends all and compares while seconds count down',
  async (_, afterMs) => {
    const crew = await crewOf(4);
    crew.write('r.csv', fileOf(1, 2, 3));
    crew.proxy.delay(TRIP_MS);
    const running = watch(crew, 'r.csv');
    await until(running.printed, () => /"watching"/.test(running.printed()) || undefined);
    await wait(afterMs);
    const end = await stopped(running);
    const isCompared = end.last?.['is_compared'] === true;
    expect(end.exitCode).toBe(isCompared ? 0 : 6);
    const held = await crew.held();
    expect(end.last?.['stored']).toBe(isCompared ? 3 : Object.keys(held).length);
    expect(isCompared).toBe(true);
    expect(held).toEqual(stored(1, 2, 3));
  },
);

test('B10 S10: Ctrl-C just after a restart says the truth', async () => {
  const crew = await crewOf(4);
  crew.write('r.csv', fileOf(1, 2));
  const first = watch(crew, 'r.csv');
  await shows(first, { state: 'OK', queue: 0, stored: 2 });
  first.kill();
  await first.ended;
  crew.write('r.csv', fileOf(1, 2, 3));
  const again = watch(crew, 'r.csv');
  await until(again.printed, () => /"watching"/.test(again.printed()) || undefined);
  const end = await stopped(again);
  expect(end).toMatchObject({ exitCode: 0, last: { is_compared: true, stored: 3, queue: 0 } });
  expect(await crew.held()).toEqual(stored(1, 2, 3));
});

test('B10 S11 S13 N11: while the API does not answer, seconds count down, and a second Ctrl-C ends', async () => {
  const crew = await crewOf(3);
  crew.write('r.csv', fileOf(1));
  const running = watch(crew, 'r.csv');
  await shows(running, { state: 'OK', queue: 0 });
  crew.proxy.swallow();
  running.interrupt();
  await until(running.printed, () => {
    const seconds = linesIn(running.printed()).flatMap(({ type, ...one }) =>
      type === 'comparing' ? [Number(one['seconds'])] : [],
    );
    return seconds.length >= 2 && (seconds[0] ?? 0) > (seconds.at(-1) ?? 0) ? true : undefined;
  });
  const at = performance.now();
  running.interrupt();
  expect((await running.ended).exitCode).toBe(130);
  expect(performance.now() - at).toBeLessThan(2_000);
  crew.proxy.mend();
  const again = watch(crew, 'r.csv');
  await shows(again, { state: 'OK', queue: 0 });
  crew.proxy.refuse();
  const end = await stopped(again);
  expect(end).toMatchObject({ exitCode: 6, last: { is_compared: false } });
});

const LANDED = { total_processed: 1, uploaded: 1, updated: 0, not_found: 0, errors: 0 };
const OLD_PREVIEW = {
  encoding: 'utf-8',
  delimiter: ',',
  header_line: 1,
  columns: [],
  counts: { ...LANDED, duplicates: 0, unchanged: 0, changed: 0, new: 1, statuses: {} },
  rows: [],
  failed: [],
  warnings: [],
  suggestion: null,
};

/** The answer of an API of an earlier version. */
function oldAnswer(path: string, id: string, status: number): string {
  if (/\/(results|passings)\/export/.test(path)) return '';
  const wrong = { detail: 'There is no parameter "leave".', code: 'VALIDATION_ERROR' };
  const event = {
    id,
    name: 'Old',
    event_date: new Date().toISOString(),
    status: 'open',
    city: 'X',
  };
  if (path.includes('/preview')) return JSON.stringify(status === 200 ? OLD_PREVIEW : wrong);
  if (path.endsWith(id)) return JSON.stringify(event);
  if (path.endsWith('/starts')) return JSON.stringify({ version: 0, starts: [] });
  if (path.endsWith('/points')) return JSON.stringify({ points: [] });
  return JSON.stringify({
    data: [],
    meta: { page: 1, page_size: 1, total: 0, total_pages: 0 },
  });
}

test.each([
  ['ignores', 200],
  ['refuses', 400],
])(
  'B16 N20: an API that %s `leave` is told in a sentence, and no row is rejected',
  async (_, status) => {
    const crew = await crewOf(3);
    const written: string[] = [];
    const server = createServer(({ method = '', url = '' }, answer) => {
      const isPreview = url.includes('/preview');
      if (method !== 'GET' && !isPreview) written.push(url);
      const code = url.includes('leave') ? status : 200;
      answer.writeHead(code, { 'Content-Type': 'application/json', 'X-Request-Id': 'x' });
      answer.end(oldAnswer(url, crew.eventId, code));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : '';
    crew.write('r.csv', fileOf(1));
    const api = ['--api', `http://127.0.0.1:${port}`];
    for (const args of [
      ['watch', 'r.csv'],
      ['send', 'r.csv', '--yes', ...REHEARSAL],
      ['set', '1', '--status', 'DNF', '--yes'],
    ]) {
      const ended = await crew.run(...args, ...api);
      expect([args[0], ended.exitCode, ended.stderr + ended.stdout]).toEqual([
        args[0],
        2,
        expect.stringContaining('This API does not know which rows to leave to a person'),
      ]);
      expect(ended.stdout + ended.stderr).not.toContain('rejected_rows');
    }
    expect(written).toEqual([]);
  },
);

test('F54 S02: the state folder is deleted at random moments, and the same rows are stored once', async () => {
  const crew = await crewOf(40);
  let count = 4;
  for (let turn = 0; turn < 6; turn++) {
    crew.write('r.csv', fileOf(...Array.from({ length: count }, (_, at) => at + 1)));
    const running = watch(crew, 'r.csv');
    await until(running.printed, () => /"watching"/.test(running.printed()) || undefined);
    await wait(Math.random() * 1_500);
    running.kill();
    await running.ended;
    if (turn % 2 === 0)
      rmSync(join(crew.folder, '.race-results'), { recursive: true, force: true });
    count += 6;
  }
  crew.write('r.csv', fileOf(...Array.from({ length: 40 }, (_, at) => at + 1)));
  const last = watch(crew, 'r.csv');
  await shows(last, { state: 'OK', queue: 0, stored: 40 });
  const end = await stopped(last);
  expect(end).toMatchObject({ exitCode: 0, last: { stored: 40, left: 0 } });
  expect(await crew.held()).toEqual(stored(...Array.from({ length: 40 }, (_, at) => at + 1)));
  const { data } = await crew.client.listEventResultVersions(crew.eventId, '1');
  expect(data).toHaveLength(1);
});
