import { compare, compareNames } from '../../timing-files/read/name-order.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { byStatus, statusesWhere } from '../../timing-files/read/result-status.ts';
import type { BoardGroup, BoardRace, BoardRunner, BoardSnapshot } from './answer-schemas.ts';
import { arrivalsPerMinute, finishTimesOf } from './histograms.ts';
import { pointsByDistance } from './points.ts';
import {
  type CountedGroup,
  compareGroups,
  type Group,
  type ListKind,
  type Placed,
  placedIn,
  type Ranking,
  type Row,
  resultsIn,
  runnerOf,
  type Shown,
} from './ranking.ts';
import { ARRIVALS, GROUP_LEADERS, GROUPS_MAX, LEADERS, RACES_MAX } from './schemas.ts';

type Column = keyof Group;

const RACE: Column[] = ['distance'];
const GENDER: Column[] = ['distance', 'gender'];
const CATEGORY: Column[] = ['distance', 'gender', 'category'];

/** The last snapshot of a ranking, and its further sources. */
const known = new WeakMap<Ranking, { shown: Shown; snapshot: BoardSnapshot }>();

/** Reads the whole ranking, once. */
export function findSnapshot(shown: Shown): BoardSnapshot {
  const last = known.get(shown.ranking);
  if (last?.shown.names === shown.names && last.shown.course === shown.course) return last.snapshot;
  const snapshot = toSnapshot(shown);
  known.set(shown.ranking, { shown, snapshot });
  return snapshot;
}

const NO_RESULTS = byStatus(() => 0);
const NOT_STARTED = statusesWhere(({ hasStarted }) => !hasStarted);

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

function toSnapshot(shown: Shown): BoardSnapshot {
  const { ranking, names } = shown;
  const { event, official, groups, rows, changedMs } = ranking;
  const points = pointsByDistance(shown);
  const genders = largest(groups, GENDER);
  const categories = largest(groups, CATEGORY);

  const toRunner = ({ row, timeMs, place }: Finisher): BoardRunner => ({
    ...runnerOf(row, names),
    time: formatRaceTime(timeMs),
    place,
  });

  function toRace(race: CountedGroup): BoardRace {
    const isOfRace = isLike(race, RACE);
    const counts = { ...NO_RESULTS };
    const results = resultsIn(groups, rows, isOfRace, 0, rows.length);
    for (const { status } of results) if (status) counts[status] += 1;
    const finishers = finishersIn('race', results);
    const inCategories = ranking.inCategories === rows ? results : ranking.inCategories;
    const toGroup =
      (columns: Column[]) =>
      (sample: CountedGroup): BoardGroup => ({
        gender: sample.gender || null,
        category: (columns === CATEGORY && sample.category) || null,
        finished: sample.finished,
        leaders: finishersIn(
          columns === CATEGORY ? 'category' : 'gender',
          resultsIn(
            groups,
            columns === CATEGORY ? inCategories : results,
            isLike(sample, columns),
            0,
            GROUP_LEADERS,
          ),
        ).map(toRunner),
      });
    return {
      distance: race.distance,
      entered: race.entered - sum(NOT_STARTED.map((status) => counts[status])),
      counts,
      arrivals: latest(finishers).map((arrival) => {
        const arrived_at = new Date(arrival.row.arrivedMs ?? 0).toISOString();
        return { ...toRunner(arrival), arrived_at };
      }),
      leaders: finishers.slice(0, LEADERS).map(toRunner),
      genders: genders.filter(isOfRace).map(toGroup(GENDER)),
      categories: categories.filter(isOfRace).map(toGroup(CATEGORY)),
      points: points.get(race.distance) ?? [],
      finish_times: finishTimesOf(finishers.map(({ row }) => row)),
      arrivals_per_minute: arrivalsPerMinute(finishers.map(({ row }) => row)),
    };
  }

  const races = merged(groups, RACE)
    .sort((one, other) => other.listed - one.listed || compare(one.distance, other.distance))
    .slice(0, RACES_MAX)
    .map(toRace)
    .sort(
      (one, other) =>
        Number(one.distance === '') - Number(other.distance === '') ||
        compareNames(one.distance, other.distance),
    );
  const changed_at = changedMs === 0 ? null : new Date(changedMs).toISOString();
  const has_numeric_bibs = rows.every(({ bib }) => bib === null || /^\d+$/.test(bib));
  // Full names that are too long a text have become initials.
  const isShort = event.board_names === 'full' && !names.isFull;
  const board_names = isShort ? 'initials' : event.board_names;
  return { event: { ...event, board_names, changed_at, has_numeric_bibs }, official, races };
}

type Finisher = { row: Row; timeMs: number; place: number };

const isFinisher = (placed: Placed): placed is Finisher => placed.place !== null;

const finishersIn = (kind: ListKind, rows: readonly Row[]): Finisher[] =>
  rows.map((row) => placedIn(kind, row)).filter(isFinisher);

const isLike = (sample: Group, columns: readonly Column[]) => (group: Group) =>
  columns.every((column) => group[column] === sample[column]);

const keyOf = (group: Group, columns: readonly Column[]) =>
  columns.map((column) => group[column]).join('\0');

/** Adds up equal groups. */
function merged(groups: readonly CountedGroup[], columns: readonly Column[]): CountedGroup[] {
  const sums = new Map<string, CountedGroup>();
  for (const group of groups) {
    const key = keyOf(group, columns);
    const { entered, listed, finished } = sums.get(key) ?? { entered: 0, listed: 0, finished: 0 };
    sums.set(key, {
      ...group,
      entered: entered + group.entered,
      listed: listed + group.listed,
      finished: finished + group.finished,
    });
  }
  return [...sums.values()];
}

/** The groups with the most finishers. A group without a value in the last column does not count. */
const largest = (groups: readonly CountedGroup[], columns: readonly Column[]): CountedGroup[] =>
  merged(groups, columns)
    .filter((group) => group.finished > 0 && !keyOf(group, columns).endsWith('\0'))
    .sort(
      (one, other) =>
        other.finished - one.finished || compare(keyOf(one, columns), keyOf(other, columns)),
    )
    .slice(0, GROUPS_MAX)
    .sort(compareGroups);

/** The last finishers to arrive, the latest first: within an upload, the latest gun time first. */
function latest(finishers: readonly Finisher[]): Finisher[] {
  const arrivedMs = ({ row }: Finisher) => row.arrivedMs ?? 0;
  const clockMs = ({ row, timeMs }: Finisher) => row.gunMs ?? timeMs;
  // Sorting all finishers would take ten times as long.
  const since = Float64Array.from(finishers, arrivedMs).sort().at(-ARRIVALS) ?? 0;
  return finishers
    .filter((finisher) => arrivedMs(finisher) >= since)
    .sort(
      (one, other) =>
        arrivedMs(other) - arrivedMs(one) ||
        clockMs(other) - clockMs(one) ||
        compare(one.row.id, other.row.id),
    )
    .slice(0, ARRIVALS);
}
