import { reasonOf } from '../stack/listen.ts';
import { courseOf } from './course.ts';
import { followersOf } from './followers.ts';
import type { RacePlan } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';
import { speakerOf } from './speaker.ts';

const LINES_SHOWN = 10;

/** A line such as `00:42:17  18 new, 2 updated, 0 duplicates, 1 not found, 0 errors in 3 uploads`. */
export const progressLine = ({ clockMs, counts, uploads }: Rehearsal): string =>
  `${raceClock(clockMs)}  ${textOf(counts)} in ${uploads} uploads`;

/** The report of `npm run race`. */
export function summaryOf(race: Rehearsal): string {
  const { plan, clockMs, rejections, mistake, differences, interruption } = race;
  const wrong = mistake
    ? [
        `A wrong upload of ${mistake.rows} rows was taken back: ${mistake.restored} restored, ` +
          `${mistake.removed} removed, ${mistake.kept} replaced since.`,
      ]
    : [];
  return [
    interruption === undefined
      ? `The race is over after ${raceClock(plan.endsAtMs)} of its clock.`
      : `Stopped at ${raceClock(clockMs)} of ${raceClock(plan.endsAtMs)}: ${reasonOf(interruption)}`,
    `${race.uploads} uploads: ${textOf(race.counts)}.`,
    `${race.passings} passings of the points on the course.`,
    ...wrong,
    ...followersOf(plan),
    ...courseOf(plan),
    ...speakerOf(plan),
    ...few('Rows that did not load when they were sent:', rejections),
    ...(interruption === undefined ? verdictOn(plan, differences) : []),
  ].join('\n');
}

/** Says whether the stored race equals the sent race. */
export const verdictOn = ({ finalRows }: RacePlan, differences: readonly string[]): string[] =>
  differences.length === 0
    ? [`All ${finalRows.size} results are stored as they were sent.`]
    : few('The stored results differ from those that were sent:', differences);

const textOf = ({ uploaded, updated, duplicates, not_found, errors }: Rehearsal['counts']) =>
  `${uploaded} new, ${updated} updated, ${duplicates} duplicates, ${not_found} not found, ${errors} errors`;

/** Formats a time of the race clock as `HH:MM:SS`. */
export const raceClock = (timeMs: number): string => {
  const seconds = Math.floor(timeMs / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
};

function few(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, LINES_SHOWN).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return [title, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
