import { setTimeout as wait } from 'node:timers/promises';
import type { RunningCommand } from './command.ts';
import { type Line, linesIn } from './crew.ts';

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

/** Waits for the last state shown by `watch`. */
export const shows = (running: RunningCommand, part: Record<string, unknown>): Promise<Line> =>
  until(
    () => `${JSON.stringify(part)} in ${running.printed().slice(-3_000)}`,
    () => {
      const last = linesIn(running.printed()).findLast(({ type }) => type === 'status');
      const isSo = Object.entries(part).every(([name, value]) => last?.[name] === value);
      return isSo ? last : undefined;
    },
  );

export const says = (running: RunningCommand, type: string): Promise<Line> =>
  until(
    () => `${type} in ${running.printed().slice(-3_000)}`,
    () => linesIn(running.printed()).find((line) => line.type === type),
  );

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
