import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { linesIn, sendCrew, useApi, useCommand } from '../../../testing/runtime/crew.ts';
import { peakMibOf } from '../../../testing/runtime/usage.ts';

const ROWS = 20_000;
const REWRITES = 6;
const REWRITE_EVERY_MS = 3_000;
/** Node frees memory late: the same run takes 120 to 150 MiB. */
const MOST_MIB = 200;
const IDLE_MS = 8_000;
const TICKS_PER_SECOND = 100;

const command = useCommand();
const api = useApi();

/** The most memory that a process has had, and the CPU time that it has used. */
function usageOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { mib: peakMibOf(pid), cpuMs: (ticks / TICKS_PER_SECOND) * 1_000 };
}

test('W06 W07: follows 20 000 rows that are rewritten every 3 seconds, in little memory', async () => {
  const crew = await sendCrew(api(), command().start, { runners: ROWS });
  const file = join(crew.folder, 'r.csv');
  const write = (turn: number) => {
    const rows = Array.from({ length: ROWS }, (_, at) => {
      // A few hundred rows change each time.
      const seconds = (at + (at % 60 === turn ? turn : 0)) % 60;
      const time = `1:${String(at % 60).padStart(2, '0')}:${String(seconds).padStart(2, '0')}.25`;
      return `${at + 1};Runner Number ${at};Club ${at % 50};0:20:0${at % 9};0:41:0${at % 8};${time}\n`;
    });
    writeFileSync(file, `bib;name;club;Km 5;Km 10;time\n${rows.join('')}`);
  };
  write(0);
  const args = ['--split', 'Km 5', '--split', 'Km 10'];
  const running = crew.start('watch', 'r.csv', '--json', ...args);
  const pid = running.pid;
  const stored = async () =>
    (await crew.client.listEventResults(crew.eventId, { page_size: 1 })).meta.total;
  await expect.poll(stored, { timeout: 120_000, interval: 500 }).toBe(ROWS);

  for (let turn = 1; turn <= REWRITES; turn++) {
    await wait(REWRITE_EVERY_MS);
    write(turn);
  }
  // Each turn changes the rows whose place is the turn.
  const last = async () =>
    (await crew.client.getEventResult(crew.eventId, `${REWRITES + 1}`)).chip_time;
  const written = `01:0${REWRITES}:${2 * REWRITES}.250`;
  await expect.poll(last, { timeout: 120_000, interval: 500 }).toBe(written);
  // It may still compare.
  await wait(REWRITE_EVERY_MS);
  const before = usageOf(pid);
  await wait(IDLE_MS);
  const { mib, cpuMs } = usageOf(pid);
  const share = (cpuMs - before.cpuMs) / IDLE_MS;
  process.stdout.write(`${mib.toFixed(0)} MiB, ${(share * 100).toFixed(1)} % of a core\n`);
  running.interrupt();
  expect((await running.ended).exitCode).toBe(0);
  expect(linesIn(running.printed()).at(-1)).toMatchObject({ type: 'stopped', left: 0 });
  expect(mib).toBeLessThan(MOST_MIB);
  expect(share).toBeLessThan(0.1);
});
