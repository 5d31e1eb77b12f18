import { formatRaceTime, formatRaceTimeOrNull } from '../results/race-time.ts';
import type {
  countResults,
  findBoard,
  findResult,
  listRunners,
  Part,
  RunnerRow,
} from './queries.ts';
import type { BoardGroup, BoardResult, BoardRunner, BoardSnapshot } from './schemas.ts';

type Rows<Query extends (...args: never[]) => PromiseLike<unknown[]>> = Awaited<ReturnType<Query>>;
type Board = Rows<typeof findBoard>[number];
type Counts = Rows<typeof countResults>[number];
type Shown = Rows<typeof listRunners>;

/** @param shown in the order in which each list has them */
export function toSnapshot(board: Board, counts: Counts, shown: Shown): BoardSnapshot {
  const lists = (part: Part) =>
    Map.groupBy(
      shown.filter((row) => row.part === part),
      ({ value }) => value,
    );
  const listOf = (part: Part) => [...lists(part).values()].flat().map(toListed);
  const groupsOf = (part: Part): BoardGroup[] =>
    [...lists(part)]
      .map(([name, rows]) => ({
        name,
        finished: rows[0]?.finished ?? 0,
        leaders: rows.map(toListed),
      }))
      .sort((one, other) => byName.compare(one.name, other.name));
  const distances = groupsOf('distance');
  return {
    event: { name: board.name, city: board.city, event_date: board.event_date.toISOString() },
    counts,
    arrivals: listOf('arrivals'),
    leaders: listOf('leaders'),
    genders: groupsOf('gender'),
    categories: groupsOf('category'),
    distances: distances.length > 1 ? distances : [],
  };
}

export function toResult(row: Rows<typeof findResult>[number]): BoardResult {
  return {
    ...toRunner(row),
    position_overall: row.position_overall,
    position_gender: row.position_gender,
    position_category: row.position_category,
    splits: Object.entries(row.splits)
      .sort(([, one], [, other]) => one - other)
      .map(([name, timeMs]) => ({ name, time: formatRaceTime(timeMs) })),
  };
}

const toListed = (row: Shown[number]): BoardRunner => ({ ...toRunner(row), place: row.place });

const toRunner = ({ chip_time_ms, gun_time_ms, ...row }: RunnerRow) => ({
  bib_number: row.bib_number,
  name: row.name,
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  status: row.status,
  chip_time: formatRaceTimeOrNull(chip_time_ms),
  gun_time: formatRaceTimeOrNull(gun_time_ms),
});

/** `5K` before `10K`. */
const byName = new Intl.Collator('es', { numeric: true });
