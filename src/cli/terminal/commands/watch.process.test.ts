import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RegistrationSeed } from '../../../dev/stack/seed.ts';
import {
  type RunningCommand,
  type StartCommand,
  startFromSource,
  startInProcess,
} from '../../../testing/runtime/command.ts';
import {
  type Crew,
  type Line,
  linesIn,
  pageOf,
  REHEARSAL,
  sendCrew,
  useApi,
  WATCHING,
} from '../../../testing/runtime/crew.ts';
import { says, shows, until } from '../../../testing/runtime/watching.ts';
import { workbookOf } from '../../../testing/workbook.ts';
import { useLanguageOf } from '../../words.ts';

// A test waits several times.
vi.setConfig({ testTimeout: 120_000 });

const api = useApi();
afterEach(() => api().mendServices());

/** A crew whose `watch` runs until the test ends. */
const watching = (
  target: string,
  prepare: (crew: Crew) => void = () => {},
  registration: RegistrationSeed = {},
) => watchingAs(startInProcess, target, prepare, registration);

async function watchingAs<Running extends RunningCommand>(
  startCommand: StartCommand<Running>,
  target: string,
  prepare: (crew: Crew) => void,
  registration: RegistrationSeed = {},
) {
  const crew = await sendCrew(api(), startCommand, { runners: 16, registration });
  prepare(crew);
  const started: RunningCommand[] = [];
  const start = () => {
    const running = crew.start('watch', ...target.split(' '), ...WATCHING);
    started.push(running);
    onTestFinished(running.end, 30_000);
    return running;
  };
  const running = start();
  const stop = async () => {
    running.interrupt();
    return running.ended;
  };
  const printed = () => started.map((one) => one.printed()).join('');
  const path = (name: string) => join(crew.folder, name);
  return { ...crew, running, again: start, stop, printed, path };
}

const lines = (running: RunningCommand): Line[] => linesIn(running.printed());

const saidTimes = (running: RunningCommand, type: string, times: number) =>
  lines(running).filter((line) => line.type === type).length === times || undefined;

const inOrder = (results: Record<string, string>) => JSON.stringify(Object.entries(results).sort());

/** Waits for the API's results. It is asked when the command has sent something. */
const holds = (crew: Crew & { printed(): string }, results: Record<string, string>) => {
  let held: Record<string, string> = {};
  let heard = -1;
  return until(
    () => `held ${JSON.stringify(results)}, found ${JSON.stringify(held)} in ${crew.printed()}`,
    async () => {
      const sent = crew.printed().split('"type":"sent"').length;
      if (sent === heard) return undefined;
      heard = sent;
      held = await crew.held();
      return inOrder(held) === inOrder(results) || undefined;
    },
  );
};

const row = (bib: number, second = 10 + bib) => `${bib},0:40:${second}\n`;
const file = (...bibs: number[]) => `bib,time\n${bibs.map((bib) => row(bib)).join('')}`;
const stored = (...bibs: number[]) =>
  Object.fromEntries(bibs.map((bib) => [bib, `00:40:${10 + bib}.000`]));

describe('what a person decided', () => {
  test('L01 L03 L11 S04: on another laptop is not replaced by a read of a chip before somebody says so', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    const radio = await sendCrew(api(), startInProcess, { race: crew });
    expect((await radio.run('set', '2', '--status', 'DNF')).exitCode).toBe(0);
    crew.write('r.csv', file(1, 2, 3));
    const { why } = await shows(crew.running, { state: 'LOOK', left: 1, queue: 0 });
    expect(why).toMatch(
      /^1 left to you, a person decided the stored result: 2 DNF, file FINISHED 00:40:12.000 \(stored by /,
    );
    expect(await crew.held()).toEqual({ ...stored(1, 3), 2: 'DNF' });
    const decided = await crew.run('decide', '2', 'api');
    expect([decided.exitCode, decided.stdout]).toEqual([
      0,
      expect.stringContaining('2 DNF, file FINISHED'),
    ]);
    await shows(crew.running, { state: 'OK', queue: 0, rows: 3 });
    expect(await crew.held()).toEqual({ ...stored(1, 3), 2: 'DNF' });
    // Another row of the file asks again.
    crew.write('r.csv', `${file(1)}${row(2, 59)}${row(3)}`);
    await shows(crew.running, { state: 'LOOK', left: 1 });
    expect((await crew.run('decide', '2', 'file')).exitCode).toBe(0);
    await holds(crew, { ...stored(1, 3), 2: '00:40:59.000' });
    // What the file said is no decision by hand.
    crew.write('r.csv', file(1, 2, 3));
    await holds(crew, stored(1, 2, 3));
    const nobody = await crew.run('decide', '99', 'api');
    expect([nobody.exitCode, nobody.stderr]).toEqual([
      2,
      expect.stringContaining('Nobody asked about 99'),
    ]);
  });

  test('U01 U18: with undo ends an upload and nothing else', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    crew.write('2025.csv', 'bib,time\n2,0:31:00\n3,0:40:13\n');
    const forced = ['--yes', '--force', 'not_event_day,fewer_rows'];
    expect((await crew.run('send', '2025.csv', ...forced)).exitCode).toBe(0);
    expect((await crew.run('undo', '--yes')).exitCode).toBe(0);
    await shows(crew.running, { queue: 0, rows: 1 });
    expect(await crew.held()).toEqual(stored(1));
    crew.write('r.csv', file(1, 2, 4));
    await holds(crew, stored(1, 2, 4));
  });
});

describe('a file', () => {
  test('F02 F03 F04: is sent as it is appended to, rewritten and replaced, in one upload a version', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    appendFileSync(crew.path('r.csv'), row(2));
    await holds(crew, stored(1, 2));
    crew.write('r.csv', file(3, 2, 1));
    await holds(crew, stored(1, 2, 3));
    crew.write('next.txt', file(1, 2, 3, 4));
    renameSync(crew.path('next.txt'), crew.path('r.csv'));
    await holds(crew, stored(1, 2, 3, 4));
    await says(crew.running, 'status', { queue: 0, rows: 4 });
    const { exitCode, stdout } = await crew.stop();
    expect(exitCode).toBe(0);
    expect(linesIn(stdout).at(-1)).toMatchObject({ type: 'stopped', results: 4, stored: 4 });
    const { data } = await crew.client.listResultBatches(crew.eventId);
    expect(data.map((one) => [one.total_processed, one.file_name])).toEqual(
      Array(4).fill([1, 'r.csv']),
    );
  });

  test('F42 F43: never has a half written value stored, and a last line without an end at last', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    for (const character of '2,1:28:03\n3,1:29:04') {
      appendFileSync(crew.path('r.csv'), character);
      await wait(character === '8' ? 100 : 15);
    }
    await holds(crew, { ...stored(1), 2: '01:28:03.000', 3: '01:29:04.000' });
    const { data } = await crew.client.listResultBatches(crew.eventId);
    expect(data.reduce((sum, { updated }) => sum + updated, 0)).toBe(0);
  });

  test('F44: is read in whole lines while it is never calm', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    appendFileSync(crew.path('r.csv'), row(2));
    const busy = setInterval(() => appendFileSync(crew.path('r.csv'), '#'), 20);
    onTestFinished(() => clearInterval(busy));
    await holds(crew, stored(1, 2));
  });

  test('F27: has its new rows sent after it lost others, which are counted', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2, 3)));
    await holds(crew, stored(1, 2, 3));
    crew.write('r.csv', file(1, 4));
    await shows(crew.running, { state: 'LOOK', left: 2 });
    await holds(crew, stored(1, 2, 3, 4));
  });

  test('F27 L26: replaces the rehearsal of the day before, a few arrivals at a time', async () => {
    const eve = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(...eve)));
    await holds(crew, stored(...eve));
    await crew.stop();
    crew.write('r.csv', `bib,time\n1,0:40:01\n`);
    const morning = crew.again();
    await shows(morning, { state: 'LOOK', left: 11 });
    appendFileSync(crew.path('r.csv'), '2,0:40:02\n');
    const arrived = { 1: '00:40:01.000', 2: '00:40:02.000' };
    await holds(crew, { ...stored(...eve), ...arrived });
    // The results of the eve are stored, and no file has them.
    await shows(morning, { state: 'LOOK', rows: 2, left: 10 });
    expect((await crew.run('decide', 'gone', 'api')).exitCode).toBe(0);
    await shows(morning, { state: 'OK', left: 0 });
  });

  test('F61 L26: goes on if its header grows, and has only rows left of which many change at once', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2, 3)));
    await holds(crew, stored(1, 2, 3));
    crew.write(
      'r.csv',
      'bib,Km 5,time\n1,0:20:11,0:40:11\n2,,0:40:12\n3,,0:40:13\n4,0:20:14,0:40:14\n',
    );
    await holds(crew, stored(1, 2, 3, 4));
    await shows(crew.running, { state: 'LOOK', why: 'r.csv: a new column', left: 0 });
    crew.write('r.csv', 'bib,laps\n1,4\n');
    await shows(crew.running, { state: 'STOPPED' });
    crew.write('r.csv', `bib,time\n${row(1, 51)}${row(2, 52)}${row(3, 53)}${row(5)}`);
    await shows(crew.running, { state: 'LOOK', left: 4 });
    await holds(crew, stored(1, 2, 3, 4, 5));
    crew.write('r.csv', file(1, 2, 3, 4, 5));
    await shows(crew.running, { state: 'OK', rows: 5 });
  });

  test('L26 L27: has rows that are left sent by a person', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2, 3)));
    await holds(crew, stored(1, 2, 3));
    const changed = 'bib,time\n1,0:40:51\n2,0:40:52\n3,0:40:53\n';
    crew.write('r.csv', changed);
    await shows(crew.running, { state: 'LOOK', left: 3 });
    const sent = await crew.run('send', 'r.csv', '--yes', '--force', 'not_event_day');
    expect(sent).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('3 left to you') });
    const decided = await crew.run('decide', 'too_many_changes', 'file');
    expect(decided.exitCode).toBe(0);
    await holds(crew, { 1: '00:40:51.000', 2: '00:40:52.000', 3: '00:40:53.000' });
    await shows(crew.running, { state: 'OK', queue: 0 });
  });

  test('F48: is waited for while it is not there or has no rows', async () => {
    const crew = await watching('r.csv');
    await says(crew.running, 'status', { state: 'STOPPED', why: 'r.csv is not there' });
    crew.write('r.csv', 'bib,time\n');
    await says(crew.running, 'status', { state: 'OK' });
    crew.write('r.csv', `bib,time\n5,\n${row(1)}`);
    await holds(crew, stored(1));
    // Bib 5 is on the course.
    await says(crew.running, 'status', { queue: 0, rows: 2, rejected: 0 });
  });

  test('F63: is held until somebody checks it if its reading is doubtful', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', "Stnr;Netto\n1;1h28'03\n2;1h29'10\n"),
    );
    await says(crew.running, 'status', { state: 'STOPPED', why: 'r.csv cannot be read' });
    expect((await crew.run('check', 'r.csv', '--yes')).exitCode).toBe(0);
    await holds(crew, { 1: '01:28:03.000', 2: '01:29:10.000' });
  });
});

describe('a folder', () => {
  test('has all its files sent, each read in its own way', async () => {
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/10k.csv', file(1));
      write('out/notes.md', 'nothing');
    });
    await holds(crew, stored(1));
    crew.write('out/21k.csv', "Stnr;Netto\n2;1h28'03\n");
    await says(crew.running, 'not_read', { file: crew.path('out/21k.csv') });
    await crew.run('check', 'out/21k.csv', '--yes');
    await holds(crew, { ...stored(1), 2: '01:28:03.000' });
    appendFileSync(crew.path('out/10k.csv'), row(3));
    await holds(crew, { ...stored(1, 3), 2: '01:28:03.000' });
  });

  test('F47: is not OK while a file of it cannot be read, until somebody says that it has no results', async () => {
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/10k.csv', file(1));
      write('out/wave B.csv', 'Dorsal;Llegada a\n2;0:40:12\n');
      write('out/plan.xls', 'a plan');
    });
    await holds(crew, stored(1));
    const look = await says(crew.running, 'status', { state: 'LOOK', unread: 2 });
    expect(look['why']).toMatch(/^(plan.xls|wave B.csv) cannot be read$/);
    await until(
      crew.printed,
      () => crew.printed().includes('check \\"out/wave B.csv\\"`') || undefined,
    );
    const status = await crew.run('status');
    expect([status.exitCode, status.stdout]).toEqual([4, expect.stringContaining('wave B.csv')]);
    expect((await crew.stop()).exitCode).toBe(4);
    const again = crew.again();
    await shows(again, { state: 'LOOK', unread: 2 });
    crew.write('out/wave B.csv', 'Dorsal;Tiempo\n2;0:40:12\n');
    await holds(crew, stored(1, 2));
    await says(again, 'status', { state: 'LOOK', unread: 1 });
    await pageOf(crew).answer();
    await shows(again, { state: 'OK', unread: 0 });
    again.interrupt();
    expect((await again.ended).exitCode).toBe(0);
  });

  test('keeps the rejected rows of a workbook as CSV', async () => {
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/10k.csv', file(1));
    });
    await holds(crew, stored(1));
    const book = workbookOf({
      Finish: [
        ['bib', 'time'],
        ['2', '0:40:12'],
        ['99', '0:40:13'],
      ],
    });
    writeFileSync(crew.path('out/Meta año.XLSX'), book);
    await holds(crew, stored(1, 2));
    const path = crew.path('.race-results/rejected-Meta año.XLSX.csv');
    await until(crew.running.printed, () => existsSync(path) || undefined);
  });

  test('F14 F16 F18 L39: asks about an older file that contradicts, and never stores an old value', async () => {
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/export 9.csv', file(1));
    });
    await holds(crew, stored(1));
    await shows(crew.running, { state: 'OK' });
    crew.write('out/export 10.csv', file(1, 2));
    await holds(crew, stored(1, 2));
    crew.write('out/export 11.csv', `bib,time\n${row(1)}${row(2, 59)}${row(3)}`);
    utimesSync(crew.path('out/export 11.csv'), 1, 1);
    await holds(crew, stored(1, 2, 3));
    const { why } = await shows(crew.running, { state: 'LOOK', left: 1 });
    expect(why).toContain('files disagree, and nothing says which is newer: 2 FINISHED');
    const unclear = await crew.run('decide', '2', 'file');
    expect([unclear.exitCode, unclear.stderr]).toEqual([
      7,
      expect.stringContaining('export 11.csv'),
    ]);
    expect((await crew.run('decide', '2', 'export 11.csv')).exitCode).toBe(0);
    await holds(crew, { ...stored(1, 3), 2: '00:40:59.000' });
    await shows(crew.running, { state: 'OK', left: 0 });
  });
});

describe('a decision', () => {
  test('L11 L13: is kept against later exports, until a person says that the file is right', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
    await holds(crew, stored(1, 2));
    expect((await crew.run('set', '2', '--status', 'DSQ')).exitCode).toBe(0);
    await shows(crew.running, { state: 'OK', queue: 0 });
    expect(await crew.held()).toEqual({ ...stored(1), 2: 'DSQ' });
    crew.write('r.csv', `bib,time\n${row(1)}2,0:41:00\n${row(3)}`);
    await holds(crew, { ...stored(1, 3), 2: 'DSQ' });
    const shown = await shows(crew.running, { state: 'LOOK', left: 1 });
    expect(shown['why']).toMatch(
      /^1 left to you, a person decided the stored result: 2 DSQ, file FINISHED 00:41:00.000/,
    );
    expect(await crew.run('status')).toMatchObject({
      exitCode: 4,
      stdout: expect.stringMatching(/^LOOK\n1 left/),
    });
    await crew.run('decide', '2', 'file');
    await holds(crew, { ...stored(1, 3), 2: '00:41:00.000' });
  });

  test('U07 U08: stands, if it is to undo, and the file mends one of its rows', async () => {
    const wrong = 'bib,time\n1,0:40:11\n2,0:59:59\n3,0:40:13\n';
    const crew = await watching('r.csv', ({ write }) => write('r.csv', wrong));
    await holds(crew, { ...stored(1, 3), 2: '00:59:59.000' });
    expect((await crew.run('undo', '--yes')).exitCode).toBe(0);
    await shows(crew.running, { state: 'LOOK', left: 3 });
    expect(await crew.held()).toEqual({});
    appendFileSync(crew.path('r.csv'), row(4));
    await holds(crew, stored(4));
    crew.write('r.csv', file(1, 2, 3, 4));
    await holds(crew, stored(2, 4));
    const { why } = await shows(crew.running, { state: 'LOOK', left: 2 });
    expect(why).toContain('a person took this value back');
    expect((await crew.run('decide', 'taken_back', 'file')).exitCode).toBe(0);
    await holds(crew, stored(1, 2, 3, 4));
    await shows(crew.running, { state: 'OK', left: 0 });
  });

  test('T13 N21: stays if it is of somebody else, and what the API lost is sent again', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
    await holds(crew, stored(1, 2));
    await crew.stop();
    const results = [{ bib_number: '2', status: 'DNF' as const }];
    await crew.client.uploadEventResults(crew.eventId, { results });
    const again = crew.again();
    const { why } = await shows(again, { state: 'LOOK', left: 1 });
    expect(why).toBe(
      '1 left to you, somebody changed the stored value: 2 DNF, file FINISHED 00:40:12.000',
    );
    await holds(crew, { ...stored(1), 2: 'DNF' });
    again.interrupt();
    await again.ended;
    await crew.forget('1');
    const third = crew.again();
    await says(third, 'sent', { rows: 1 });
    expect(await crew.held()).toEqual({ ...stored(1), 2: 'DNF' });
  });
});

describe('the network', () => {
  test('N12: may go away: the queue is sent when it is back, with the newest row of a bib', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    await api().breakService('postgres', { kind: 'refuse' });
    appendFileSync(crew.path('r.csv'), row(2));
    await says(crew.running, 'status', { state: 'OFFLINE', queue: 1 });
    crew.write('r.csv', `bib,time\n${row(1)}2,0:41:00\n${row(3)}`);
    await says(crew.running, 'status', { state: 'OFFLINE', rows: 3 });
    await api().mendServices();
    const from = performance.now();
    await holds(crew, { ...stored(1, 3), 2: '00:41:00.000' });
    expect(performance.now() - from).toBeLessThan(10_000);
    await says(crew.running, 'online');
  });

  test('N16: may swallow everything for minutes: the queue is empty within 10 s of its return', async () => {
    const crew = await sendCrew(api(), startInProcess);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const STEP_MS = 250;
    /** Passes time on the command's clock, and of each step this much of the real one. */
    const secondsUntil = async (isThere: () => boolean, realMs = 3) => {
      const from = performance.now();
      while (!isThere()) {
        await vi.advanceTimersByTimeAsync(STEP_MS);
        await wait(realMs);
        if (performance.now() - from > 300_000) throw new Error(running.printed());
      }
      return (performance.now() - from) / 1_000;
    };
    const hasSaid =
      (type: string, times = 1) =>
      () =>
        lines(running).filter((line) => line.type === type).length === times;
    crew.write('r.csv', file(1));
    const running = crew.start('watch', 'r.csv', '--json');
    // The API answers on the real clock.
    await secondsUntil(hasSaid('sent'), STEP_MS);
    crew.proxy.swallow();
    appendFileSync(join(crew.folder, 'r.csv'), row(2));
    const offlineAfter = await secondsUntil(hasSaid('offline'));
    expect(offlineAfter).toBeGreaterThan(19);
    expect(offlineAfter).toBeLessThan(30);
    const mendsAt = performance.now() + 60_000;
    await secondsUntil(() => performance.now() >= mendsAt);
    // The last request into the hole begins right before its end.
    const before = crew.proxy.connections();
    await secondsUntil(() => crew.proxy.connections() > before);
    crew.proxy.mend();
    expect(await secondsUntil(hasSaid('sent', 2), STEP_MS)).toBeLessThan(10);
    expect(await crew.held()).toEqual(stored(1, 2));
    running.interrupt();
    vi.useRealTimers();
    expect((await running.ended).exitCode).toBe(0);
  });

  test('N11: is waited for as long as Retry-After says when the key is over its limit', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
    await holds(crew, stored(1));
    const answers = Array.from({ length: 130 }, () =>
      fetch(`${api().origin}/public/v1/events`, { headers: { 'X-API-Key': crew.apiKey } }),
    );
    await Promise.all(answers);
    appendFileSync(crew.path('r.csv'), row(2));
    const why = 'the key has used up its requests of this minute';
    await says(crew.running, 'status', { state: 'OFFLINE', queue: 1, why });
    // Ctrl-C waits too, and sends the row.
    const { exitCode, stdout } = await crew.stop();
    expect(linesIn(stdout).at(-1)).toMatchObject({ type: 'stopped', queue: 0, stored: 2 });
    expect(exitCode).toBe(0);
  }, 150_000);
});

test('N26: is refused beside another one, which it names, and `send` goes through it', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
  await holds(crew, stored(1));
  for (const state of ['.race-results', 'other']) {
    const second = await crew.run('watch', 'r.csv', '--state', state);
    expect(second.exitCode).toBe(7);
    expect(second.stderr).toMatch(new RegExp(`process ${process.pid}, started at 20`));
  }
  // The folder is the same by another name.
  const link = `${crew.folder}-link`;
  symlinkSync(crew.folder, link);
  onTestFinished(() => rmSync(link));
  const there = await startInProcess(['watch', 'r.csv'], { cwd: link, env: crew.env }).ended;
  expect(there.exitCode).toBe(7);
  crew.write('late.csv', file(7));
  const sent = await crew.run('send', 'late.csv', ...REHEARSAL, '--yes');
  expect(sent.exitCode).toBe(0);
  expect(await crew.held()).toEqual(stored(1, 7));
  expect(lines(crew.running)).toContainEqual(
    expect.objectContaining({ type: 'sent', file: crew.path('late.csv') }),
  );
});

test('N02 F53: goes on after kill -9 with what waits, and stores it once', async () => {
  const crew = await watchingAs(startFromSource, 'r.csv', ({ write }) => write('r.csv', file(1)));
  await holds(crew, stored(1));
  await api().breakService('postgres', { kind: 'refuse' });
  appendFileSync(crew.path('r.csv'), row(2));
  await says(crew.running, 'status', { queue: 1, rows: 2 });
  crew.running.kill();
  await crew.running.ended;
  await api().mendServices();
  const again = startInProcess(['watch', 'r.csv', ...WATCHING], {
    cwd: crew.folder,
    env: crew.env,
  });
  onTestFinished(async () => {
    again.interrupt();
    await again.ended;
  });
  await says(again, 'sent', { rows: 1 });
  await says(again, 'status', { state: 'OK' });
  expect(await crew.held()).toEqual(stored(1, 2));
});

test('N13: ends with 5 when the key dies, and loses nothing', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
  await holds(crew, stored(1));
  await crew.revokeKey();
  appendFileSync(crew.path('r.csv'), row(2));
  const { exitCode, stdout } = await crew.running.ended;
  expect(exitCode).toBe(5);
  expect(stdout).toContain('RACE_RESULTS_KEY');
});

test('L29 D03: sends a rejected row again when its registration has changed, and only then', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', `bib,time\n50,0:41:00\n`));
  await says(crew.running, 'rejected', { bib: '50', code: 'unknown_bib' });
  await crew.register('50');
  await crew.stop();
  crew.again();
  await holds(crew, { 50: '00:41:00.000' });
});

describe('a file that may mean something else', () => {
  test('L18: stays stopped after a check, until a person says yes to the warning', async () => {
    const crew = await watching('r.csv', () => {}, { distance: '21K' });
    crew.write('r.csv', 'bib,time\n1,0:21:11\n2,0:21:12\n');
    const why = 'r.csv: times do not fit the distance';
    await says(crew.running, 'status', { state: 'STOPPED', why });
    const checked = await crew.run('check', 'r.csv', '--yes');
    expect([checked.exitCode, checked.stderr]).toEqual([
      3,
      expect.stringContaining('the fastest 21K takes 21 min 11 s'),
    ]);
    crew.write('r.csv', 'bib,time\n1,0:21:10\n2,0:21:12\n3,0:21:13\n');
    await until(crew.printed, () => saidTimes(crew.running, 'not_read', 2));
    expect(await crew.held()).toEqual({});
    const answer = ['--chip-time', 'time', '--gun-time='];
    await crew.run('check', 'r.csv', ...answer, '--force', 'implausible_for_distance');
    await says(crew.running, 'sent', { rows: 3 });
  });

  test('is not sent while runners who gave up would be stored as finishers', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', 'bib,time,remarks\n1,0:40:11,\n2,0:40:12,DNF knee\n3,0:40:13,\n'),
    );
    const why = 'r.csv: finishers with a DNF beside them?';
    await says(crew.running, 'status', { state: 'STOPPED', why });
    expect(await crew.held()).toEqual({});
    expect((await crew.run('check', 'r.csv', '--yes')).exitCode).toBe(0);
    await holds(crew, { ...stored(1, 3), 2: 'DNF' });
  });

  test('is not sent while only a person can say which column is the time', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', 'bib,time,Laufzeit\n1,0:20:11,0:40:11\n2,0:20:12,0:40:12\n'),
    );
    const why = 'run `race-results check r.csv`';
    await says(crew.running, 'status', { state: 'STOPPED', why });
    expect(await crew.held()).toEqual({});
  });

  test('P12: is asked about if its times are below those of finishers, and nothing of it is sent', async () => {
    const finish = 'bib,time\n4,1:20:12\n5,1:21:13\n6,1:22:14\n';
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/finish.csv', finish);
    });
    await says(crew.running, 'sent', { rows: 3 });
    crew.write('out/km10.csv', 'bib,time\n4,0:41:09\n5,0:42:10\n7,0:43:11\n');
    await says(crew.running, 'status', { state: 'STOPPED', why: 'km10.csv: finish or a point?' });
    expect(await crew.held()).toMatchObject({ 4: '01:20:12.000', 5: '01:21:13.000' });
    expect(await crew.held()).not.toHaveProperty('7');
    const asked = await crew.run('check', 'out/km10.csv', '--yes');
    expect([asked.exitCode, asked.stderr]).toEqual([3, expect.stringContaining('--point')]);
  });

  test('F62: is read as before if columns are moved, and names `check` if one is added', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', 'bib,club,time\n1,A,0:40:11\n'),
    );
    await holds(crew, stored(1));
    crew.write('r.csv', 'time,bib,club\n0:40:11,1,A\n0:40:12,2,B\n');
    await holds(crew, stored(1, 2));
    crew.write('r.csv', 'time,bib,club,gun\n0:40:11,1,A,0:40:21\n0:40:13,3,B,0:40:22\n');
    const { message } = await says(crew.running, 'not_read', { short: 'r.csv: a new column' });
    expect(message).toContain('`race-results check r.csv` takes it');
    await holds(crew, stored(1, 2, 3));
  });
});

describe('what waits for a person', () => {
  test('L16 L36: is an impossible row, until its values change, and all others are sent', async () => {
    const crew = await watching(
      'r.csv',
      ({ write }) => write('r.csv', 'bib,time\n1,1:20:07\n2,0:12:05\n3,1:21:07\n'),
      { distance: '21K' },
    );
    await holds(crew, { 1: '01:20:07.000', 3: '01:21:07.000' });
    const look = await shows(crew.running, { state: 'LOOK', left: 1, queue: 0 });
    expect(look['why']).toMatch(/^1 left to you, too fast for the distance: 2 /);
    crew.write('r.csv', 'bib,time\n1,1:20:07\n2,0:12:05\n3,1:21:07\n4,1:22:07\n5,0:01:43\n');
    await holds(crew, { 1: '01:20:07.000', 3: '01:21:07.000', 4: '01:22:07.000' });
    await shows(crew.running, { state: 'LOOK', left: 2, queue: 0 });
    await crew.run('decide', '2', 'file');
    const released = { 1: '01:20:07.000', 2: '00:12:05.000', 3: '01:21:07.000', 4: '01:22:07.000' };
    await holds(crew, released);
    crew.write('r.csv', 'bib,time\n1,1:20:07\n2,0:13:05\n3,1:21:07\n4,1:22:07\n5,1:43:08\n');
    await holds(crew, { ...released, 5: '01:43:08.000' });
    await shows(crew.running, { state: 'LOOK', left: 1, rows: 5, queue: 0 });
  });

  test('P08: is a passing that is faster than anybody, as a time of day after midnight', async () => {
    const passed = [1, 2, 3, 4, 5].map((bib) => `${bib},5:4${bib}:1${bib}\n`).join('');
    const crew = await watching('km.csv --point 60K', ({ write }) =>
      write('km.csv', `bib,time\n${passed}`),
    );
    await says(crew.running, 'sent', { rows: 5 });
    await shows(crew.running, { state: 'OK', queue: 0, rows: 5 });
    crew.write('km.csv', `bib,time\n${passed}6,0:01:28\n7,6:02:09\n`);
    const look = await shows(crew.running, { state: 'LOOK', left: 1 });
    expect(look['why']).toMatch(/^1 left to you, nobody is at the point so fast: 6 /);
  });

  test('L19: is a second finish, later than the stored one', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2, 3)));
    await holds(crew, stored(1, 2, 3));
    crew.write('r.csv', 'bib,time\n1,0:43:17\n2,0:40:20\n3,0:40:13\n');
    await holds(crew, { ...stored(1, 3), 2: '00:40:20.000' });
    const look = await shows(crew.running, { state: 'LOOK', left: 1 });
    expect(look['why']).toMatch(/^1 left to you, a second finish, later: 1 /);
  });

  test('L28 L30: is a rejected row, until somebody says that it stays away', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', `${file(1, 2, 3)}99,0:41:12\n`),
    );
    const { why } = await shows(crew.running, { state: 'LOOK', rejected: 1 });
    expect(why).toContain('No registration');
    expect(await crew.run('decide', '99', 'api')).toMatchObject({ exitCode: 0 });
    await shows(crew.running, { state: 'OK', rejected: 0 });
    const { exitCode, stdout } = await crew.stop();
    expect([exitCode, linesIn(stdout).at(-1)]).toMatchObject([0, { stored: 3, decided: 1 }]);
  });

  test('L32: is a bib in another form, which names the flag once', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2, 3)));
    await holds(crew, stored(1, 2, 3));
    appendFileSync(crew.path('r.csv'), '0004,0:40:14\n0005,0:40:15\n');
    const { message } = await says(crew.running, 'bib_format');
    expect(message).toContain(
      '`race-results check r.csv` says whether the event writes bibs such as 0004',
    );
    await crew.run('check', 'r.csv', '--bib-format', 'number', '--yes');
    await holds(crew, stored(1, 2, 3, 4, 5));
    expect(saidTimes(crew.running, 'bib_format', 1)).toBe(true);
  });

  test('L31: is a file of which most rows are rejected', async () => {
    const crew = await watching('r.csv', ({ write }) =>
      write('r.csv', `${file(1, 2)}97,0:41:12\n98,0:41:12\n99,0:41:12\n`),
    );
    await says(crew.running, 'status', { state: 'STOPPED', why: 'r.csv: 3 of 5 rows rejected' });
    expect(await crew.held()).toEqual(stored(1, 2));
  });

  test('F27 F28 U14 U15: is a result that no file has, after a bib was corrected', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 3, 4)));
    await holds(crew, stored(1, 3, 4));
    crew.write('r.csv', file(1, 11, 4));
    await holds(crew, stored(1, 3, 4, 11));
    const { why } = await shows(crew.running, { state: 'LOOK', left: 1 });
    expect(why).toContain('no file has it any more: 3 FINISHED');
    expect((await crew.run('status')).exitCode).toBe(4);
    const removed = await crew.run('remove', '3', '--yes');
    expect(removed.exitCode).toBe(0);
    expect(await crew.held()).toEqual(stored(1, 4, 11));
    await shows(crew.running, { state: 'OK', left: 0, rows: 3 });
    const [, id = ''] = /undo --any (\S+)`/.exec(removed.stdout) ?? [];
    expect((await crew.run('undo', '--any', id, '--yes')).exitCode).toBe(0);
    expect(await crew.held()).toEqual(stored(1, 3, 4, 11));
    await shows(crew.running, { state: 'LOOK', left: 1 });
  });

  test('U09: is an undo that may have been a mistake', async () => {
    const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
    await holds(crew, stored(1, 2));
    await crew.run('undo', '--yes');
    const { why } = await shows(crew.running, { state: 'LOOK', left: 2 });
    expect(why).toMatch(/^2 left to you, a person took this value back/);
    await crew.run('decide', 'taken_back', 'api');
    await shows(crew.running, { state: 'OK', left: 0 });
    expect(await crew.held()).toEqual({});
    expect((await crew.stop()).exitCode).toBe(0);
  });

  test('F34: is a list without the splits of before', async () => {
    const crew = await watching('out', ({ folder, write }) => {
      mkdirSync(join(folder, 'out'));
      write('out/a.csv', 'bib,time,Km 5\n1,0:40:11,0:20:00\n2,0:40:12,0:20:00\n');
    });
    await holds(crew, stored(1, 2));
    await shows(crew.running, { state: 'OK' });
    crew.write('out/b.csv', 'bib,time\n1,0:40:31\n2,0:40:12\n3,0:40:13\n');
    utimesSync(crew.path('out/b.csv'), new Date(Date.now() + 9_000), new Date(Date.now() + 9_000));
    await holds(crew, stored(1, 2, 3));
    const { why } = await shows(crew.running, { state: 'LOOK', left: 2 });
    expect(why).toContain('the file has no splits, and the stored result has some');
  });
});

test('S07: says at the end what the API holds, not what was sent', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
  await holds(crew, stored(1, 2));
  await crew.client.deleteEventResult(crew.eventId, '2');
  const { exitCode, stdout } = await crew.stop();
  expect(exitCode).toBe(4);
  expect(linesIn(stdout).at(-1)).toMatchObject({
    type: 'stopped',
    stored: 1,
    results: 2,
    left: 1,
    is_compared: true,
  });
});

test('reads every file once more at the end, whatever its size and time say', async () => {
  const write = (crew: Pick<Crew, 'folder' | 'write'>, text: string) => {
    crew.write('r.csv', text);
    utimesSync(join(crew.folder, 'r.csv'), 1_000, 1_000);
  };
  const crew = await watching('r.csv', (folder) => write(folder, file(1, 2)));
  await holds(crew, stored(1, 2));
  write(crew, `${file(1)}${row(2, 52)}`);
  await wait(1_000);
  expect(await crew.held()).toEqual(stored(1, 2));
  const { exitCode } = await crew.stop();
  expect([exitCode, await crew.held()]).toEqual([0, { ...stored(1), 2: '00:40:52.000' }]);
});

test('S06: says at the end that an export is stored that is rewritten as it was', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
  await holds(crew, stored(1, 2));
  const exports = setInterval(() => crew.write('r.csv', file(1, 2)), 40);
  onTestFinished(() => clearInterval(exports));
  await wait(200);
  const { exitCode, stdout } = await crew.stop();
  expect([exitCode, linesIn(stdout).at(-1)]).toMatchObject([0, { unread: [], stored: 2 }]);
});

test('S08: says at the end that nothing could be compared', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1, 2)));
  await holds(crew, stored(1, 2));
  crew.proxy.refuse();
  const { exitCode, stdout } = await crew.stop();
  expect(exitCode).toBe(6);
  expect(linesIn(stdout).at(-1)).toMatchObject({ type: 'stopped', is_compared: false });
});

test('N14: refuses a key that only reads before it looks at a file', async () => {
  const crew = await sendCrew(api(), startInProcess);
  const env = { ...crew.env, RACE_RESULTS_KEY: await crew.createKey(['events:read']) };
  const options = { cwd: crew.folder, env };
  const { exitCode, stdout } = await startInProcess(['watch', 'r.csv', ...WATCHING], options).ended;
  expect([exitCode, stdout]).toEqual([5, expect.stringContaining('results:write')]);
});

test('N23 N25: survives being frozen, and other commands say that it is', async () => {
  const crew = await watchingAs(startFromSource, 'r.csv', ({ write }) => write('r.csv', file(1)));
  await holds(crew, stored(1));
  process.kill(crew.running.pid, 'SIGSTOP');
  const shown = await startInProcess(['status'], { cwd: crew.folder, env: crew.env }).ended;
  expect([shown.exitCode, shown.stdout]).toEqual([4, expect.stringContaining('DOES NOT ANSWER')]);
  const second = await startInProcess(['watch', 'r.csv'], { cwd: crew.folder, env: crew.env })
    .ended;
  expect([second.exitCode, second.stderr]).toEqual([7, expect.stringContaining('does not answer')]);
  process.kill(crew.running.pid, 'SIGCONT');
  appendFileSync(crew.path('r.csv'), row(2));
  await holds(crew, stored(1, 2));
});

test('opens its page with the opener of the system', async () => {
  const crew = await sendCrew(api(), startFromSource);
  const opened = join(crew.folder, 'opened');
  for (const opener of ['xdg-open', 'open']) {
    crew.write(opener, `#!/bin/sh\necho "$1" > '${opened}'\n`);
    chmodSync(join(crew.folder, opener), 0o755);
  }
  crew.env['PATH'] = `${crew.folder}:${process.env['PATH']}`;
  const running = crew.start('watch', 'r.csv', '--open', ...WATCHING);
  onTestFinished(running.kill);
  await until(running.printed, () => existsSync(opened) || undefined);
  expect(crew.read('opened').trim()).toBe(join(crew.folder, '.race-results/watch.html'));
  expect((await fetch(pageOf(crew).origin)).status).toBe(200);
});

test('S17: has another page at each start, and says that a stranger has its port', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', file(1)));
  await says(crew.running, 'sent');
  const before = pageOf(crew);
  await crew.stop();
  const { port } = new URL(before.origin);
  const heard: string[] = [];
  const stranger = createServer((asked, answer) => {
    heard.push(JSON.stringify([asked.url, asked.headers]));
    answer.end('{}');
  });
  onTestFinished(() => void stranger.close());
  await once(stranger.listen(Number(port), '127.0.0.1'), 'listening');
  const running = crew.again();
  await says(running, 'port_taken', { ports: port });
  await shows(running, { state: 'OK' });
  const page = pageOf(crew);
  expect(statSync(crew.path('.race-results/watch.html')).mode & 0o777).toBe(0o600);
  expect(await page.view()).toContain('<td>r.csv</td>');
  const headers = { Authorization: `Bearer ${before.token}` };
  expect((await fetch(`${page.origin}/view`, { headers })).status).toBe(401);
  expect((await crew.run('status')).exitCode).toBe(0);
  expect(heard).not.toEqual([]);
  expect(heard.join()).not.toMatch(/authorization/i);
});

test('P13: keeps what a file means when a person says on the page that it is right', async () => {
  const crew = await watching('out', ({ folder, write }) => {
    mkdirSync(join(folder, 'out'));
    const header = ['bib', 'time'];
    const readings = [{ file: 'km10.csv', header, read: 'point=Km+10' }];
    write('race.json', JSON.stringify({ readings }));
    write('out/km10.csv', 'bib,time\n1,0:41:00\n2,0:42:00\n');
  });
  await says(crew.running, 'status', { state: 'STOPPED', why: 'km10.csv: times in whole minutes' });
  expect(await pageOf(crew).answer()).toBe(200);
  await says(crew.running, 'sent', { rows: 2 });
  expect(await crew.held()).toEqual({});
  const [reading] = JSON.parse(crew.read('race.json')).readings;
  expect(reading).toMatchObject({ read: 'point=Km%2010', accepted: ['whole_minutes'] });
});

test('has a page with the state, the files and the decisions, in both languages', async () => {
  const crew = await watching('r.csv', ({ write }) => write('r.csv', `${file(1, 2, 3)}9,<b>\n`));
  await says(crew.running, 'sent');
  await says(crew.running, 'status', { state: 'LOOK', rejected: 1, queue: 0 });
  const { origin, view: askView, answer } = pageOf(crew);
  expect(await (await fetch(origin)).text()).not.toContain('r.csv');
  const view = await askView();
  expect(view).toContain('<h1>LOOK</h1>');
  expect(view).toContain('<td>r.csv</td><td>4</td><td>0</td><td>1</td>');
  expect(view).toContain('&lt;b&gt;');
  expect(view).not.toContain('<b>');
  expect(await answer()).toBe(200);
  await shows(crew.running, { state: 'OK', rejected: 0 });
  onTestFinished(() => useLanguageOf({ LANG: 'C' }));
  useLanguageOf({ LANG: 'es_ES.UTF-8' });
  expect(await (await fetch(origin)).text()).toContain('<html lang="es">');
  expect(await askView()).toContain('<h1>BIEN</h1>');
});
