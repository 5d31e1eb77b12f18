import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type RunningApi, startApi } from '../../../testing/runtime/api.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { linesIn, REHEARSAL, sendCrew } from '../../../testing/runtime/crew.ts';
import type { Cut } from '../../../testing/runtime/tearing-proxy.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi(inject('workerEnv'));
}, 60_000);
afterAll(() => api?.stop());

async function startingCrew(...cuts: Cut[]) {
  const crew = await sendCrew(api, startInProcess, { cuts });
  onTestFinished(crew.leave);
  return crew;
}

const ARGUMENTS = [...REHEARSAL, '--yes'];
const TWO = 'bib,time\n1,0:40:11\n2,0:41:12\n';

test('sends a file, and only what changed the next time', async () => {
  const { run, write, held, client, eventId } = await startingCrew();
  write('r.csv', TWO);
  const first = await run('send', 'r.csv', ...ARGUMENTS);
  expect(first.stderr).toBe('');
  expect(first.exitCode).toBe(0);
  expect(linesIn(first.stdout)).toContainEqual(
    expect.objectContaining({ type: 'done', stored: 2, rejected: 0 }),
  );
  write('r.csv', 'bib,time\n1,0:40:11\n2,0:41:13\n3,0:42:14\n');
  const second = await run('send', 'r.csv', ...ARGUMENTS);
  expect(linesIn(second.stdout)).toContainEqual(
    expect.objectContaining({ type: 'changes', new: 1, changed: 1, unchanged: 1 }),
  );
  expect(await held()).toEqual({ 1: '00:40:11.000', 2: '00:41:13.000', 3: '00:42:14.000' });
  const third = await run('send', 'r.csv', ...ARGUMENTS);
  expect(third.exitCode).toBe(0);
  expect((await client.listResultBatches(eventId)).data).toHaveLength(2);
});

test('keeps rejected rows in a file that can be mended and sent', async () => {
  const { run, write, read, held } = await startingCrew();
  write('r.csv', 'Nr;Club;Zeit\n1;"A; B";0:40:11\n99;C;0:41:12\n3;D;1:2803\n4;E;\n');
  const flags = ['--bib', 'Nr', '--chip-time', 'Zeit', '--split='];
  const first = await run('send', 'r.csv', ...flags, ...ARGUMENTS);
  expect([first.exitCode, first.exitCode === 1 ? '' : first.stdout]).toEqual([1, '']);
  const rejected = read('.race-results/rejected.csv');
  expect(rejected.split('\r\n')).toEqual([
    '\uFEFFNr;Club;Zeit;reason;reason_code',
    expect.stringMatching(/^99;C;0:41:12;.+;unknown_bib$/),
    expect.stringMatching(/^3;D;1:2803;.+;invalid_time$/),
    expect.stringMatching(/^4;E;;.+;missing_time$/),
    '',
  ]);
  expect(first.stdout).toContain('Line 4, bib 3: The chip time');

  const mended = rejected
    .replace('99;', '9;')
    .replace('1:2803', '1:28:03')
    .replace('4;E;;', '4;E;0:50:01;');
  write('.race-results/rejected.csv', mended);
  const second = await run('send', '.race-results/rejected.csv', ...flags, ...ARGUMENTS);
  expect(linesIn(second.stdout)).toContainEqual(
    expect.objectContaining({ type: 'changes', rows: 3, rejected: 0 }),
  );
  expect(await held()).toEqual({
    1: '00:40:11.000',
    9: '00:41:12.000',
    3: '01:28:03.000',
    4: '00:50:01.000',
  });
});

describe('send', () => {
  test('ends with 4 at a guard, which --yes does not pass', async () => {
    const { run, write, held } = await startingCrew();
    // Hours and minutes, or minutes and seconds?
    write('r.csv', 'bib,time\n1,0:40:00\n2,0:41:00\n');
    const { exitCode, stderr } = await run('send', 'r.csv', '--settle', '0.05', '--yes');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('whole_minutes');
    expect(stderr).toMatch(/--force \S*whole_minutes/);
    expect(await held()).toEqual({});
  });

  test('ends with 4 when many stored results would change', async () => {
    const { run, write, held } = await startingCrew();
    const rows = (seconds: number) =>
      Array.from({ length: 10 }, (_, at) => `${at + 1},0:40:${seconds + at}`);
    write('r.csv', ['bib,time', ...rows(10), ''].join('\n'));
    const first = await run('send', 'r.csv', ...ARGUMENTS);
    expect([first.exitCode, first.exitCode === 0 ? '' : first.stdout]).toEqual([0, '']);
    const before = await held();
    write('r.csv', ['bib,time', ...rows(30), ''].join('\n'));
    const { exitCode, stdout } = await run('send', 'r.csv', '--json', '--yes', '--settle', '0.05');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('10 of 10 stored results would change.');
    expect(await held()).toEqual(before);
  });

  test('ends with 4 when the header differs from race.json', async () => {
    const { run, write } = await startingCrew();
    write('r.csv', TWO);
    write(
      'race.json',
      JSON.stringify({ readings: [{ header: ['bib', 'chip', 'club'], read: '' }] }),
    );
    const { exitCode, stdout } = await run('send', 'r.csv', '--json', '--yes', '--settle', '0.05');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('Missing: \\"chip\\", \\"club\\". New: \\"time\\".');
  });

  test('ends with 3 for a file that is missing or unreadable', async () => {
    const { run, write } = await startingCrew();
    const absent = await run('send', 'none.csv', '--yes');
    expect([absent.exitCode, absent.stderr]).toEqual([3, expect.stringContaining('no such file')]);
    write('r.csv', 'a,b\n1,2\n');
    const strange = await run('send', 'r.csv', '--yes', '--settle', '0.05');
    expect([strange.exitCode, strange.stderr]).toEqual([
      3,
      expect.stringContaining('no bib column'),
    ]);
    write('d.csv', 'bib,time\n1,1:28\n2,1:31\n3,2:07\n');
    const unclear = await run('send', 'd.csv', '--yes', '--settle', '0.05');
    expect(unclear.exitCode).toBeGreaterThanOrEqual(3);
  });

  test('ends with 5 for an unknown key', async () => {
    const { write, env, folder } = await startingCrew();
    write('r.csv', TWO);
    const wrong = { ...env, RACE_RESULTS_KEY: `er_live_${'x'.repeat(38)}` };
    const { exitCode, stderr } = await startInProcess(
      ['send', 'r.csv', '--yes', '--settle', '0.05'],
      {
        cwd: folder,
        env: wrong,
      },
    ).ended;
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('RACE_RESULTS_KEY')]);
  });

  test('ends with 2 without a terminal and without --yes', async () => {
    const { run, write, held } = await startingCrew();
    write('r.csv', TWO);
    const { exitCode, stderr } = await run(
      'send',
      'r.csv',
      '--force',
      'not_event_day',
      '--settle',
      '0.05',
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await held()).toEqual({});
  });
});

test.each<[string, Cut[]]>([
  ['before the upload', ['at-once', 'at-once']],
  ['in its body', [{ afterSentBytes: 100_000 }, { afterSentBytes: 700 }, { afterSentBytes: 700 }]],
  [
    'before its answer',
    [{ afterSentBytes: 100_000 }, { afterAnswerBytes: 0 }, { afterAnswerBytes: 0 }],
  ],
  ['in its answer', [{ afterSentBytes: 100_000 }, { afterAnswerBytes: 80 }]],
])('stores each row once over a connection that breaks %s', async (_, cuts) => {
  const { run, write, held, client, eventId } = await startingCrew(...cuts);
  write('r.csv', TWO);
  const { exitCode } = await run('send', 'r.csv', ...ARGUMENTS);
  expect(exitCode).toBe(0);
  expect(await held()).toEqual({ 1: '00:40:11.000', 2: '00:41:12.000' });
  const { data } = await client.listResultBatches(eventId);
  expect(data).toMatchObject([{ uploaded: 2, updated: 0 }]);
});

test('keeps the queue when the network goes away, and goes on with it', async () => {
  const { run, write, held, proxy, folder, env } = await startingCrew();
  write('r.csv', TWO);
  const offline = await startInProcess(['send', 'r.csv', ...ARGUMENTS], {
    cwd: folder,
    env,
    onPrint: (text) => text.includes('"changes"') && proxy.refuse(),
  }).ended;
  expect(offline.exitCode).toBe(6);
  expect(linesIn(offline.stdout).at(-1)).toMatchObject({
    message: expect.stringContaining('2 rows wait in the queue'),
  });
  expect(await held()).toEqual({});
  proxy.mend();
  write('r.csv', 'bib,time\n1,0:40:11\n2,0:41:12\n3,0:42:13\n');
  expect((await run('send', 'r.csv', ...ARGUMENTS)).exitCode).toBe(0);
  expect(Object.keys(await held())).toEqual(['1', '2', '3']);
});

test.each<[string, Cut]>([
  ...[200, 800, 1_400].map((bytes): [string, Cut] => [
    `behind ${bytes} sent bytes`,
    { afterSentBytes: bytes },
  ]),
  ...[0, 1_200, 2_400].map((bytes): [string, Cut] => [
    `behind ${bytes} bytes of answers`,
    { afterAnswerBytes: bytes },
  ]),
])('takes an upload back once when `log` and `undo` are cut %s', async (_, cut) => {
  const { run, held, client, eventId } = await startingCrew(cut, cut, cut, cut);
  const results = [{ bib_number: '1', status: 'DNF' as const }];
  await client.uploadEventResults(eventId, { results });
  for (let attempt = 0; attempt < 4; attempt++) {
    const listed = await run('log', '--json');
    expect([0, 6]).toContain(listed.exitCode);
    // Repeated until the command has heard that it is done.
    const { exitCode } = await run('undo', '--yes');
    if (exitCode === 2) break;
    expect([0, 6]).toContain(exitCode);
  }
  expect(await held()).toEqual({});
  const { data } = await client.listResultBatches(eventId);
  expect(data.map(({ source }) => source)).toEqual(['revert', 'json']);
  const status = await run('status', '--json');
  expect(linesIn(status.stdout)[0]).toMatchObject({ type: 'status', queue: 0, online: true });
});
