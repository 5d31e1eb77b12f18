import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import type { RunningCommand } from './command.ts';
import { type Crew, type Line, linesIn } from './crew.ts';

const PATIENCE_MS = 60_000;

/** Waits until something is found. */
export async function until<T>(
  what: () => string,
  find: () => T | undefined | Promise<T | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(100);
  }
  throw new Error(`Nothing came of: ${what()}`);
}

/** Starts `watch`, which ends with the test. */
export function watch<Running extends RunningCommand>(crew: Crew<Running>, ...args: string[]) {
  const running = crew.start('watch', ...args, '--json');
  onTestFinished(running.end, 30_000);
  return running;
}

const linesOf = (running: RunningCommand, type: string): Line[] =>
  linesIn(running.printed()).filter((line) => line.type === type);

/** Waits for the last state shown by `watch`. */
export const shows = (running: RunningCommand, part: Record<string, unknown>): Promise<Line> =>
  until(
    () => `${JSON.stringify(part)} in ${running.printed().slice(-3_000)}`,
    () => {
      const last = linesOf(running, 'status').at(-1);
      return last && has(last, part) ? last : undefined;
    },
  );

/** Waits for a line of `--json`. */
export const says = (running: RunningCommand, type: string, part: object = {}): Promise<Line> =>
  until(
    () => `${type} ${JSON.stringify(part)} in ${running.printed().slice(-3_000)}`,
    () => linesOf(running, type).find((line) => has(line, part)),
  );

const has = (line: Line, part: object) => expect.objectContaining(part).asymmetricMatch(line);

/** Waits until the API holds exactly these results. */
export const holds = (crew: Crew, results: Record<string, string>) =>
  vi.waitFor(async () => expect(await crew.held()).toEqual(results), {
    timeout: PATIENCE_MS,
    interval: 100,
  });

/** Ctrl-C, and the last words. */
export async function stopped(running: RunningCommand) {
  running.interrupt();
  const ended = await running.ended;
  const last = linesIn(ended.stdout).findLast(({ type }) => type === 'stopped');
  return { ...ended, last };
}

/** `H:MM:SS` */
export const clock = (seconds: number): string =>
  [3_600, 60, 1]
    .map((unit, at) => {
      const part = Math.floor(seconds / unit) % (at === 0 ? 100 : 60);
      return at === 0 ? `${part}` : `${part}`.padStart(2, '0');
    })
    .join(':');

export const HEADER = 'bib,time\n';

const finishOf = (bib: number, more: number) => clock(5_200 + 11 * bib + more);

/** The row of a runner who finishes. */
export const row = (bib: number, more = 0) => `${bib},${finishOf(bib, more)}\n`;

export const fileOf = (...bibs: readonly number[]) => HEADER + bibs.map((bib) => row(bib)).join('');

/** A time of `row`, as the API stores the time. */
export const timeOf = (bib: number, more = 0) => `0${finishOf(bib, more)}.000`;

/** The results of `fileOf`, as the API holds the results. */
export const stored = (...bibs: readonly number[]) =>
  Object.fromEntries(bibs.map((bib) => [bib, timeOf(bib)]));
