import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import type { Runner } from './answer-schemas.ts';

/** The order of a full list. */
export const LIST_ORDER = ['FINISHED', 'DNF', 'DSQ', 'DNS'] as const satisfies ResultStatus[];

/** A distance, gender and category. An empty text stands for none. */
export type Group = { distance: string; gender: string; category: string };

/** A group of the event, and how many of its runners have a result and have finished. */
export type CountedGroup = Group & { listed: number; finished: number };

type Columns = {
  /** The registrations' ids, each as 32 hexadecimal digits. */
  ids: string;
  bibs: (string | null)[];
  /** One digit for each runner: the place in LIST_ORDER, or 4 without a result. */
  statuses: string;
  /** Times are in ms. */
  chip_ms: (number | null)[];
  gun_ms: (number | null)[];
  /** Epoch ms of the last write of the result. */
  written_ms: (number | null)[];
  /** Epoch ms of the first finish, where it was not the last write. */
  arrived_ms: (number | null)[];
  /** Changes with each write of the registration. */
  versions: number[];
};

type ShownEvent = {
  name: string;
  city: string;
  event_date: string;
  /** As the organization's system wrote it. */
  time_zone: string | null;
  shows_names: boolean;
};

/** The row of `selectRanking`, as JSON. */
export type RankingDocument = {
  event: ShownEvent & { version: number };
  groups: (Group & Columns)[];
};

/**
 * Everybody on the board of an event, without names. A row is the index of a runner in each column: first
 * the finishers by time, then the other results by status, then the runners without a result. Ties stand in
 * the order of their bibs.
 */
export type Ranking = {
  event: ShownEvent;
  /** Changes with each write of the event. */
  eventVersion: number;
  groups: readonly CountedGroup[];
  size: number;
  /** How many rows are finishers. */
  finished: number;
  /** How many rows have a result. */
  listed: number;
  bibs: readonly (string | null)[];
  /** Rows by bib, and by the bib in capitals where no other runner has that bib. */
  rowOf: ReadonlyMap<string | null, number>;
  /** The registrations' ids, each as 32 hexadecimal digits. */
  ids: readonly string[];
  /** Indices of `groups`. */
  groupOf: Uint32Array;
  /** Indices of LIST_ORDER. */
  statusOf: Uint8Array;
  /** Without a time it is NaN. */
  chipMs: Float64Array;
  gunMs: Float64Array;
  /** The time that positions count by: the chip time, or the gun time without one. */
  finishMs: Float64Array;
  /** Epoch ms of the last write of the result, and of the runner's first finish. */
  writtenMs: Float64Array;
  arrivedMs: Float64Array;
  versions: Float64Array;
};

const ID = /.{32}/g;
/** Above every race time in ms. */
const UNFINISHED = 2 ** 32;

/** Reads and sorts a document. */
export function readRanking(text: string): Ranking {
  const { event, groups }: RankingDocument = JSON.parse(text);
  const { version, event_date, ...shown } = event;
  const bibs = groups.flatMap((group) => group.bibs);
  const ids = groups.flatMap((group) => group.ids.match(ID) ?? []);
  const statuses = groups.map((group) => group.statuses).join('');
  const chipMs = groups.flatMap((group) => group.chip_ms);
  const gunMs = groups.flatMap((group) => group.gun_ms);
  const writtenMs = groups.flatMap((group) => group.written_ms);
  const arrivedMs = groups.flatMap((group) => group.arrived_ms);
  const finishMs = Float64Array.from(chipMs, (ms, place) => ms ?? gunMs[place] ?? Number.NaN);
  // Runners are equal in it if they have the same time, or the same status without one.
  const keys = finishMs.map((ms, place) =>
    Number.isNaN(ms) ? UNFINISHED + Number(statuses[place]) : ms,
  );
  const order = bibs
    .map((_, place) => place)
    .sort(
      (one, other) =>
        (keys[one] ?? 0) - (keys[other] ?? 0) ||
        compareBibs(bibs[one] ?? null, bibs[other] ?? null) ||
        compare(ids[one] ?? '', ids[other] ?? ''),
    );
  // Float64Array.from is slower: it calls a function for each number.
  function numbers(column: ArrayLike<number | null>) {
    const sorted = new Float64Array(order.length);
    for (let row = 0; row < order.length; row++)
      sorted[row] = column[order[row] ?? 0] ?? Number.NaN;
    return sorted;
  }
  const sortedBibs = order.map((place) => bibs[place] ?? null);
  const counted = groups.map(({ distance, gender, category, statuses }) => ({
    distance,
    gender,
    category,
    finished: statuses.replace(/[^0]/g, '').length,
    listed: statuses.replaceAll(String(LIST_ORDER.length), '').length,
  }));
  return {
    event: { ...shown, event_date: new Date(event_date).toISOString() },
    eventVersion: version,
    groups: counted,
    size: order.length,
    finished: counted.reduce((sum, { finished }) => sum + finished, 0),
    listed: counted.reduce((sum, { listed }) => sum + listed, 0),
    bibs: sortedBibs,
    rowOf: rowsByBib(sortedBibs),
    ids: order.map((place) => ids[place] ?? ''),
    groupOf: new Uint32Array(
      numbers(groups.flatMap((group, index) => group.bibs.map(() => index))),
    ),
    statusOf: new Uint8Array(numbers([...statuses].map(Number))),
    chipMs: numbers(chipMs),
    gunMs: numbers(gunMs),
    finishMs: numbers(finishMs),
    writtenMs: numbers(writtenMs),
    arrivedMs: numbers(arrivedMs.map((ms, place) => ms ?? writtenMs[place] ?? null)),
    versions: numbers(groups.flatMap((group) => group.versions)),
  };
}

function rowsByBib(bibs: Ranking['bibs']): Ranking['rowOf'] {
  const rowOf = new Map<string | null, number>();
  bibs.forEach((bib, row) => void rowOf.set(bib, row));
  bibs.forEach((bib, row) => {
    const inCapitals = bib?.toUpperCase() ?? null;
    if (!rowOf.has(inCapitals)) rowOf.set(inCapitals, row);
  });
  return rowOf;
}

/** The row of a bib in any case. @returns undefined for an unknown bib */
export const rowOfBib = ({ rowOf }: Ranking, bib: string): number | undefined =>
  rowOf.get(bib) ?? rowOf.get(bib.toUpperCase());

/** @returns null for no time */
export const timeOrNull = (timeMs = Number.NaN): number | null =>
  Number.isNaN(timeMs) ? null : timeMs;

/** @returns undefined for a runner without a result */
export const statusAt = ({ statusOf }: Ranking, row: number): ResultStatus | undefined =>
  LIST_ORDER[statusOf[row] ?? LIST_ORDER.length];

export const groupAt = ({ groups, groupOf }: Ranking, row: number): Group =>
  groups[groupOf[row] ?? 0] ?? { distance: '', gender: '', category: '' };

/** An answer without its names, and the runners in it with their rows. */
export type Unnamed<Body> = {
  body: Body;
  runners: { runner: { name: string | null }; row: number }[];
};

/** The fields of a runner in every list. Only the database knows the name. */
export function runnerAt(ranking: Ranking, row: number): Runner {
  const { gender, category } = groupAt(ranking, row);
  return {
    bib_number: ranking.bibs[row] ?? null,
    name: null,
    gender: gender || null,
    category: category || null,
  };
}

/** A row in a list, with its place in it: null unless finished. */
export type Placed = { row: number; place: number | null };

/** The results of some groups in the order of the ranking, from one to before another of them. */
export function placesIn(
  { groups, groupOf, finishMs, listed, finished }: Ranking,
  isIn: (group: Group) => boolean,
  from: number,
  to: number,
): Placed[] {
  const matches = groups.map(isIn);
  const found: Placed[] = [];
  let [matched, place, timeMs] = [0, 0, Number.NaN];
  for (let row = 0; row < listed && matched < to; row++) {
    if (!matches[groupOf[row] ?? 0]) continue;
    matched += 1;
    if (finishMs[row] !== timeMs) {
      place = matched;
      timeMs = finishMs[row] ?? 0;
    }
    if (matched > from) found.push({ row, place: row < finished ? place : null });
  }
  return found;
}

/** A shorter bib comes first: 9 before 10. A runner without a bib comes last. */
function compareBibs(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.length - other.length || compare(one, other);
}

export const compare = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);
