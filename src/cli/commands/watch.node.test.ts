import { appendFileSync, mkdirSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type RunningApi, startApi } from '../../testing/runtime/api.ts';
import {
  type RunningCommand,
  type StartCommand,
  startFromSource,
  startInProcess,
} from '../../testing/runtime/command.ts';
import { type Crew, type Line, linesIn, REHEARSAL, sendCrew } from '../../testing/runtime/crew.ts';

// A test waits several times.
vi.setConfig({ testTimeout: 60_000 });

let api: RunningApi;
beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
}, 60_000);
afterAll(() => api?.stop());
afterEach(() => api.mendServices());

/** Looks become rarer, because the API answers 120 requests a minute. */
const FIRST_LOOK_MS = 25;
const RAREST_LOOK_MS = 400;
const LONGEST_MS = 20_000;

async function until<T>(what: () => string, find: () => T | undefined | Promise<T | undefined>) {
  const end = performance.now() + LONGEST_MS;
  for (let pauseMs = FIRST_LOOK_MS; performance.now() < end; pauseMs *= 1.4) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(Math.min(pauseMs, RAREST_LOOK_MS));
  }
  throw new Error(`Nothing came of: ${what()}`);
}

/** A crew whose `watch` runs until the test ends. */
async function watching(args: readonly string[], prepare: (crew: Crew) => void = () => {}) {
  return watchingAs(startInProcess, args, prepare);
}

async function watchingAs<Running extends RunningCommand>(
  startCommand: StartCommand<Running>,
  args: readonly string[],
  prepare: (crew: Crew) => void,
) {
  const crew = await sendCrew(api, startCommand);
  onTestFinished(crew.leave);
  prepare(crew);
  const start = () => {
    const running = crew.start('watch', ...args, ...REHEARSAL, '--every', '0.05');
    onTestFinished(async () => {
      running.interrupt();
      await running.ended;
    });
    return running;
  };
  const running = start();
  return { ...crew, running, again: start, path: (name: string) => join(crew.folder, name) };
}

const lines = (running: RunningCommand): Line[] => linesIn(running.printed());

/** Waits for a line of `--json`. */
const says = (running: RunningCommand, type: string, part: object = {}) =>
  until(
    () => `${type} ${JSON.stringify(part)} in ${running.printed()}`,
    () =>
      lines(running).find(
        (line) =>
          line.type === type && Object.entries(part).every(([name, value]) => line[name] === value),
      ),
  );

const holds = (crew: Crew, results: Record<string, string>) =>
  until(
    () => `held ${JSON.stringify(results)}`,
    async () => {
      const held = await crew.held();
      return JSON.stringify(held) === JSON.stringify(results) || undefined;
    },
  );

const time = (bib: number) => `0:40:${10 + bib}`;
const row = (bib: number) => `${bib},${time(bib)}\n`;
const stored = (...bibs: number[]) =>
  Object.fromEntries(bibs.map((bib) => [bib, `00:40:${10 + bib}.000`]));

test('sends what is appended, rewritten and replaced, and nothing else', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  appendFileSync(crew.path('r.csv'), row(2));
  await holds(crew, stored(1, 2));
  crew.write('r.csv', `bib,time\n${row(3)}${row(2)}${row(1)}`);
  await holds(crew, stored(1, 2, 3));
  crew.write('next.csv', `bib,time\n${row(1)}${row(2)}${row(3)}${row(4)}`);
  renameSync(crew.path('next.csv'), crew.path('r.csv'));
  await holds(crew, stored(1, 2, 3, 4));
  crew.running.interrupt();
  expect((await crew.running.ended).exitCode).toBe(130);
  expect(lines(crew.running).filter(({ type }) => type === 'difference')).toEqual([]);
  const { data } = await crew.client.listResultBatches(crew.eventId);
  expect(data.map(({ total_processed }) => total_processed)).toEqual([1, 1, 1, 1]);
});

test('never stores a value that is half written', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  const text = '2,1:28:03\n3,1:29:04\n';
  for (const character of text) {
    appendFileSync(crew.path('r.csv'), character);
    await wait(character === '8' ? 400 : 30);
  }
  await holds(crew, { ...stored(1), 2: '01:28:03.000', 3: '01:29:04.000' });
  const { data } = await crew.client.listResultBatches(crew.eventId);
  expect(data.reduce((sum, { updated }) => sum + updated, 0)).toBe(0);
});

test('reads whole lines of a file that is never calm', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  appendFileSync(crew.path('r.csv'), row(2));
  const busy = setInterval(() => appendFileSync(crew.path('r.csv'), '#'), 50);
  onTestFinished(() => clearInterval(busy));
  await holds(crew, stored(1, 2));
});

test('holds a decision against later exports, and says when a file disagrees', async () => {
  const crew = await watching(['r.csv'], ({ write }) =>
    write('r.csv', `bib,time\n${row(1)}${row(2)}`),
  );
  await holds(crew, stored(1, 2));
  const decided = await crew.run('set', '2', '--status', 'DSQ', '--hold', ...REHEARSAL.slice(0, 3));
  expect(decided.exitCode).toBe(0);
  await holds(crew, { ...stored(1), 2: 'DSQ' });
  crew.write('r.csv', `bib,time\n${row(1)}2,0:41:00\n${row(3)}`);
  await says(crew.running, 'held', { bib: '2' });
  await holds(crew, { ...stored(1, 3), 2: 'DSQ' });
  expect((await crew.run('release', '2')).exitCode).toBe(0);
  await holds(crew, { ...stored(1, 3), 2: '00:41:00.000' });
});

test('goes on offline, sends when the network is back, and keeps the newest row of a bib', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  await api.breakService('postgres', { kind: 'refuse' });
  appendFileSync(crew.path('r.csv'), row(2));
  // A comparison with the API may find it offline before the row is read.
  await says(crew.running, 'status', { connection: 'offline', unchanged: 1, queue: 1 });
  crew.write('r.csv', `bib,time\n${row(1)}2,0:41:00\n${row(3)}`);
  await says(crew.running, 'status', { connection: 'offline', queue: 3 });
  await api.mendServices();
  await holds(crew, { ...stored(1, 3), 2: '00:41:00.000' });
  await says(crew.running, 'online');
});

test('asks about a shorter file, and keeps what is stored', async () => {
  const crew = await watching(['r.csv'], ({ write }) =>
    write('r.csv', `bib,time\n${row(1)}${row(2)}${row(3)}`),
  );
  await holds(crew, stored(1, 2, 3));
  crew.running.interrupt();
  await crew.running.ended;
  // Without --force from here on.
  const strict = crew.start('watch', 'r.csv', '--json', '--settle', '0.05', '--every', '0.05');
  onTestFinished(async () => {
    strict.interrupt();
    await strict.ended;
  });
  await says(strict, 'status', { connection: 'online', unchanged: 3 });
  truncateSync(crew.path('r.csv'), `bib,time\n${row(1)}`.length);
  await says(strict, 'not_read', { code: 'fewer_rows' });
  crew.write('r.csv', `bib,time\n${row(1)}${row(2)}${row(3)}${row(4)}`);
  await holds(crew, stored(1, 2, 3, 4));
  crew.write('r.csv', `bib,club,time\n1,A,0:20:01\n2,A,0:20:02\n3,A,0:20:03\n4,A,0:20:04\n`);
  await says(strict, 'not_read', { code: 'header_differs, many_changes' });
  await holds(crew, stored(1, 2, 3, 4));
});

test('reports a bib that vanishes, and never clears it', async () => {
  const crew = await watching(['r.csv'], ({ write }) =>
    write('r.csv', `bib,time\n${row(1)}${row(2)}`),
  );
  await holds(crew, stored(1, 2));
  crew.write('r.csv', `bib,time\n${row(1)}${row(3)}`);
  const said = await says(crew.running, 'vanished');
  expect(said['bibs']).toEqual(['2']);
  await holds(crew, stored(1, 2, 3));
});

test('reads the newest file of a folder, and says which', async () => {
  const crew = await watching(['out'], ({ folder, write }) => {
    mkdirSync(join(folder, 'out'));
    write('out/a.csv', `bib,time\n${row(1)}`);
    write('out/notes.md', 'nothing');
  });
  await holds(crew, stored(1));
  await wait(50);
  crew.write('out/b.csv', `bib,time\n${row(1)}${row(2)}`);
  await says(crew.running, 'newest', { file: crew.path('out/b.csv') });
  await holds(crew, stored(1, 2));
});

test('is refused beside another one, which it names', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  for (const state of ['.race-results', 'other']) {
    const second = await crew.run('watch', 'r.csv', '--state', state);
    expect(second.exitCode).toBe(7);
    expect(second.stderr).toMatch(new RegExp(`process ${crew.running.pid}, started at 20`));
  }
  expect((await crew.run('send', 'r.csv', ...REHEARSAL, '--yes')).exitCode).toBe(7);
});

test('goes on after kill -9 with what waits, under the same key', async () => {
  const crew = await watchingAs(startFromSource, ['r.csv'], ({ write }) =>
    write('r.csv', `bib,time\n${row(1)}`),
  );
  await holds(crew, stored(1));
  await api.breakService('postgres', { kind: 'refuse' });
  appendFileSync(crew.path('r.csv'), row(2));
  await says(crew.running, 'status', { unchanged: 1, queue: 1 });
  crew.running.kill();
  await crew.running.ended;
  await api.mendServices();
  const again = crew.again();
  await holds(crew, stored(1, 2));
  await says(again, 'status', { queue: 0, connection: 'online' });
  const sent = crew
    .read('.race-results/journal.jsonl')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"sent"'));
  expect(sent).toHaveLength(2);
});

test('ends with 5 when the key dies, and loses nothing', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  await crew.revokeKey();
  appendFileSync(crew.path('r.csv'), row(2));
  const { exitCode, stdout } = await crew.running.ended;
  expect(exitCode).toBe(5);
  expect(stdout).toContain('RACE_RESULTS_KEY');
});

test('sends a rejected row again when its registration has changed, and only then', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(30)}`));
  await says(crew.running, 'rejected', { bib: '30', code: 'unknown_bib' });
  await crew.register('30');
  crew.running.interrupt();
  await crew.running.ended;
  const again = crew.again();
  await says(again, 'retried');
  await holds(crew, stored(30));
});

test('says when somebody else has changed a result, and send brings it back', async () => {
  const crew = await watching(['r.csv'], ({ write }) =>
    write('r.csv', `bib,time\n${row(1)}${row(2)}`),
  );
  await holds(crew, stored(1, 2));
  crew.running.interrupt();
  await crew.running.ended;
  await crew.client.uploadEventResults(crew.eventId, {
    results: [{ bib_number: '2', status: 'DNF' }],
  });
  const again = crew.again();
  const said = await says(again, 'difference', { bib: '2' });
  expect(said['message']).toContain('the API holds DNF, and FINISHED 00:40:12.000 was sent');
  await holds(crew, { ...stored(1), 2: 'DNF' });
  again.interrupt();
  await again.ended;
  const sent = await crew.run('send', 'r.csv', ...REHEARSAL, '--yes');
  expect(sent.exitCode).toBe(0);
  await holds(crew, stored(1, 2));
});

test('waits as long as Retry-After says when the key is over its limit', async () => {
  const crew = await watching(['r.csv'], ({ write }) => write('r.csv', `bib,time\n${row(1)}`));
  await holds(crew, stored(1));
  // All that the key may send in a minute.
  const spent = async () => {
    for (;;) {
      const answer = await fetch(`${api.origin}/public/v1/events`, {
        headers: { 'X-API-Key': crew.apiKey },
      });
      if (answer.status === 429) return;
    }
  };
  await spent();
  appendFileSync(crew.path('r.csv'), row(2));
  const said = await says(crew.running, 'offline');
  await says(crew.running, 'status', { unchanged: 1, queue: 1 });
  expect(said['why']).toContain('used up its requests of this minute');
  crew.running.interrupt();
  const { exitCode, stdout } = await crew.running.ended;
  expect(exitCode).toBe(130);
  expect(linesIn(stdout).at(-1)).toMatchObject({ type: 'stopped', queue: 1 });
});

test('ends after Ctrl-C while an answer is written down', async () => {
  const crew = await sendCrew(api, startInProcess);
  onTestFinished(crew.leave);
  crew.write('r.csv', `bib,time\n${row(30)}`);
  const running = startInProcess(['watch', 'r.csv', ...REHEARSAL, '--every', '0.05'], {
    ...{ cwd: crew.folder, env: crew.env },
    onPrint: (text) => text.includes('"unknown_bib"') && running.interrupt(),
  });
  expect((await running.ended).exitCode).toBe(130);
});

test('ends with 4 at a guard before the first row is sent', async () => {
  const crew = await sendCrew(api, startInProcess);
  onTestFinished(crew.leave);
  crew.write('r.csv', 'bib,time\n1,0:40:00\n2,0:41:00\n');
  const { exitCode, stderr } = await crew.run('watch', 'r.csv', '--settle', '0.05', '--yes');
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining('--force "REASON"')]);
  expect(await crew.held()).toEqual({});
});

test('waits for a file that is not there, and for rows in one that has none', async () => {
  const crew = await watching(['r.csv']);
  await says(crew.running, 'not_read', { code: 'missing' });
  crew.write('r.csv', 'bib,time\n');
  await says(crew.running, 'status', { connection: 'online' });
  crew.write('r.csv', `bib,time\n5,\n${row(1)}`);
  await holds(crew, stored(1));
  const status = await says(crew.running, 'status', { queue: 0, added: 1 });
  // Bib 5 is on the course.
  expect(status['rejected']).toBe(0);
});
