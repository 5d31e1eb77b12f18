import type { RESULT_STATUSES } from '../db/schema.ts';
import { formatRaceTime } from '../results/race-time.ts';
import type {
  countResults,
  findBoard,
  findResult,
  listRunners,
  Part,
  RunnerRow,
} from './queries.ts';
import {
  type BoardGroup,
  type BoardResult,
  type BoardRunner,
  type BoardSnapshot,
  GROUPS_MAX,
} from './schemas.ts';

type Rows<Query extends (...args: never[]) => PromiseLike<unknown[]>> = Awaited<ReturnType<Query>>;
type Board = Rows<typeof findBoard>[number];
type Counted = Rows<typeof countResults>;
type Shown = Rows<typeof listRunners>;

type Dimension = Exclude<Part, 'arrivals' | 'leaders'>;

/** @param shown in the order in which each list has them */
export function toSnapshot(board: Board, counted: Counted, shown: Shown): BoardSnapshot {
  const runnersOf = (part: Part, value: string | null = null) =>
    shown.filter((row) => row.part === part && row.value === value).map(toRunner);
  const groupsOf = (dimension: Dimension): BoardGroup[] =>
    [...finishers(counted, dimension)]
      .map(([name, finished]) => ({ name, finished, leaders: runnersOf(dimension, name) }))
      .sort((one, other) => other.finished - one.finished)
      .slice(0, GROUPS_MAX)
      .sort((one, other) => compareNames(one.name, other.name));
  const distances = groupsOf('distance');
  return {
    event: { name: board.name, city: board.city, event_date: board.event_date.toISOString() },
    counts: countStatuses(counted),
    arrivals: runnersOf('arrivals'),
    leaders: runnersOf('leaders'),
    genders: groupsOf('gender'),
    categories: groupsOf('category'),
    distances: distances.length > 1 ? distances : [],
  };
}

export function toResult({ splits, ...row }: Rows<typeof findResult>[number]): BoardResult {
  return {
    ...toRunner(row),
    splits: Object.entries(splits)
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}

function toRunner(row: RunnerRow): BoardRunner {
  const { chip_time_ms, gun_time_ms } = row;
  return {
    bib_number: row.bib_number,
    name: row.name,
    gender: row.gender,
    category: row.category,
    distance: row.distance,
    status: row.status,
    chip_time: chip_time_ms === null ? null : formatRaceTime(chip_time_ms),
    gun_time: gun_time_ms === null ? null : formatRaceTime(gun_time_ms),
    position_overall: row.position_overall,
    position_gender: row.position_gender,
    position_category: row.position_category,
  };
}

function countStatuses(counted: Counted): BoardSnapshot['counts'] {
  const of = (status: (typeof RESULT_STATUSES)[number]) =>
    counted.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0);
  return { FINISHED: of('FINISHED'), DNS: of('DNS'), DNF: of('DNF'), DSQ: of('DSQ') };
}

/** Finishers by the value of that dimension; those without one are in no group. */
function finishers(counted: Counted, dimension: Dimension): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { status, count, [dimension]: value } of counted) {
    if (status !== 'FINISHED' || value === null) continue;
    sums.set(value, (sums.get(value) ?? 0) + count);
  }
  return sums;
}

const names = new Intl.Collator('es', { numeric: true });
const compareNames = names.compare;
