import type { ResultStatus } from '../../timing-files/read/result-status.ts';

/** The order of a full list. */
export const LIST_ORDER = ['FINISHED', 'DNF', 'DSQ', 'DNS'] as const satisfies ResultStatus[];

/** A distance, gender and category. An empty text stands for none. */
export type Group = { distance: string; gender: string; category: string };

/** A group of the event, and how many of its runners have a result and have finished. */
type CountedGroup = Group & { listed: number; finished: number };

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

/** What `selectRanking` selects, as JSON. */
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
  /** 32 hexadecimal digits for each runner, in the order of the document. */
  ids: string;
  /** The place of each row in the document. */
  source: Uint32Array;
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

const ID_LENGTH = 32;

const idIn = (ids: string, place: number): string =>
  ids.slice(place * ID_LENGTH, (place + 1) * ID_LENGTH);

export const idAt = ({ ids, source }: Ranking, row: number): string => idIn(ids, source[row] ?? 0);

export const groupAt = ({ groups, groupOf }: Ranking, row: number): Group =>
  groups[groupOf[row] ?? 0] ?? { distance: '', gender: '', category: '' };

/** @returns null for no time */
export const timeOrNull = (timeMs = Number.NaN): number | null =>
  Number.isNaN(timeMs) ? null : timeMs;

/** @returns undefined for a runner without a result */
export const statusAt = ({ statusOf }: Ranking, row: number): ResultStatus | undefined =>
  LIST_ORDER[statusOf[row] ?? LIST_ORDER.length];

/** The row of a bib in any case. @returns undefined for an unknown bib */
export const rowOfBib = ({ rowOf }: Ranking, bib: string): number | undefined =>
  rowOf.get(bib) ?? rowOf.get(bib.toUpperCase());

export const bibAt = ({ bibs }: Ranking, row: number): string | null => bibs[row] ?? null;

/** Reads and sorts a document. */
export function readRanking(text: string): Ranking {
  const { event, groups }: RankingDocument = JSON.parse(text);
  const { version, event_date, ...shown } = event;
  const runners = inOneColumn(groups);
  const ids = groups.map((group) => group.ids).join('');
  const source = sort(runners, ids);
  const sorted = <Column extends Float64Array | Uint32Array | Uint8Array>(column: Column) =>
    column.map((_, row) => column[source[row] ?? 0] ?? 0) as Column;
  const bibs = Array.from(source, (place) => runners.bibs[place] ?? null);
  const rowOf = new Map<string | null, number>();
  bibs.forEach((bib, row) => void rowOf.set(bib, row));
  bibs.forEach((bib, row) => {
    const inCapitals = bib?.toUpperCase() ?? null;
    if (!rowOf.has(inCapitals)) rowOf.set(inCapitals, row);
  });
  const counted = groups.map(({ distance, gender, category, statuses }) => ({
    ...{ distance, gender, category },
    finished: statuses.replace(/[^0]/g, '').length,
    listed: statuses.replaceAll(String(LIST_ORDER.length), '').length,
  }));
  return {
    event: { ...shown, event_date: new Date(event_date).toISOString() },
    eventVersion: version,
    groups: counted,
    size: source.length,
    finished: counted.reduce((sum, { finished }) => sum + finished, 0),
    listed: counted.reduce((sum, { listed }) => sum + listed, 0),
    bibs,
    rowOf,
    ids,
    source,
    groupOf: sorted(runners.groupOf),
    statusOf: sorted(runners.statusOf),
    chipMs: sorted(runners.chipMs),
    gunMs: sorted(runners.gunMs),
    finishMs: sorted(runners.finishMs),
    writtenMs: sorted(runners.writtenMs),
    arrivedMs: sorted(runners.arrivedMs),
    versions: sorted(runners.versions),
  };
}

/** The columns of the groups, one after the other. */
function inOneColumn(groups: RankingDocument['groups']) {
  const bibs: (string | null)[] = [];
  for (const group of groups) for (const bib of group.bibs) bibs.push(bib);
  const size = bibs.length;
  const columns = {
    bibs,
    groupOf: new Uint32Array(size),
    statusOf: new Uint8Array(size),
    chipMs: new Float64Array(size),
    gunMs: new Float64Array(size),
    finishMs: new Float64Array(size),
    writtenMs: new Float64Array(size),
    arrivedMs: new Float64Array(size),
    versions: new Float64Array(size),
  };
  let place = 0;
  groups.forEach((group, number) => {
    for (let at = 0; at < group.bibs.length; at++, place++) {
      const [chipMs, gunMs] = [group.chip_ms[at] ?? Number.NaN, group.gun_ms[at] ?? Number.NaN];
      columns.groupOf[place] = number;
      columns.statusOf[place] = group.statuses.charCodeAt(at) - ZERO;
      columns.chipMs[place] = chipMs;
      columns.gunMs[place] = gunMs;
      columns.finishMs[place] = group.chip_ms[at] ?? gunMs;
      columns.writtenMs[place] = group.written_ms[at] ?? Number.NaN;
      columns.arrivedMs[place] = group.arrived_ms[at] ?? columns.writtenMs[place] ?? Number.NaN;
      columns.versions[place] = group.versions[at] ?? 0;
    }
  });
  return columns;
}

const ZERO = '0'.charCodeAt(0);

type Unsorted = Pick<Ranking, 'statusOf' | 'finishMs'> & { bibs: readonly (string | null)[] };

/** Above every race time in ms. */
const UNFINISHED = 2 ** 32;

/**
 * Numbers are sorted ten times as fast as objects. Each number holds what a runner is sorted by, and below
 * it the runner's place in the document. Runners that are equal so far are then sorted by bib.
 */
function sort({ bibs, statusOf, finishMs }: Unsorted, ids: string): Uint32Array {
  const size = bibs.length;
  const shift = 2 ** Math.ceil(Math.log2(size + 1));
  const keys = finishMs
    .map((timeMs, place) => {
      const status = statusOf[place] ?? 0;
      return (status === 0 ? timeMs : UNFINISHED + status) * shift + place;
    })
    .sort();
  const values = keys.map((key) => Math.floor(key / shift));
  const order = Uint32Array.from(keys, (key) => key % shift);
  for (let start = 0, end = 0; start < size; start = end) {
    while (end < size && values[end] === values[start]) end += 1;
    const isListed = (values[start] ?? 0) < UNFINISHED + LIST_ORDER.length;
    if (end - start === 1 || !isListed) continue;
    order
      .subarray(start, end)
      .sort(
        (one, other) =>
          compareBibs(bibs[one] ?? null, bibs[other] ?? null) ||
          compare(idIn(ids, one), idIn(ids, other)),
      );
  }
  return order;
}

/** A shorter bib comes first: 9 before 10. A runner without a bib comes last. */
function compareBibs(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.length - other.length || compare(one, other);
}

export const compare = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);
