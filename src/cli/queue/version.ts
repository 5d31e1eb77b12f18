import type { ReadFile } from '../files/reading.ts';
import { bibOf, isHeldAs, passingIn, pointOf, rowIn } from './item.ts';
import {
  decisionOf,
  finishSeconds,
  isHeld,
  isOlder,
  type Known,
  NOTHING,
  nameOf,
  newestOf,
  saidOf,
  step,
  type Why,
  whyAsked,
} from './record.ts';
import { knownOf, type RaceState, take, type UnreadableRow } from './state.ts';

/** The fate of a row: `held` and `held_back` are not sent. */
type Kind = 'new' | 'changed' | 'unchanged' | 'held' | 'held_back';

/** The changes that a version of a file makes. */
export type Verdict = {
  /** The records of the bibs after this version, if it counts. */
  known: RaceState['known'];
  /** The rows that count, in the order of the file. */
  rows: { key: string; line: number; text: string; kind: Kind; why?: Why | undefined }[];
  /** Stored results that lose splits. */
  splitsLost: string[];
};

export const keysOf = ({ rows }: Verdict, ...kinds: Kind[]): string[] =>
  rows.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);

/** A person who sends a row is asked about these. */
const OF_PEOPLE = new Set<Why>(['dsq', 'by_hand', 'second_finish']);

/** More than this part of what is stored would change. */
const CHANGED_PART = 0.2;
/** One or two corrections are always sent, however few results there are. */
const FEWEST_CHANGES = 3;

/** The rows that change a stored result, if they are more than corrections. `stored` is the number of such results. */
export function manyChanges({ rows }: Verdict, { known }: Pick<RaceState, 'known'>) {
  const isStored = (one?: Known) => one !== undefined && one.stored !== null;
  const changes = rows.filter(({ key, kind }) => kind === 'changed' && isStored(known.get(key)));
  const stored = [...known.values()].filter(isStored).length;
  const areMany = changes.length >= FEWEST_CHANGES && changes.length > stored * CHANGED_PART;
  return { changes: areMany ? changes : [], stored };
}

/**
 * Decides what a version of a file changes. Leaves the given state as it is.
 * @param isByPerson whether a person sends the file: this overrides earlier decisions that hold no bib
 * @param isPartial whether rows that are missing say nothing
 * @param points the points of the event: their splits are passings, which no result loses
 */
export function judgeVersion(
  state: RaceState,
  file: string,
  { rows, unreadable, unfinished }: ReadFile,
  { isByPerson = false, isPartial = false, points = [] as readonly string[] } = {},
): Verdict {
  const known = new Map(state.known);
  const verdict: Verdict = { known, rows: [], splitsLost: [] };
  forgive(verdict, file, rows, isPartial);
  for (const [key, { line, text }] of rows) {
    const before = asSaid(known.get(key) ?? NOTHING, text, points);
    if (!isByPerson && isOlder(before, file, text)) continue;
    const said = { is: 'said', file, text } as const;
    const next = step(before, { ...said, isByPerson });
    known.set(key, next);
    // A person who sends it is asked about what others decided.
    const why = whyAsked(isByPerson ? step({ ...before, passed: null }, said) : next);
    const isAsked = isByPerson ? why !== undefined && OF_PEOPLE.has(why) : why !== undefined;
    const kind = isAsked ? 'held_back' : kindOf(before, next, text);
    verdict.rows.push({ key, line, text, kind, why });
  }
  if (!isByPerson) doubt(verdict, state);
  verdict.splitsLost = keysOf(verdict, 'new', 'changed').filter((key) =>
    losesSplits(knownOf(state, key), rows.get(key)?.text, points),
  );
  if (!isPartial) letGo(verdict, state, file, new Set([...unreadable, ...unfinished].map(bibIn)));
  return verdict;
}

/** A file that differs from what was taken back of it is another one: all of its rows count again. */
function forgive({ known }: Verdict, file: string, rows: ReadFile['rows'], isPartial: boolean) {
  const others = new Set<string>();
  const ofFile = [...known].filter(([, { taken }]) => taken?.file === nameOf(file));
  for (const [key, { taken }] of ofFile) {
    const text = rows.get(key)?.text;
    const isOther = text === undefined ? !isPartial : text !== taken?.text;
    if (taken && isOther) others.add(taken.batch);
  }
  for (const [key, one] of ofFile) {
    if (others.has(one.taken?.batch ?? '')) known.set(key, step(one, { is: 'forgiven' }));
  }
}

const bibIn = ({ bib }: UnreadableRow): string => bib?.trim() ?? '';

/** @param mentioned bibs that the file has without a result */
function letGo(
  { known, rows }: Verdict,
  state: RaceState,
  file: string,
  mentioned: ReadonlySet<string>,
): void {
  const read = new Set(rows.map(({ key }) => key));
  for (const [key, before] of state.known) {
    if (saidOf(before)?.file !== file || read.has(key) || mentioned.has(bibOf(key))) continue;
    known.set(key, step(before, { is: 'gone', file }));
  }
}

/** What is stored, as the file says it, where only passings of the points complete it. */
const asSaid = (known: Known, text: string, points: readonly string[]): Known =>
  known.stored !== null && isHeldAs(known.stored, text, points)
    ? { ...known, stored: text }
    : known;

function kindOf(before: Known, next: Known, text: string): Kind {
  const decision = decisionOf(next);
  if (isHeld(next) && decision?.text !== null && decision?.text !== text) return 'held';
  const newest = newestOf(before);
  if (newestOf(next) === newest) return 'unchanged';
  return newest === null ? 'new' : 'changed';
}

/** Where much of what is stored would change at once, the changed rows wait for a person. All others are sent. */
function doubt(verdict: Verdict, state: RaceState): void {
  for (const row of manyChanges(verdict, state).changes) {
    take(verdict, row.key, { is: 'doubted', why: 'many_changes' });
    row.kind = 'held_back';
  }
}

function losesSplits({ stored }: Known, text = '', points: readonly string[] = []): boolean {
  if (stored === null || text === '' || passingIn(text)) return false;
  const { splits } = rowIn(text);
  return Object.keys(rowIn(stored).splits).some(
    (name) => !(name in splits) && !points.includes(name),
  );
}

/**
 * Whether most finishers of a file that nobody has set up would become faster than they are stored: then it is
 * probably of a point on the course. A file that had them before corrects its times, as after another start.
 */
export function isBelowFinishers(
  file: string,
  { rows, parameters }: ReadFile,
  state: RaceState,
): boolean {
  if (parameters.point !== undefined) return false;
  let finishers = 0;
  let below = 0;
  for (const [key, { text }] of rows) {
    const { stored, rows: said } = knownOf(state, key);
    const isOwn = said.some((row) => row.file === file);
    if (stored === null || isOwn || pointOf(key) !== undefined) continue;
    const [before, now] = [finishSeconds(stored), finishSeconds(text)];
    if (before === undefined || now === undefined) continue;
    finishers += 1;
    if (now < before) below += 1;
  }
  return below * 2 > finishers;
}
