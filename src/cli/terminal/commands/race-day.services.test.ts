import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Crew, linesIn, sendCrew, useApi, useCommand } from '../../../testing/runtime/crew.ts';
import { clock, says, shows, stopped, until } from '../../../testing/runtime/watching.ts';

const command = useCommand({ isFast: true });
const api = useApi();

const RUNNERS = 60;

const km10 = (bib: number) => `${bib},${clock(2_400 + 7 * bib)}\n`;
const finish = (bib: number, more = 0) => `${bib},${clock(5_200 + 11 * bib + more)}\n`;
const bibs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** `watch` in a terminal of so many columns. */
function watchInTerminal({ folder, env }: Crew, columns: number) {
  const line = `stty cols ${columns}; exec '${process.execPath}' '${command().path}' watch out --yes`;
  const args = ['--quiet', '--command', line, '/dev/null'];
  const terminal = spawn('script', args, { cwd: folder, env: { ...process.env, ...env } });
  let printed = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise((resolve) => terminal.once('close', resolve));
  onTestFinished(() => void terminal.kill('SIGKILL'));
  return {
    /** Waits for the one line of state. */
    shows: (state: RegExp) =>
      until(
        () => `${state} in ${printed.slice(-3_000)}`,
        () => {
          const line = stripVTControlCharacters(printed.split('\r').at(-1) ?? '');
          return state.test(line) ? line : undefined;
        },
      ),
    /** Ctrl-S and Ctrl-Q */
    freeze: () => terminal.stdin.write('\u0013'),
    thaw: () => terminal.stdin.write('\u0011'),
    /** Ctrl-C */
    stop() {
      terminal.stdin.write('\u0003');
      return ended;
    },
  };
}

test('a race day with a laptop at km 10 and one at the finish, until both prove what is stored', async () => {
  const finishLine = await sendCrew(api(), command().start, {
    runners: RUNNERS,
    registration: { distance: '21K' },
  });
  const course = await sendCrew(api(), command().start, { race: finishLine });
  const { client, eventId } = finishLine;
  const file = join(finishLine.folder, 'out/finish.csv');
  mkdirSync(join(finishLine.folder, 'out'));
  const write = (text: string) => finishLine.write('out/finish.csv', text);
  const header = 'bib,club,time\n';
  const withClub = (row: string) => row.replace(',', ',A,');
  const rows = (...ids: number[]) => ids.map((bib) => withClub(finish(bib))).join('');

  // The runners pass km 10 over a connection that breaks, and the laptop is killed once.
  course.write('km10.csv', 'bib,time\n');
  let atKm10 = course.start('watch', 'km10.csv', '--point', 'Km 10', '--json');
  onTestFinished(() => atKm10.kill());
  appendFileSync(join(course.folder, 'km10.csv'), bibs(1, 21).map(km10).join(''));
  await says(atKm10, 'sent');
  course.proxy.tear();
  appendFileSync(join(course.folder, 'km10.csv'), bibs(21, 41).map(km10).join(''));
  atKm10.kill();
  await atKm10.ended;
  atKm10 = course.start('watch', 'km10.csv', '--point', 'Km 10', '--json');
  await shows(atKm10, { state: 'OK', queue: 0, rows: 40 });

  // 9: a key that only reads is refused at once. A rehearsal on the eve is taken back.
  const RACE_RESULTS_KEY = await finishLine.createKey(['events:read']);
  const env = { ...finishLine.env, RACE_RESULTS_KEY };
  const reading = command().start(['watch', 'out'], { cwd: finishLine.folder, env });
  expect((await reading.ended).exitCode).toBe(5);
  const startAtFinish = () => {
    const running = finishLine.start('watch', 'out', '--json');
    onTestFinished(() => running.kill());
    return running;
  };
  const order = bibs(1, 13);
  const rehearsal = startAtFinish();
  write(`${header}${order.map((bib) => withClub(finish(bib, 99))).join('')}`);
  await shows(rehearsal, { state: 'OK', queue: 0, rows: 12 });
  await finishLine.run('undo', '--yes');
  await shows(rehearsal, { state: 'LOOK', left: 12 });
  expect((await stopped(rehearsal)).exitCode).toBe(4);
  // 2: somebody else has sent two results with a split that the file of the finish has not.
  await client.uploadEventResults(eventId, {
    results: [1, 2].map((bib) => ({
      bib_number: `${bib}`,
      chip_time: clock(5_200 + 11 * bib),
      splits: { Bridge: clock(600) },
    })),
  });
  // The finish sends without splits, which is a question for two; those of km 10 stay.
  write(header);
  let atFinish = startAtFinish();
  // Nobody is asked about the rehearsal any more, and the two results are in no file yet.
  await shows(atFinish, { left: 2, rows: 0 });
  appendFileSync(file, rows(...order));
  await shows(atFinish, { state: 'LOOK', left: 2, queue: 0, rows: 12 });
  expect((await finishLine.run('decide', '1', '2', 'file')).exitCode).toBe(0);
  await shows(atFinish, { state: 'OK', queue: 0, rows: 12 });
  const { splits } = await client.getEventResult(eventId, '5');
  expect(splits).toEqual({ 'Km 10': '00:40:35.000' });

  // 1: the file of km 10 lands in the folder of the finish: a question, and nothing is replaced.
  finishLine.write('out/km10.csv', `bib,time\n${order.map(km10).join('')}`);
  await shows(atFinish, { state: 'STOPPED', why: 'km10.csv: finish or a point?' });
  expect((await client.getEventResult(eventId, '1')).chip_time).toBe('01:26:51.000');
  rmSync(join(finishLine.folder, 'out/km10.csv'));
  // 3: columns that are moved are read as before, and a column that is added names the answer.
  const moved = [...order, 13].map((bib) => `${finish(bib).trim().split(',')[1]},${bib},A\n`);
  write(`time,bib,club\n${moved.join('')}`);
  await shows(atFinish, { state: 'OK', queue: 0, rows: 13 });
  write(
    `bib,gun,time\n${bibs(1, 17)
      .map((bib) => finish(bib).replace(',', ',1:00:00,'))
      .join('')}`,
  );
  await shows(atFinish, { state: 'STOPPED', why: 'finish.csv: another header', rows: 13 });
  // 10: of three corrections among twelve rows, the corrections wait and the new finishers go.
  const corrected = bibs(1, 4)
    .map((bib) => withClub(finish(bib, 3)))
    .join('');
  write(`${header}${corrected}${rows(...bibs(4, 15))}`);
  await shows(atFinish, { state: 'LOOK', left: 3, queue: 0, rows: 14 });
  expect((await client.getEventResult(eventId, '14')).chip_time).toBe('01:29:14.000');
  expect((await client.getEventResult(eventId, '1')).chip_time).toBe('01:26:51.000');
  // 9: a row that waits hides neither OFFLINE nor the queue, however narrow the terminal is.
  expect((await stopped(atFinish)).exitCode).toBe(4);
  for (const [at, columns] of [80, 60].entries()) {
    const terminal = watchInTerminal(finishLine, columns);
    await terminal.shows(/^LOOK .* queue 0 .*3 left to you/);
    finishLine.proxy.refuse();
    appendFileSync(file, rows(50 + at));
    const line = await terminal.shows(/^OFFLINE .* queue 1 .*left 3/);
    expect(line.length).toBeLessThan(columns);
    // 5: the sending goes on while the terminal is frozen.
    terminal.freeze();
    finishLine.proxy.mend();
    await until(
      () => `the result of ${50 + at}`,
      () => client.getEventResult(eventId, `${50 + at}`).catch(() => undefined),
    );
    terminal.thaw();
    await terminal.stop();
  }
  atFinish = startAtFinish();
  await shows(atFinish, { state: 'LOOK', left: 3, queue: 0, rows: 16 });
  await finishLine.run('decide', '1', '2', '3', 'file');
  await shows(atFinish, { state: 'OK', left: 0, queue: 0 });
  // 4: a frozen watch is not killed by those who ask, and they say that it is frozen.
  process.kill(atFinish.pid, 'SIGSTOP');
  const asked = await finishLine.run('status');
  expect([asked.exitCode, asked.stdout]).toEqual([4, expect.stringContaining('DOES NOT ANSWER')]);
  expect((await finishLine.run('watch', 'out')).exitCode).toBe(7);
  process.kill(atFinish.pid, 'SIGCONT');
  // 6 and 7: a bib that nobody has, and a bib that was corrected.
  const later = `${header}${corrected}${rows(...bibs(4, 14), 15, 50, 51)}`;
  const unknown = bibs(700, 720).map((bib) => `${bib},A,1:30:00\n`);
  write(`${later}${unknown.join('')}`);
  await shows(atFinish, { state: 'STOPPED', why: 'finish.csv: 20 of 36 rows rejected', queue: 0 });
  write(`${later}777,A,1:30:00\n`);
  await shows(atFinish, { state: 'LOOK', rejected: 1, left: 1, queue: 0 });
  expect((await finishLine.run('remove', '14', '--yes')).exitCode).toBe(0);
  expect((await finishLine.run('decide', '777', 'api')).exitCode).toBe(0);
  await shows(atFinish, { state: 'OK', rejected: 0, left: 0 });
  write(later);
  await shows(atFinish, { state: 'OK', rejected: 0, queue: 0 });
  // 9: an undo that was a mistake is a question, until the rows are sent again.
  appendFileSync(file, rows(16));
  await shows(atFinish, { state: 'OK', queue: 0, rows: 17 });
  await finishLine.run('undo', '--yes');
  await shows(atFinish, { state: 'LOOK', left: 1 });
  await finishLine.run('decide', 'taken_back', 'file');
  await shows(atFinish, { state: 'OK', left: 0, queue: 0 });
  // The network goes away for the last finishers.
  finishLine.proxy.refuse();
  appendFileSync(file, rows(...bibs(17, 41)));
  await shows(atFinish, { state: 'OFFLINE', queue: 24 });
  // 11: a hotspot that says "in an hour" is no API.
  finishLine.proxy.capture();
  const why =
    'something that is not the API answers (503, text/html): check the address, and that no hotspot asks for a login';
  await shows(atFinish, { state: 'OFFLINE', queue: 24, why });
  finishLine.proxy.mend();
  const mendedAt = performance.now();
  await shows(atFinish, { state: 'OK', queue: 0 });
  expect(performance.now() - mendedAt).toBeLessThan(10_000);

  // 8: the last words are what the API holds, also of what somebody has deleted just before.
  await client.deleteEventResult(eventId, '20');
  const [end, courseEnd] = [await stopped(atFinish), await stopped(atKm10)];
  expect([end.exitCode, end.last]).toMatchObject([4, { is_compared: true, left: 1 }]);
  expect((await finishLine.run('decide', '20', 'file')).exitCode).toBe(0);
  expect([courseEnd.exitCode, courseEnd.last]).toMatchObject([0, { results: 40, stored: 40 }]);

  // The proof needs the files of both laptops.
  finishLine.write('km10.csv', course.read('km10.csv'));
  const ofPoint = await finishLine.run('check', 'km10.csv', '--point', 'Km 10', '--yes');
  expect([ofPoint.exitCode, ofPoint.stderr]).toEqual([0, expect.not.stringContaining('fit')]);
  const proof = await finishLine.run('verify', 'out/finish.csv', 'km10.csv', '--json');
  expect([proof.exitCode, proof.exitCode === 0 ? '' : proof.stdout]).toEqual([0, '']);
  expect(linesIn(proof.stdout).at(-1)).toMatchObject({
    is_equal: true,
    counts: { rows: 81, equal: 81, missing: 0, differ: 0, in_no_file: 0 },
  });
  expect(
    readdirSync(finishLine.folder).filter((name) => name.startsWith('verified-')),
  ).toHaveLength(2);
  expect((await finishLine.run('export', 'results.csv')).exitCode).toBe(0);
  expect(finishLine.read('results.csv').trim().split('\n')).toHaveLength(42);
  // One result that changes is found, and one that a person removes is a decision.
  await client.deleteEventResult(eventId, '19');
  await client.uploadEventResults(eventId, {
    results: [{ bib_number: '20', chip_time: '1:59:59' }],
  });
  const broken = await finishLine.run('verify', 'out/finish.csv', 'km10.csv', '--json');
  expect([broken.exitCode, linesIn(broken.stdout).at(-1)]).toMatchObject([
    1,
    { is_equal: false, differ: [{ bib: '20' }], decided_by_hand: [{ bib: '19', held: '-' }] },
  ]);
});
