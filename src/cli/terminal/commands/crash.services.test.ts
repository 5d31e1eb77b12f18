import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type RunningProcess, startInProcess } from '../../../testing/runtime/command.ts';
import {
  type Crew,
  REHEARSAL,
  sendCrew,
  useApi,
  useCommand,
} from '../../../testing/runtime/crew.ts';
import type { Cut } from '../../../testing/runtime/tearing-proxy.ts';

const command = useCommand({ isFast: true });
const api = useApi();

async function startingCrew(options: { runners: number }): Promise<Crew<RunningProcess>> {
  const crew = await sendCrew(api(), command().start, options);
  return crew;
}

const WATCH = ['watch', 'r.csv', '--json'];

const row = (bib: number) =>
  `${bib},0:${String(20 + (bib % 40)).padStart(2, '0')}:${String(bib % 59).padStart(2, '0')}.5\n`;

/** Counts the rows by what the API did with them. */
async function countsOf({ client, eventId }: Crew) {
  const counts = { uploaded: 0, changed: 0, batches: 0 };
  for await (const { uploaded, updated, unchanged } of client.listResultBatches(eventId)) {
    counts.uploaded += uploaded;
    counts.changed += updated - unchanged;
    counts.batches += 1;
  }
  return counts;
}

async function untilHeld(crew: Crew, count: number): Promise<void> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    if (Object.keys(await crew.held()).length === count) return;
    await wait(200);
  }
  throw new Error(`The API holds ${Object.keys(await crew.held()).length} of ${count} results`);
}

test('N02 N03 N04: loses nothing and stores nothing twice when it is killed at twenty points', async () => {
  const KILLS = 20;
  const crew = await startingCrew({ runners: 2 * KILLS });
  crew.write('r.csv', 'bib,time\n');
  const file = join(crew.folder, 'r.csv');
  let bib = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const running = crew.start(...WATCH);
    bib += 1;
    appendFileSync(file, row(bib));
    // From before the queue is open until after the answer.
    await wait(120 + Math.random() * 500);
    bib += 1;
    appendFileSync(file, row(bib));
    await wait(Math.random() * 150);
    running.kill();
    await running.ended;
  }
  const last = crew.start(...WATCH);
  await untilHeld(crew, 2 * KILLS);
  last.interrupt();
  expect((await last.ended).exitCode).toBe(0);
  const written = Array.from({ length: 2 * KILLS }, (_, at) =>
    row(at + 1)
      .trim()
      .split(','),
  );
  const held = Object.entries(await crew.held()).map(([key, time]) => [key, time.slice(1, 10)]);
  expect(Object.fromEntries(held)).toEqual(Object.fromEntries(written));
  // Each row was written once, although many were sent again.
  expect(await countsOf(crew)).toMatchObject({ uploaded: 2 * KILLS, changed: 0 });
});

test('N01: stores each row once wherever the connection breaks', async () => {
  const points: Cut[] = [
    ...Array.from({ length: 12 }, (_, at): Cut => ({ afterSentBytes: at * 150 })),
    ...Array.from({ length: 12 }, (_, at): Cut => ({ afterAnswerBytes: at * 200 })),
  ];
  for (const cut of points) {
    const crew = await sendCrew(api(), startInProcess, { cuts: [cut, cut] });
    crew.write('r.csv', `bib,time\n${row(1)}${row(2)}${row(3)}`);
    const { exitCode, stdout } = await crew.run('send', 'r.csv', ...REHEARSAL, '--yes');
    expect([cut, exitCode, exitCode === 0 ? '' : stdout]).toEqual([cut, 0, '']);
    expect(Object.keys(await crew.held())).toHaveLength(3);
    expect(await countsOf(crew)).toEqual({ uploaded: 3, changed: 0, batches: 1 });
  }
});

test('N17 N18: sends nothing that a full disk does not take, and goes on when there is room', async () => {
  const crew = await startingCrew({ runners: 200 });
  crew.write('r.csv', `bib,time\n${row(1)}`);
  const first = crew.start(...WATCH);
  await untilHeld(crew, 1);
  first.interrupt();
  await first.ended;
  const stateFile = join(crew.folder, '.race-results/state.log');
  const kib = Math.ceil(readFileSync(stateFile).length / 1_024) + 1;

  const running = crew.start(...WATCH);
  // No file of this process may grow beyond this, as if the disk were full.
  await wait(300);
  execFileSync('prlimit', ['--pid', `${running.pid}`, `--fsize=${kib * 1_024}:unlimited`]);
  const rows = Array.from({ length: 200 }, (_, at) => row(at + 1)).join('');
  writeFileSync(join(crew.folder, 'r.csv'), `bib,time\n${rows}`);
  const end = performance.now() + 20_000;
  while (!running.printed().includes('The disk takes no more') && performance.now() < end) {
    await wait(50);
  }
  expect(running.printed()).toContain('The disk takes no more');
  expect(Object.keys(await crew.held())).toHaveLength(1);
  expect(readFileSync(stateFile).length).toBeLessThanOrEqual(kib * 1_024);

  execFileSync('prlimit', ['--pid', `${running.pid}`, '--fsize=unlimited:unlimited']);
  await untilHeld(crew, 200);
  running.interrupt();
  expect((await running.ended).exitCode).toBe(0);
  expect(await countsOf(crew)).toMatchObject({ uploaded: 200, changed: 0 });
});
