import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { BoardGroup, BoardRace, BoardRunner, BoardSnapshot } from './answer-schemas.ts';
import { compareGroups, compareNames } from './compare-names.ts';
import { bibAt, compare, groupAt, idAt, LIST_ORDER, type Ranking, timeOrNull } from './ranking.ts';
import { ARRIVALS, BIB_MAX, GROUP_LEADERS, GROUPS_MAX, LEADERS, RACES_MAX } from './schemas.ts';

/** A row of the ranking in a list of the snapshot. */
type Placed = { row: number; place: number };

/** The best of a race, of a gender, or of a category of a gender. */
type Leaders = {
  distance: string;
  gender: string;
  category: string;
  finished: number;
  rows: Placed[];
  /** The place and the time of the finisher who was added last. */
  place: number;
  timeMs: number;
};

type Race = {
  distance: string;
  results: number;
  counts: Record<(typeof LIST_ORDER)[number], number>;
  leaders: Leaders;
  /** The latest come first. */
  arrivals: Placed[];
};

/** The lists of a snapshot, as rows of the ranking. */
type Lists = {
  races: Race[];
  genders: Leaders[];
  categories: Leaders[];
  /** Epoch ms of the last write of any result. */
  changedMs: number | undefined;
  hasNumericBibs: boolean;
};

const known = new WeakMap<Ranking, Lists>();

/** Reads the whole ranking, once. */
export function findLists(ranking: Ranking): Lists {
  const lists = known.get(ranking) ?? readLists(ranking);
  known.set(ranking, lists);
  return lists;
}

function readLists(ranking: Ranking): Lists {
  const races = new Map<string, Race>();
  const genders = new Map<string, Leaders>();
  const categories = new Map<string, Leaders>();
  const listsOf = ranking.groups.map(({ distance, gender, category }) => {
    const race = getOrAdd(races, distance, () => newRace(distance));
    const groups = [
      ...(gender === ''
        ? []
        : [getOrAdd(genders, `${distance}\0${gender}`, () => newLeaders(distance, gender))]),
      ...(category === ''
        ? []
        : [
            getOrAdd(categories, `${distance}\0${gender}\0${category}`, () =>
              newLeaders(distance, gender, category),
            ),
          ]),
    ];
    return { race, groups };
  });
  let changedMs: number | undefined;
  for (let row = 0; row < ranking.listed; row++) {
    changedMs = Math.max(changedMs ?? 0, ranking.writtenMs[row] ?? 0);
    const lists = listsOf[ranking.groupOf[row] ?? 0];
    const status = LIST_ORDER[ranking.statusOf[row] ?? 0];
    if (!lists || !status) continue;
    const { race, groups } = lists;
    race.results += 1;
    race.counts[status] += 1;
    if (status !== 'FINISHED') continue;
    const timeMs = ranking.finishMs[row] ?? 0;
    addFinisher(race.leaders, row, timeMs, LEADERS);
    for (const group of groups) addFinisher(group, row, timeMs, GROUP_LEADERS);
    addArrival(ranking, race.arrivals, { row, place: race.leaders.place });
  }
  const shown = [...races.values()]
    .sort((one, other) => other.results - one.results || compare(one.distance, other.distance))
    .slice(0, RACES_MAX);
  return {
    races: shown,
    genders: largest(genders),
    categories: largest(categories),
    changedMs,
    hasNumericBibs: ranking.bibs.every((bib) => bib === null || isDigits(bib)),
  };
}

/** Other systems write bibs of any length. */
const isDigits = (bib: string) => bib.length <= BIB_MAX && /^\d+$/.test(bib);

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const newRace = (distance: string): Race => ({
  distance,
  results: 0,
  counts: { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 },
  leaders: newLeaders(distance),
  arrivals: [],
});

const newLeaders = (distance: string, gender = '', category = ''): Leaders => ({
  ...{ distance, gender, category },
  ...{ finished: 0, rows: [], place: 0, timeMs: Number.NaN },
});

function addFinisher(list: Leaders, row: number, timeMs: number, most: number) {
  list.finished += 1;
  if (timeMs !== list.timeMs) {
    list.place = list.finished;
    list.timeMs = timeMs;
  }
  if (list.rows.length < most) list.rows.push({ row, place: list.place });
}

function addArrival(ranking: Ranking, arrivals: Placed[], arrival: Placed) {
  const last = arrivals.at(-1);
  if (arrivals.length === ARRIVALS && last && compareArrivals(ranking, last, arrival) < 0) return;
  const at = arrivals.findIndex((other) => compareArrivals(ranking, arrival, other) < 0);
  arrivals.splice(at < 0 ? arrivals.length : at, 0, arrival);
  if (arrivals.length > ARRIVALS) arrivals.pop();
}

/** The latest comes first: of one upload, the runner with the latest gun time. */
function compareArrivals(ranking: Ranking, { row: one }: Placed, { row: other }: Placed): number {
  const { arrivedMs, gunMs, finishMs } = ranking;
  const clockMs = (row: number) => timeOrNull(gunMs[row]) ?? finishMs[row] ?? 0;
  return (
    (arrivedMs[other] ?? 0) - (arrivedMs[one] ?? 0) ||
    clockMs(other) - clockMs(one) ||
    compare(idAt(ranking, one), idAt(ranking, other))
  );
}

/** The groups with the most finishers. */
const largest = (groups: ReadonlyMap<string, Leaders>): Leaders[] =>
  [...groups.values()]
    .filter(({ finished }) => finished > 0)
    .sort((one, other) => other.finished - one.finished || compare(keyOf(one), keyOf(other)))
    .slice(0, GROUPS_MAX)
    .sort(compareGroups);

const keyOf = ({ distance, gender, category }: Leaders) => `${distance}\0${gender}\0${category}`;

/** Every row of a snapshot. */
export const rowsOf = ({ races, genders, categories }: Lists): number[] => [
  ...new Set(
    [
      ...races.flatMap(({ leaders, arrivals }) => [leaders.rows, arrivals]),
      ...[...genders, ...categories].map(({ rows }) => rows),
    ]
      .flat()
      .map(({ row }) => row),
  ),
];

/** @param nameOf the public name in a row of the ranking */
export function toSnapshot(
  ranking: Ranking,
  { races, genders, categories, changedMs, hasNumericBibs }: Lists,
  nameOf: (row: number) => string | null,
): BoardSnapshot {
  const toRunner = ({ row, place }: Placed): BoardRunner => {
    const { gender, category } = groupAt(ranking, row);
    return {
      bib_number: bibAt(ranking, row),
      name: nameOf(row),
      gender: gender || null,
      category: category || null,
      time: formatRaceTime(ranking.finishMs[row] ?? 0),
      place,
    };
  };
  const toGroup = ({ gender, category, finished, rows }: Leaders): BoardGroup => ({
    gender: gender || null,
    category: category || null,
    finished,
    leaders: rows.map(toRunner),
  });
  const toRace = ({ distance, counts, leaders, arrivals }: Race): BoardRace => ({
    distance,
    counts,
    arrivals: arrivals.map((arrival) => ({
      ...toRunner(arrival),
      arrived_at: new Date(ranking.arrivedMs[arrival.row] ?? 0).toISOString(),
    })),
    leaders: leaders.rows.map(toRunner),
    genders: genders.filter((group) => group.distance === distance).map(toGroup),
    categories: categories.filter((group) => group.distance === distance).map(toGroup),
  });
  return {
    event: {
      ...ranking.event,
      changed_at: changedMs === undefined ? null : new Date(changedMs).toISOString(),
      has_numeric_bibs: hasNumericBibs,
    },
    races: races
      .map(toRace)
      .sort(
        (one, other) =>
          compare(latestOf(other), latestOf(one)) || compareNames(one.distance, other.distance),
      ),
  };
}

const latestOf = ({ arrivals }: BoardRace): string => arrivals[0]?.arrived_at ?? '';
