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
  /** Epoch ms of the first finish. */
  arrived_ms: (number | null)[];
  /** Epoch ms of the last write of a result. */
  changed_ms: number | null;
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
export type RankingDocument = { event: ShownEvent; groups: (Group & Columns)[] };

/**
 * Everybody on the board of an event, without names. A row is the index of a runner in each column: first
 * the finishers by time, then the other results by status, then the runners without a result. Ties among
 * results stand in the order of their bibs.
 */
export type Ranking = {
  event: ShownEvent;
  groups: readonly CountedGroup[];
  size: number;
  /** How many rows are finishers. */
  finished: number;
  /** How many rows have a result. */
  listed: number;
  bibs: readonly (string | null)[];
  /** The id of a row's registration, as 32 hexadecimal digits. */
  idAt: (row: number) => string;
  /** Indices of `groups`. */
  groupOf: Float64Array;
  /** Indices of LIST_ORDER. */
  statusOf: Float64Array;
  /** Without a time it is NaN. */
  chipMs: Float64Array;
  gunMs: Float64Array;
  /** The time that positions count by: the chip time, or the gun time without one. */
  finishMs: Float64Array;
  /** Epoch ms of the runner's first finish. */
  arrivedMs: Float64Array;
  /** Epoch ms of the last write of a result; 0 without results. */
  changedMs: number;
};

const ID_LENGTH = 32;
/** Above every race time in ms. The key of a runner is exact: the time, or this and the status, and the place. */
const UNFINISHED = 2 ** 32 - 8;
/** Above every number of runners. */
const PLACES = 2 ** 21;

/** Reads and sorts a document. */
export function readRanking(text: string): Ranking {
  const { event, groups }: RankingDocument = JSON.parse(text);
  const bibs = groups.flatMap((group) => group.bibs);
  const ids = groups.map((group) => group.ids).join('');
  const statuses = groups.map((group) => group.statuses).join('');
  const chipMs = groups.flatMap((group) => group.chip_ms);
  const gunMs = groups.flatMap((group) => group.gun_ms);
  const finishMs = chipMs.map((ms, place) => ms ?? gunMs[place] ?? null);
  const counted = groups.map(({ distance, gender, category, statuses }) => ({
    distance,
    gender,
    category,
    finished: statuses.replace(/[^0]/g, '').length,
    listed: statuses.replaceAll(String(LIST_ORDER.length), '').length,
  }));
  const listed = counted.reduce((sum, group) => sum + group.listed, 0);
  const order = orderOf(
    finishMs.map((ms, place) => ms ?? UNFINISHED + Number(statuses[place])),
    listed,
    (one, other) => compareBibs(bibs[one] ?? null, bibs[other] ?? null) || one - other,
  );
  // Float64Array.from is slower: it calls a function for each number.
  function sorted(column: ArrayLike<number | string | null>) {
    const numbers = new Float64Array(order.length);
    order.forEach((place, row) => {
      numbers[row] = Number(column[place] ?? Number.NaN);
    });
    return numbers;
  }
  return {
    event: { ...event, event_date: new Date(event.event_date).toISOString() },
    groups: counted,
    size: order.length,
    finished: counted.reduce((sum, { finished }) => sum + finished, 0),
    listed,
    bibs: Array.from(order, (place) => bibs[place] ?? null),
    idAt: (row) => ids.substr((order[row] ?? 0) * ID_LENGTH, ID_LENGTH),
    groupOf: sorted(groups.flatMap((group, index) => group.bibs.map(() => index))),
    statusOf: sorted(statuses),
    chipMs: sorted(chipMs),
    gunMs: sorted(gunMs),
    finishMs: sorted(finishMs),
    arrivedMs: sorted(groups.flatMap((group) => group.arrived_ms)),
    changedMs: Math.max(0, ...groups.map((group) => group.changed_ms ?? 0)),
  };
}

/**
 * The places of the runners in the order of their keys. It is twice as fast to sort one number for each runner as to
 * compare runners. Ties are compared among the first `listed`, who are the ones that lists show.
 */
function orderOf(
  keys: readonly number[],
  listed: number,
  compareTied: (one: number, other: number) => number,
): Uint32Array {
  const packed = new Float64Array(keys.length);
  keys.forEach((key, place) => {
    packed[place] = key * PLACES + place;
  });
  const order = new Uint32Array(packed.sort().map((key) => key % PLACES));
  for (let first = 0, row = 1; row <= listed; row++) {
    if (row < listed && keys[order[row] ?? 0] === keys[order[first] ?? 0]) continue;
    if (row - first > 1) order.subarray(first, row).sort(compareTied);
    first = row;
  }
  return order;
}

/** The row of a bib: of exactly this one, or else in any case. @returns undefined for an unknown bib */
export function rowOfBib({ bibs }: Ranking, bib: string): number | undefined {
  const capitals = bib.toUpperCase();
  const exact = bibs.indexOf(bib);
  const row =
    exact >= 0 || capitals === bib.toLowerCase()
      ? exact
      : bibs.findIndex((known) => known?.length === bib.length && known.toUpperCase() === capitals);
  return row < 0 ? undefined : row;
}

/** @returns null for no time */
export const timeOrNull = (timeMs = Number.NaN): number | null =>
  Number.isNaN(timeMs) ? null : timeMs;

/** @returns undefined for a runner without a result */
export const statusAt = ({ statusOf }: Ranking, row: number): ResultStatus | undefined =>
  LIST_ORDER[statusOf[row] ?? LIST_ORDER.length];

export const groupAt = ({ groups, groupOf }: Ranking, row: number): Group =>
  groups[groupOf[row] ?? 0] ?? { distance: '', gender: '', category: '' };

/** An answer, and those in it whose names are not filled in yet. The id is the one of the registration. */
export type Unnamed<Body> = { body: Body; runners: { runner: Runner; id: string }[] };

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

let collator: Intl.Collator | undefined;

/** `5K` before `10K`. The first collator of an isolate takes milliseconds, so none is made at start-up. */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('es', { numeric: true });
  return collator.compare(one, other);
}

/** The order of a race's groups. */
export const compareGroups = (one: Group, other: Group): number =>
  compareNames(one.gender, other.gender) || compareNames(one.category, other.category);
