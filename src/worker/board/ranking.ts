import { compare, compareBibs, compareNames } from '../../timing-files/read/name-order.ts';
import {
  RANKS,
  type RankingRule,
  type Ranks,
  type RankTime,
} from '../../timing-files/read/ranking-rule.ts';
import {
  LISTED_STATUSES,
  type ResultStatus,
  STATUS_RULES,
} from '../../timing-files/read/result-status.ts';
import type { Start } from '../../timing-files/read/starts.ts';
import type { BoardNames } from '../db/sql.ts';
import { type Counters, createCounters, placeIn } from '../positions/ranker.ts';
import type { ChangedResults } from '../results/official/sql.ts';
import type { BoardSnapshot, Runner } from './answer-schemas.ts';
import type { Course } from './course.ts';
import { idsIn, type Names } from './names.ts';

/** A distance, gender and category. An empty text stands for none. */
export type Group = { distance: string; gender: string; category: string };

/** A group of the event, with the numbers of its entered runners, its results and its finishers. */
export type CountedGroup = Group & { entered: number; listed: number; finished: number };

/** The runners of a group with one status. Each runner is a value in each column. */
type Columns = {
  status: ResultStatus | null;
  /** The runners may start, because they have paid, or have a result. */
  is_entered: boolean;
  /** The registrations' ids, each as 32 hexadecimal digits. */
  ids: string;
  bibs: (string | null)[];
  /** Times are in ms. Positions count by the finish time. */
  finish_ms: (number | null)[];
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
  /** The text of the organization's system. */
  time_zone: string | null;
  board_names: BoardNames;
  /** The short address of the board. */
  board_code: string | null;
  rank_by: RankingRule;
  starts: Start[];
};

type Official = NonNullable<BoardSnapshot['official']>;

/** The row of `selectRanking`, as JSON. */
type RankingDocument = {
  event: ShownEvent;
  official: (Omit<Official, 'changes'> & { changes: ChangedResults }) | null;
  groups: (Group & Columns)[];
};

/** The places of a finisher within the distance. Null without a place. */
type Places = {
  place: number | null;
  genderPlace: number | null;
  /** Within the gender: runners without a gender count among themselves. */
  categoryPlace: number | null;
};

/** A runner of the event, without the name. */
export type Row = Places & {
  /** The registration's id, as 32 hexadecimal digits. */
  id: string;
  bib: string | null;
  group: CountedGroup;
  status: ResultStatus | null;
  chipMs: number | null;
  gunMs: number | null;
  /** The time behind the places in the race and by gender. Null without a place. */
  finishMs: number | null;
  /** The time behind the places in the category. */
  categoryMs: number | null;
  /** Epoch ms of the first finish. */
  arrivedMs: number | null;
};

/** Whether a passing may be the runner's. Another runner may have the bib of a runner who did not start. */
export const hasStarted = ({ status }: Pick<Row, 'status'>): boolean =>
  status === null || STATUS_RULES[status].hasStarted;

/**
 * All runners on the board of an event: the finishers by time, then further results by status, then runners without a
 * result. Ties stand in the order of their bibs.
 */
export type Ranking = {
  event: ShownEvent;
  official: BoardSnapshot['official'];
  groups: readonly CountedGroup[];
  rows: readonly Row[];
  /** The rows in the order of the times behind the places in categories. */
  inCategories: readonly Row[];
  /** Epoch ms of the last write of a result; 0 without results. */
  changedMs: number;
};

/** Reads and sorts a document. */
export function readRanking(text: string): Ranking {
  const { event, official, groups: parts }: RankingDocument = JSON.parse(text);
  const groups = new Map<string, CountedGroup>();
  function groupOf({ distance, gender, category }: Group): CountedGroup {
    const key = JSON.stringify([distance, gender, category]);
    const none = { entered: 0, listed: 0, finished: 0 };
    const group = groups.get(key) ?? { distance, gender, category, ...none };
    groups.set(key, group);
    return group;
  }
  const { overall, category } = RANKS[event.rank_by];
  const rows = parts
    .flatMap((part) => {
      const group = groupOf(part);
      if (part.is_entered) group.entered += part.bibs.length;
      return rowsOf(part, group, RANKS[event.rank_by]);
    })
    .sort(comparingBy('finishMs'));
  const inCategories = overall === category ? rows : rows.toSorted(comparingBy('categoryMs'));
  for (const { group, status, finishMs } of rows) {
    if (status !== null) group.listed += 1;
    if (finishMs !== null) group.finished += 1;
  }
  place(rows, inCategories);
  return {
    event: { ...event, event_date: new Date(event.event_date).toISOString() },
    official: official && { ...official, changes: official.changes && toChanges(official.changes) },
    groups: [...groups.values()],
    rows,
    inCategories,
    changedMs: Math.max(0, ...parts.map(({ changed_ms }) => changed_ms ?? 0)),
  };
}

/**
 * Gives the finishers their places. @param rows in the order of `finishMs`, `inCategories` in the order of `categoryMs`
 */
function place(rows: readonly Row[], inCategories: readonly Row[]): void {
  const countersOf = createCounters();
  const known = new Map<Group, Counters>();
  function countersIn(group: Group): Counters {
    const { distance, gender, category } = group;
    const own =
      known.get(group) ??
      countersOf({ distance, gender: gender || null, category: category || null });
    known.set(group, own);
    return own;
  }
  for (const row of rows) {
    if (row.finishMs === null) break;
    const { position_distance, position_distance_gender } = countersIn(row.group);
    row.place = position_distance && placeIn(position_distance, row.finishMs);
    row.genderPlace = position_distance_gender && placeIn(position_distance_gender, row.finishMs);
  }
  for (const row of inCategories) {
    if (row.categoryMs === null) break;
    const { position_distance_category } = countersIn(row.group);
    row.categoryPlace =
      position_distance_category && placeIn(position_distance_category, row.categoryMs);
  }
}

const toChanges = ({ total, first }: NonNullable<ChangedResults>): Official['changes'] => ({
  total,
  first: first.map(({ bib_number, before, after }) => ({
    bib_number,
    before: before && toOutcome(before),
    after: after && toOutcome(after),
  })),
});

type Said = NonNullable<NonNullable<ChangedResults>['first'][number]['after']>;

const toOutcome = ({ status, chip_time, gun_time }: Said) => ({ status, chip_time, gun_time });

function rowsOf(
  { status, ids, ...columns }: Columns,
  group: CountedGroup,
  { overall, category }: Ranks,
): Row[] {
  /** Without a chip time, a runner is ranked by gun time, and vice versa. */
  function rankMs(by: RankTime, at: number): number | null {
    const chipRankMs = columns.finish_ms[at] ?? null;
    return by === 'gun' && chipRankMs !== null ? (columns.gun_ms[at] ?? chipRankMs) : chipRankMs;
  }
  return Array.from(idsIn(ids), (id, at) => ({
    id,
    bib: columns.bibs[at] ?? null,
    group,
    status,
    chipMs: columns.chip_ms[at] ?? null,
    gunMs: columns.gun_ms[at] ?? null,
    finishMs: rankMs(overall, at),
    categoryMs: rankMs(category, at),
    arrivedMs: columns.arrived_ms[at] ?? null,
    place: null,
    genderPlace: null,
    categoryPlace: null,
  }));
}

const listOrder = (status: ResultStatus | null): number =>
  status === null ? LISTED_STATUSES.length : LISTED_STATUSES.indexOf(status);

/** A time behind places. */
type PlaceTime = 'finishMs' | 'categoryMs';

const comparingBy =
  (time: PlaceTime) =>
  (a: Row, b: Row): number => {
    const byTime =
      a[time] === null || b[time] === null
        ? Number(a[time] === null) - Number(b[time] === null)
        : a[time] - b[time];
    return (
      byTime ||
      listOrder(a.status) - listOrder(b.status) ||
      compareBibs(a.bib, b.bib) ||
      compare(a.id, b.id)
    );
  };

/** A bib as people write it: `#1007`, `01007`, `1 007` and `dorsal 1007` are `1007`. */
const plainBib = (bib: string): string =>
  bib
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/^(?:DORSAL|BIB)(?=.)/, '')
    .replace(/^#?0*(?=.)/, '');

const bibs = new WeakMap<Ranking, ReadonlyMap<string, Row>>();

/** Every row by its bib, and by its plain bib unless the plain bib is the exact bib of another row. */
function indexBibs({ rows }: Ranking): ReadonlyMap<string, Row> {
  const index = new Map<string, Row>();
  for (const row of rows.toReversed()) if (row.bib !== null) index.set(plainBib(row.bib), row);
  for (const row of rows) if (row.bib !== null) index.set(row.bib, row);
  return index;
}

/** Finds exactly this bib, or else a bib with a difference in case, `#` or leading zeros. */
export function rowOfBib(ranking: Ranking, bib: string): Row | undefined {
  const index = bibs.get(ranking) ?? indexBibs(ranking);
  bibs.set(ranking, index);
  return index.get(bib) ?? index.get(plainBib(bib));
}

/** A ranking, its event's public names, and the points of its course. */
export type Shown = { ranking: Ranking; names: Names; course: Course };

/** The fields of a runner seen in the race. */
export const publicRunnerOf = ({ id, bib, group }: Row, { byId }: Names): Runner => ({
  bib_number: bib,
  name: byId.get(id) ?? null,
  gender: group.gender || null,
  category: group.category || null,
});

/**
 * The fields of a runner in every list. Until the runner is seen, only a full name makes more than bib and distance
 * public.
 */
export const runnerOf = (row: Row, names: Names): Runner =>
  row.status === null && !(names.isFull && names.byId.has(row.id))
    ? { bib_number: row.bib, name: null, gender: null, category: null }
    : publicRunnerOf(row, names);

/** The runners of a list: all runners, a gender, or a category. */
export type ListKind = 'race' | 'gender' | 'category';

/** The place of a row in a list, and the time behind the place: null unless finished. */
export type Placed = { row: Row; timeMs: number | null; place: number | null };

/** The results in the order of a list. */
export const rowsIn = ({ rows, inCategories }: Ranking, kind: ListKind): readonly Row[] =>
  kind === 'category' ? inCategories : rows;

/** A row in a list, with its place within the distance. */
export function placedIn(kind: ListKind, row: Row): Placed {
  switch (kind) {
    case 'race':
      return { row, timeMs: row.finishMs, place: row.place };
    case 'gender':
      return { row, timeMs: row.finishMs, place: row.genderPlace };
    case 'category':
      return { row, timeMs: row.categoryMs, place: row.categoryPlace };
  }
}

/** Rows with a result of some groups, from an index to before another index. */
export function resultsIn(
  groups: readonly Group[],
  rows: readonly Row[],
  isIn: (group: Group) => boolean,
  from: number,
  to: number,
): Row[] {
  const matches = new Set(groups.filter(isIn));
  const found: Row[] = [];
  let matched = 0;
  for (const row of rows) {
    if (row.status === null || matched === to) break;
    if (!matches.has(row.group)) continue;
    matched += 1;
    if (matched > from) found.push(row);
  }
  return found;
}

/** The order of a race's groups. */
export const compareGroups = (one: Group, other: Group): number =>
  compareNames(one.gender, other.gender) || compareNames(one.category, other.category);
