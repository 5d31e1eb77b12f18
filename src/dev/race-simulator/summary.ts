import { reasonOf } from '../stack/listen.ts';
import { raceClock, statusCounts } from './progress.ts';
import type { Rehearsal } from './rehearsal.ts';

const LINES_SHOWN = 10;

/** The report that `npm run race` prints. */
export function summaryOf(race: Rehearsal): string {
  return [...played(race), ...takenBack(race), '', ...rejected(race), ...verdict(race)].join('\n');
}

function played({ plan, clockMs, elapsedMs, interruption, ...race }: Rehearsal): string[] {
  const seconds = elapsedMs / 1_000;
  const { uploaded, updated, duplicates, not_found, errors } = race.counts;
  const rate = (race.requests / seconds).toFixed(1);
  return [
    interruption === undefined
      ? `The race is over: ${raceClock(clockMs)} of its clock in ${seconds.toFixed(0)} s.`
      : `Stopped at ${raceClock(clockMs)} of ${raceClock(plan.endsAtMs)}: ${reasonOf(interruption)}`,
    '',
    `  runners   ${statusCounts(race.stored.values())}`,
    `  rows      ${uploaded} new, ${updated} updated, ${duplicates} duplicates, ${not_found} not found, ${errors} errors`,
    `  uploads   ${race.uploads}; ${race.requests} requests, ${rate} a second, ${race.failedRequests} of them failed`,
  ];
}

function takenBack({ mistake }: Rehearsal): string[] {
  if (!mistake) return [];
  const { rows, restored, removed, kept } = mistake;
  return [
    `  mistake   ${rows} wrong rows uploaded and taken back: ${restored} restored, ${removed} removed, ${kept} replaced since`,
  ];
}

function rejected({ rejections }: Rehearsal): string[] {
  if (rejections.length === 0) return [];
  const lines = rejections.map(({ bib, reason }) => `bib ${bib}: ${reason}`);
  return ['Rows that did not load when they were sent:', ...few(lines), ''];
}

function verdict({ stored, differences, interruption }: Rehearsal): string[] {
  if (differences.length > 0) {
    const lines = differences.map(({ bib, what }) => `bib ${bib}: ${what}`);
    return ['The stored results differ from those that were sent:', ...few(lines)];
  }
  if (interruption !== undefined) {
    return [`The API had confirmed ${stored.size} results by then.`];
  }
  return [`All ${stored.size} results are stored as they were sent.`];
}

function few(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LINES_SHOWN).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more`] : shown;
}
