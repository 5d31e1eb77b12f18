import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/race-time.ts';
import type { RowOf } from '../db/statement.ts';
import type {
  BoardArrival,
  BoardGroup,
  BoardList,
  BoardRace,
  BoardResult,
  BoardRunner,
  BoardSnapshot,
} from './answer-schemas.ts';
import type { findBoard, ListedRow, ListPageRow, Part, RaceRow, RunnerRow } from './queries.ts';
import { PAGE_SIZE } from './schemas.ts';

type Board = RowOf<typeof findBoard>;

/** @param listed in the order of each list */
export function toSnapshot(board: Board, races: RaceRow[], listed: ListedRow[]): BoardSnapshot {
  const rowsOf = Map.groupBy(listed, ({ distance }) => distance);
  return {
    event: { ...board, event_date: board.event_date.toISOString() },
    races: races
      .map((race) => toRace(race, rowsOf.get(race.distance) ?? []))
      .sort(
        (one, other) =>
          latestOf(other).localeCompare(latestOf(one)) ||
          compareNames(one.distance, other.distance),
      ),
  };
}

function toRace({ distance, counts }: RaceRow, listed: ListedRow[]): BoardRace {
  const rowsOf = (part: Part) => listed.filter((row) => row.part === part);
  const groupsOf = (part: Part): BoardGroup[] =>
    [
      ...Map.groupBy(
        rowsOf(part),
        ({ group_gender: g, group_category: c }) => `${g}\0${c}`,
      ).values(),
    ]
      .flatMap(toGroup)
      .sort(
        (one, other) =>
          compareNames(one.gender ?? '', other.gender ?? '') ||
          compareNames(one.category ?? '', other.category ?? ''),
      );
  return {
    distance,
    counts: { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0, ...counts },
    arrivals: rowsOf('arrivals').map(toArrival),
    leaders: rowsOf('leaders').map(toRunner),
    genders: groupsOf('gender'),
    categories: groupsOf('category'),
  };
}

function toGroup(rows: ListedRow[]): BoardGroup[] {
  const [first] = rows;
  if (!first) return [];
  return [
    {
      gender: first.group_gender || null,
      category: first.group_category || null,
      finished: first.group_finished,
      leaders: rows.map(toRunner),
    },
  ];
}

const toRunner = (row: ListedRow): BoardRunner => ({
  bib_number: row.bib_number,
  name: row.name,
  gender: row.gender,
  category: row.category,
  time: formatRaceTime(row.finish_time_ms),
  place: row.place,
});

const toArrival = (row: ListedRow): BoardArrival => ({
  ...toRunner(row),
  arrived_at: new Date(row.arrived_ms).toISOString(),
});

const latestOf = ({ arrivals }: BoardRace): string => arrivals[0]?.arrived_at ?? '';

export function toResult({ field, splits, ...runner }: RunnerRow): BoardResult {
  const { bib_number, status, distance } = runner;
  if (status === null) {
    return {
      ...{ bib_number, distance, status, name: null, gender: null, category: null, splits: [] },
      ...{ chip_time: null, gun_time: null, overall: null, in_gender: null, in_category: null },
    };
  }
  return {
    bib_number,
    name: runner.name,
    gender: runner.gender,
    category: runner.category,
    distance,
    status,
    chip_time: formatRaceTimeOrNull(runner.chip_time_ms),
    gun_time: formatRaceTimeOrNull(runner.gun_time_ms),
    overall: field && { place: 1 + field.faster, of: field.finished },
    in_gender:
      field && runner.gender ? { place: 1 + field.gender_faster, of: field.gender_finished } : null,
    in_category:
      field && runner.category
        ? { place: 1 + field.category_faster, of: field.category_finished }
        : null,
    splits: Object.entries(splits ?? {})
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}

export const toList = ({ total, groups, rows }: ListPageRow, page: number): BoardList => ({
  groups: groups
    .map(({ gender, category, results }) => ({
      gender: gender || null,
      category: category || null,
      results,
    }))
    .sort(
      (one, other) =>
        compareNames(one.gender ?? '', other.gender ?? '') ||
        compareNames(one.category ?? '', other.category ?? ''),
    ),
  rows: rows.map((row) => ({
    bib_number: row.bib_number,
    name: row.name,
    gender: row.gender,
    category: row.category,
    status: row.status,
    time: formatRaceTimeOrNull(row.finish_time_ms),
    place: row.place,
  })),
  total,
  page,
  pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
});

let collator: Intl.Collator | undefined;

/** `5K` before `10K`. The first collator of an isolate takes milliseconds, so none is made at start-up. */
function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('es', { numeric: true });
  return collator.compare(one, other);
}
