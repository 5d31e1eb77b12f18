import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { BoardGroup, BoardRace, BoardRunner, BoardSnapshot } from './answer-schemas.ts';
import {
  type CountedGroup,
  compare,
  compareGroups,
  compareNames,
  type Group,
  type Placed,
  placesIn,
  type Ranking,
  runnerAt,
  statusAt,
  timeOrNull,
  type Unnamed,
} from './ranking.ts';
import { ARRIVALS, BIB_MAX, GROUP_LEADERS, GROUPS_MAX, LEADERS, RACES_MAX } from './schemas.ts';

/** The columns that make a group of runners. */
type Column = keyof Group;

const RACE: Column[] = ['distance'];
const GENDER: Column[] = ['distance', 'gender'];
const CATEGORY: Column[] = ['distance', 'gender', 'category'];

const known = new WeakMap<Ranking, Unnamed<BoardSnapshot>>();

/** Reads the whole ranking, once. */
export function findSnapshot(ranking: Ranking): Unnamed<BoardSnapshot> {
  const snapshot = known.get(ranking) ?? toSnapshot(ranking);
  known.set(ranking, snapshot);
  return snapshot;
}

function toSnapshot(ranking: Ranking): Unnamed<BoardSnapshot> {
  const { groups, bibs, listed, changedMs, arrivedMs, finishMs } = ranking;
  const runners: Unnamed<BoardSnapshot>['runners'] = [];
  const genders = largest(groups, GENDER);
  const categories = largest(groups, CATEGORY);

  function toRunner({ row, place }: Finisher): BoardRunner {
    const time = formatRaceTime(finishMs[row] ?? 0);
    const runner = { ...runnerAt(ranking, row), time, place };
    runners.push({ runner, id: ranking.idAt(row) });
    return runner;
  }

  function toGroup(sample: CountedGroup, columns: Column[]): BoardGroup {
    const isIn = isLike(sample, columns);
    return {
      gender: sample.gender || null,
      category: (columns === CATEGORY && sample.category) || null,
      finished: sample.finished,
      leaders: placesIn(ranking, isIn, 0, GROUP_LEADERS).filter(isFinisher).map(toRunner),
    };
  }

  function toRace(race: Group): BoardRace {
    const counts = { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 };
    const results = placesIn(ranking, isLike(race, RACE), 0, listed);
    for (const { row } of results) counts[statusAt(ranking, row) ?? 'FINISHED'] += 1;
    const finishers = results.filter(isFinisher);
    return {
      distance: race.distance,
      counts,
      arrivals: latest(ranking, finishers).map((arrival) => {
        const arrived_at = new Date(arrivedMs[arrival.row] ?? 0).toISOString();
        return Object.assign(toRunner(arrival), { arrived_at });
      }),
      leaders: finishers.slice(0, LEADERS).map(toRunner),
      genders: genders.filter(isLike(race, RACE)).map((group) => toGroup(group, GENDER)),
      categories: categories.filter(isLike(race, RACE)).map((group) => toGroup(group, CATEGORY)),
    };
  }

  const races = merged(groups, RACE)
    .sort((one, other) => other.listed - one.listed || compare(one.distance, other.distance))
    .slice(0, RACES_MAX)
    .map(toRace)
    .sort(
      (one, other) =>
        compare(latestOf(other), latestOf(one)) || compareNames(one.distance, other.distance),
    );
  const event = {
    ...ranking.event,
    changed_at: changedMs === 0 ? null : new Date(changedMs).toISOString(),
    has_numeric_bibs: bibs.every((bib) => bib === null || isDigits(bib)),
  };
  return { body: { event, races }, runners };
}

type Finisher = Placed & { place: number };

const isFinisher = (placed: Placed): placed is Finisher => placed.place !== null;

const latestOf = ({ arrivals }: BoardRace): string => arrivals[0]?.arrived_at ?? '';

/** Other systems write bibs of any length. */
const isDigits = (bib: string) => bib.length <= BIB_MAX && /^\d+$/.test(bib);

const isLike = (sample: Group, columns: readonly Column[]) => (group: Group) =>
  columns.every((column) => group[column] === sample[column]);

const keyOf = (group: Group, columns: readonly Column[]) =>
  columns.map((column) => group[column]).join('\0');

/** Adds up the groups that are alike. */
function merged(groups: readonly CountedGroup[], columns: readonly Column[]): CountedGroup[] {
  const sums = new Map<string, CountedGroup>();
  for (const group of groups) {
    const key = keyOf(group, columns);
    const { listed, finished } = sums.get(key) ?? { listed: 0, finished: 0 };
    const sum = { listed: listed + group.listed, finished: finished + group.finished };
    sums.set(key, { ...group, ...sum });
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

/** The last of the finishers to arrive. Sorting all of them would take ten times as long. */
function latest(ranking: Ranking, finishers: readonly Finisher[]): Finisher[] {
  const arrivals: Finisher[] = [];
  for (const finisher of finishers) {
    const last = arrivals.at(-1);
    if (arrivals.length === ARRIVALS && last && compareArrivals(ranking, last, finisher) < 0) {
      continue;
    }
    arrivals.push(finisher);
    arrivals.sort((one, other) => compareArrivals(ranking, one, other));
    arrivals.splice(ARRIVALS);
  }
  return arrivals;
}

/** The latest comes first: of one upload, the runner with the latest gun time. */
function compareArrivals(ranking: Ranking, { row: one }: Placed, { row: other }: Placed): number {
  const { arrivedMs, gunMs, finishMs } = ranking;
  const clockMs = (row: number) => timeOrNull(gunMs[row]) ?? finishMs[row] ?? 0;
  return (
    (arrivedMs[other] ?? 0) - (arrivedMs[one] ?? 0) || clockMs(other) - clockMs(one) || one - other
  );
}
