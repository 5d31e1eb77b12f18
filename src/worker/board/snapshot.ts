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
  type Row,
  runnerOf,
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

function toSnapshot({ event, groups, rows, changedMs }: Ranking): Unnamed<BoardSnapshot> {
  const runners: Unnamed<BoardSnapshot>['runners'] = [];
  const genders = largest(groups, GENDER);
  const categories = largest(groups, CATEGORY);

  function toRunner({ row, place }: Finisher): BoardRunner {
    const runner = { ...runnerOf(row), time: formatRaceTime(row.finishMs), place };
    runners.push({ runner, row });
    return runner;
  }

  function toRace(race: Group): BoardRace {
    const isOfRace = isLike(race, RACE);
    const counts = { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 };
    const results = placesIn({ groups, rows }, isOfRace, 0, rows.length);
    for (const { row } of results) if (row.status) counts[row.status] += 1;
    const finishers = results.filter(isFinisher);
    const ofRace = finishers.map(({ row }) => row);
    const toGroup =
      (columns: Column[]) =>
      (sample: CountedGroup): BoardGroup => ({
        gender: sample.gender || null,
        category: (columns === CATEGORY && sample.category) || null,
        finished: sample.finished,
        leaders: placesIn({ groups, rows: ofRace }, isLike(sample, columns), 0, GROUP_LEADERS)
          .filter(isFinisher)
          .map(toRunner),
      });
    return {
      distance: race.distance,
      counts,
      arrivals: latest(finishers).map((arrival) => {
        const arrived_at = new Date(arrival.row.arrivedMs ?? 0).toISOString();
        return Object.assign(toRunner(arrival), { arrived_at });
      }),
      leaders: finishers.slice(0, LEADERS).map(toRunner),
      genders: genders.filter(isOfRace).map(toGroup(GENDER)),
      categories: categories.filter(isOfRace).map(toGroup(CATEGORY)),
    };
  }

  const races = merged(groups, RACE)
    .sort((one, other) => other.listed - one.listed || compare(one.distance, other.distance))
    .slice(0, RACES_MAX)
    .map(toRace)
    .sort((one, other) => compareNames(one.distance, other.distance));
  const changed_at = changedMs === 0 ? null : new Date(changedMs).toISOString();
  const has_numeric_bibs = rows.every(({ bib }) => bib === null || isDigits(bib));
  return { body: { event: { ...event, changed_at, has_numeric_bibs }, races }, runners };
}

type Finisher = { row: Row & { finishMs: number }; place: number };

const isFinisher = (placed: Placed): placed is Finisher => placed.place !== null;

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

/** The last of the finishers to arrive, the latest first: of one upload, the one with the latest gun time. */
function latest(finishers: readonly Finisher[]): Finisher[] {
  const arrivedMs = ({ row }: Finisher) => row.arrivedMs ?? 0;
  const clockMs = ({ row }: Finisher) => row.gunMs ?? row.finishMs;
  // To sort all of them would take ten times as long.
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
