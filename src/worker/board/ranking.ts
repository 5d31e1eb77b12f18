import type { ResultStatus } from '../../timing-files/read/result-status.ts';
import type { Runner } from './answer-schemas.ts';

/** The order of a full list. */
export const LIST_ORDER = ['FINISHED', 'DNF', 'DSQ', 'DNS'] as const satisfies ResultStatus[];

/** A distance, gender and category. An empty text stands for none. */
export type Group = { distance: string; gender: string; category: string };

/** A group of the event, and how many of its runners have a result and have finished. */
export type CountedGroup = Group & { listed: number; finished: number };

/** The runners of a group. Each is one value in each column. */
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

/** A runner of the event, without the name. */
export type Row = {
  /** The registration's id, as 32 hexadecimal digits. */
  id: string;
  bib: string | null;
  group: CountedGroup;
  status: ResultStatus | null;
  chipMs: number | null;
  gunMs: number | null;
  /** The time that positions count by: the chip time, or the gun time without one. */
  finishMs: number | null;
  /** Epoch ms of the first finish. */
  arrivedMs: number | null;
  /** Orders the rows: the finishers by time, then the others by status. */
  key: number;
};

/** Everybody on the board of an event. Ties stand in the order of their bibs. */
export type Ranking = {
  event: ShownEvent;
  groups: readonly CountedGroup[];
  rows: readonly Row[];
  /** Epoch ms of the last write of a result; 0 without results. */
  changedMs: number;
};

const ID_LENGTH = 32;
/** Above every race time in ms. */
const UNFINISHED = 2 ** 32;

/** Reads and sorts a document. */
export function readRanking(text: string): Ranking {
  const { event, groups }: RankingDocument = JSON.parse(text);
  const read = groups.map(rowsOf);
  return {
    event: { ...event, event_date: new Date(event.event_date).toISOString() },
    groups: read.map(({ group }) => group),
    rows: read.flatMap(({ rows }) => rows).sort(compareRows),
    changedMs: Math.max(0, ...groups.map(({ changed_ms }) => changed_ms ?? 0)),
  };
}

function rowsOf({ distance, gender, category, ...columns }: Group & Columns) {
  const group = { distance, gender, category, listed: 0, finished: 0 };
  const rows = columns.bibs.map((bib, at): Row => {
    const digit = Number(columns.statuses[at]);
    const status = LIST_ORDER[digit] ?? null;
    if (status !== null) group.listed += 1;
    if (status === 'FINISHED') group.finished += 1;
    const chipMs = columns.chip_ms[at] ?? null;
    const gunMs = columns.gun_ms[at] ?? null;
    const finishMs = chipMs ?? gunMs;
    return {
      id: columns.ids.slice(ID_LENGTH * at, ID_LENGTH * (at + 1)),
      bib,
      group,
      status,
      chipMs,
      gunMs,
      finishMs,
      arrivedMs: columns.arrived_ms[at] ?? null,
      key: finishMs ?? UNFINISHED + digit,
    };
  });
  return { group, rows };
}

const compareRows = (one: Row, other: Row): number =>
  one.key - other.key || compareBibs(one.bib, other.bib) || compare(one.id, other.id);

/** A shorter bib comes first: 9 before 10. A runner without a bib comes last. */
function compareBibs(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.length - other.length || compare(one, other);
}

export const compare = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);

/** Finds exactly this bib, or else one that differs in its case. */
export function rowOfBib({ rows }: Ranking, bib: string): Row | undefined {
  const capitals = bib.toUpperCase();
  return (
    rows.find((row) => row.bib === bib) ??
    rows.find((row) => row.bib?.length === bib.length && row.bib.toUpperCase() === capitals)
  );
}

/** An answer, and those in it whose names are not filled in yet. */
export type Unnamed<Body> = { body: Body; runners: { runner: Runner; row: Row }[] };

/** The fields of a runner in every list. Only the database knows the name. */
export const runnerOf = ({ bib, group }: Row): Runner => ({
  bib_number: bib,
  name: null,
  gender: group.gender || null,
  category: group.category || null,
});

/** A row in a list, with its place in it: null unless finished. */
export type Placed = { row: Row; place: number | null };

/** The results of some groups in the order of the ranking, from one to before another of them. */
export function placesIn(
  { groups, rows }: Pick<Ranking, 'groups' | 'rows'>,
  isIn: (group: Group) => boolean,
  from: number,
  to: number,
): Placed[] {
  const matches = new Set<Group>(groups.filter(isIn));
  const found: Placed[] = [];
  let [matched, place, key] = [0, 0, Number.NaN];
  for (const row of rows) {
    if (row.status === null || matched === to) break;
    if (!matches.has(row.group)) continue;
    matched += 1;
    if (row.key !== key) [place, key] = [matched, row.key];
    if (matched > from) found.push({ row, place: row.finishMs === null ? null : place });
  }
  return found;
}

let collator: Intl.Collator | undefined;

/** `5K` before `10K`. The first collator of an isolate takes milliseconds, so none is made at start-up. */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('es', { numeric: true });
  return collator.compare(one, other);
}

/** The order of a race's groups. */
export const compareGroups = (one: Group, other: Group): number =>
  compareNames(one.gender, other.gender) || compareNames(one.category, other.category);
