import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linesIn, sendCrew, useApi, useCommand } from '../../../testing/runtime/crew.ts';
import { costOf, peakDuring } from '../../../testing/runtime/resident.ts';
import { clock, shows, stopped } from '../../../testing/runtime/watching.ts';

const ARRIVALS = 20;
/** A file has at most 100 000 rows. */
const ROWS = 100_000 - ARRIVALS;
const STATUS_WITHIN_MS = 2_000;
const COMPARED_WITHIN_MS = 10_000;
/** Arrivals are stored within 6 s: the file settles in 2 s, and the API answers within 1 s. */
const ARRIVALS_SECONDS = 3;
const MEMORY_MIB = 200;
/** A busy machine stores 100 000 rows in minutes. */
const FIRST_UPLOAD_MS = 300_000;
/** A key has a limit of requests: a test that asks more often waits for the limit, and not for the command. */
const ASKED_EVERY_MS = 1_000;

const command = useCommand();
const api = useApi();

const row = (bib: number) => `${bib},${clock(5_000 + (bib % 30_000))}\n`;

test('W02 W04 W05 S12: 100 000 rows are read and sent with progress and little memory, and arrivals, status and Ctrl-C stay fast', async () => {
  const crew = await sendCrew(api(), command().start, { runners: ROWS + ARRIVALS });
  const file = join(crew.folder, 'r.csv');
  const bibs = Array.from({ length: ROWS }, (_, at) => at + 1);
  writeFileSync(file, `bib,time\n${bibs.map(row).join('')}`);
  const running = crew.start('watch', 'r.csv', '--json');
  onTestFinished(() => running.kill());
  const total = async () =>
    (await crew.client.listEventResults(crew.eventId, { page_size: 1 })).meta.total;
  const stores = (rows: number) =>
    vi.waitFor(async () => expect(await total()).toBe(rows), {
      timeout: FIRST_UPLOAD_MS,
      interval: ASKED_EVERY_MS,
    });
  const uploadMib = await peakDuring(running.pid, async () => {
    await stores(ROWS);
    // The number of missing results comes after a look at the stored results.
    await shows(running, { state: 'OK', stored: ROWS, queue: 0, missing: ARRIVALS });
  });
  const states = linesIn(running.printed()).filter(({ type }) => type === 'status');
  expect(states).toContainEqual(expect.objectContaining({ state: 'READING', why: '1 to read' }));
  expect(states).toContainEqual(
    expect.objectContaining({ state: 'SENDING', why: `${ROWS} rows to send`, queue: ROWS }),
  );

  const arrivals = bibs.slice(0, ARRIVALS).map((bib) => row(ROWS + bib));
  let arrivalsSeconds = 0;
  const arrivalsMib = await peakDuring(running.pid, async () => {
    const cost = await costOf(running.pid, async () => {
      appendFileSync(file, arrivals.join(''));
      await stores(ROWS + ARRIVALS);
    });
    arrivalsSeconds = cost.seconds;
  });

  const askedAt = performance.now();
  const status = await crew.run('status', '--json');
  const statusMs = performance.now() - askedAt;
  expect(status.stdout).toContain(`"rows":${ROWS + ARRIVALS}`);
  await shows(running, { state: 'OK', stored: ROWS + ARRIVALS, queue: 0 });

  const endedAt = performance.now();
  const { exitCode, last } = await stopped(running);
  const comparedMs = performance.now() - endedAt;
  expect(exitCode).toBe(0);
  expect(last).toMatchObject({ is_compared: true, stored: ROWS + ARRIVALS, queue: 0, unread: [] });
  expect(arrivalsSeconds).toBeLessThan(ARRIVALS_SECONDS);
  expect(Math.max(uploadMib, arrivalsMib)).toBeLessThan(MEMORY_MIB);
  expect(statusMs).toBeLessThan(STATUS_WITHIN_MS);
  expect(comparedMs).toBeLessThan(COMPARED_WITHIN_MS);
});
