import { parseRaceTime } from '../../timing-files/race-time.ts';
import { reasonOf } from '../stack/listen.ts';
import type { ResultRow } from './plan.ts';
import { countByStatus } from './player.ts';
import { raceClock } from './progress.ts';
import type { Rehearsal } from './rehearsal.ts';

const LINES_SHOWN = 10;

/** What a race came to, for whoever played it. */
export function summaryOf(race: Rehearsal): string {
  return [
    ...played(race),
    ...takenBack(race),
    '',
    ...rejected(race),
    ...winners(race),
    ...verdict(race),
  ].join('\n');
}

function played({ plan, clockMs, elapsedMs, interruption, ...race }: Rehearsal): string[] {
  const seconds = elapsedMs / 1_000;
  const { FINISHED, DNF, DNS, DSQ } = countByStatus(race.stored.values());
  const { uploaded, updated, duplicates, not_found, errors } = race.counts;
  const rate = (race.requests / seconds).toFixed(1);
  return [
    interruption === undefined
      ? `The race is over: ${raceClock(clockMs)} of its clock in ${seconds.toFixed(0)} s.`
      : `Stopped at ${raceClock(clockMs)} of ${raceClock(plan.endsAtMs)}: ${reasonOf(interruption)}`,
    '',
    `  runners   ${FINISHED} finished, ${DNF} DNF, ${DNS} DNS, ${DSQ} DSQ`,
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
  const lines = rejections.map(({ point, bib, reason }) => `${point}, bib ${bib}: ${reason}`);
  return ['Rows that did not load when they were sent:', ...few(lines), ''];
}

/** The fastest of each category by chip time, as the API ranks them: over the whole event. */
function winners({ plan, stored }: Rehearsal): string[] {
  const timeOf = ({ chip_time = '' }: ResultRow) => parseRaceTime(chip_time) ?? Infinity;
  const finishers = plan.outcomes.flatMap(({ bib, category, distance }) => {
    const row = stored.get(bib);
    if (row?.status !== 'FINISHED' || category === null) return [];
    return [{ bib, category, distance, row }];
  });
  const fastest = finishers.sort((a, b) => timeOf(a.row) - timeOf(b.row));
  const categories = [...Map.groupBy(fastest, ({ category }) => category)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  if (categories.length === 0) return [];
  const lines = categories.flatMap(([category, [first]]) =>
    first ? [`${category.padEnd(8)}  ${first.row.chip_time}  bib ${first.bib}`] : [],
  );
  return ['First of each category:', ...lines.map((line) => `  ${line}`), ''];
}

function verdict({ stored, differences, interruption }: Rehearsal): string[] {
  if (differences.length > 0) {
    const lines = differences.map(({ bib, what }) => `bib ${bib}: ${what}`);
    return ['The API does not hold what was sent:', ...few(lines)];
  }
  if (interruption !== undefined)
    return [`The API has confirmed ${stored.size} results until then.`];
  return [`The API holds all ${stored.size} results as they were sent.`];
}

function few(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LINES_SHOWN).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more`] : shown;
}
