import type { ResultRow } from './plan.ts';
import type { RaceProgress } from './player.ts';

/** A line such as `00:42:17  2 finished, 1 DNF, 1 DNS, 0 DSQ in 3 uploads`. */
export const progressLine = ({ clockMs, stored, uploads }: RaceProgress): string =>
  `${raceClock(clockMs)}  ${statusCounts(stored.values())} in ${uploads} uploads`;

export function statusCounts(rows: Iterable<ResultRow>): string {
  const counts = { FINISHED: 0, DNF: 0, DNS: 0, DSQ: 0 };
  for (const { status } of rows) counts[status] += 1;
  return `${counts.FINISHED} finished, ${counts.DNF} DNF, ${counts.DNS} DNS, ${counts.DSQ} DSQ`;
}

/** Formats a time of the race clock as `HH:MM:SS`. */
export const raceClock = (timeMs: number): string => {
  const seconds = Math.floor(timeMs / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
};
