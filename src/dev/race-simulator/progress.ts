import { clearScreenDown, moveCursor } from 'node:readline';
import type { RaceProgress } from './player.ts';

const BAR_WIDTH = 24;
const BETWEEN_LINES_MS = 10_000;

type ProgressBar = { show(progress: RaceProgress): void; clear(): void };

type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** Redraws two lines on a terminal. In a file or a log it prints one line every ten seconds. */
export function progressBar(output: Output): ProgressBar {
  return output.isTTY ? drawn(output) : printed(output);
}

function drawn(output: Output): ProgressBar {
  let lines = 0;
  const clear = () => {
    moveCursor(output, 0, -lines);
    clearScreenDown(output);
    lines = 0;
  };
  return {
    clear,
    show(progress) {
      clear();
      const text = [barLine(progress), standLine(progress)];
      // A line that wraps would count as two when it is cleared.
      const width = (output.columns ?? 80) - 1;
      for (const line of text) output.write(`${line.slice(0, width)}\n`);
      lines = text.length;
    },
  };
}

function printed(output: Output): ProgressBar {
  let nextAtMs = 0;
  return {
    clear() {},
    show(progress) {
      if (performance.now() < nextAtMs) return;
      nextAtMs = performance.now() + BETWEEN_LINES_MS;
      output.write(`${raceClock(progress.clockMs)}  ${standLine(progress)}\n`);
    },
  };
}

function barLine({ clockMs, endsAtMs, passed }: RaceProgress): string {
  const done = endsAtMs === 0 ? BAR_WIDTH : Math.round((clockMs / endsAtMs) * BAR_WIDTH);
  const bar = '█'.repeat(done) + '░'.repeat(BAR_WIDTH - done);
  const mats = passed.map(({ point, count }) => `${point} ${count}`).join(' · ');
  return `${raceClock(clockMs)} ${bar} ${raceClock(endsAtMs)}  ${mats}`;
}

function standLine({ stored, uploads, lastArrivals }: RaceProgress): string {
  const { FINISHED, DNF, DNS, DSQ } = stored;
  const last = lastArrivals.map(({ bib_number, chip_time }) => `${bib_number} ${chip_time}`);
  const counts = `${FINISHED} finished, ${DNF} DNF, ${DNS} DNS, ${DSQ} DSQ in ${uploads} uploads`;
  return last.length === 0 ? counts : `${counts}; last ${last.join(', ')}`;
}

/** Formats a time of the race clock as `HH:MM:SS`. */
export const raceClock = (timeMs: number): string => {
  const seconds = Math.floor(timeMs / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
};
