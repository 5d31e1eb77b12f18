import type { FileRows } from '../files/rows.ts';
import { rowIn } from './result-row.ts';
import { newestOf, type RaceState } from './state.ts';

/** The decision on a version of a file: the rows to send, and the rows not to send. */
export type Verdict = {
  /** Bibs without a result, and bibs with another one. In the order of the file. */
  added: string[];
  changed: string[];
  unchanged: number;
  /** A stored DSQ that would become a finisher. */
  heldBack: { bib: string; line: number; text: string; stored: string }[];
  /** Held bibs of which the file says something else. */
  disagreeing: { bib: string; line: number; held: string; text: string }[];
  /** Bibs that the file had, and has no longer. What is stored of them stays. */
  vanished: string[];
  /** Bibs of which another file says something older. */
  contested: { bib: string; file: string }[];
  /** Bibs of which this file says something older. */
  older: Set<string>;
  /** Rows that were taken back, and count again because the file corrects others of them. */
  restored: string[];
};

/** More than this part of what is stored would change. */
const CHANGED_PART = 0.2;
/** One or two corrections are always sent, however few results there are. */
const FEWEST_CHANGES = 3;

export const changesMuch = ({ changed }: Verdict, { stored }: RaceState): boolean => {
  const count = changed.filter((bib) => stored.has(bib)).length;
  return count >= FEWEST_CHANGES && count > stored.size * CHANGED_PART;
};

/**
 * Compares a version of a file with what the API will hold. Changes nothing.
 * @param isByPerson whether a person sends the file: this overrides earlier decisions that hold no bib
 */
export function judgeVersion(
  state: RaceState,
  file: string,
  { results, unreadable, unfinished }: FileRows,
  isByPerson: boolean,
): Verdict {
  const verdict: Verdict = {
    ...{ added: [], changed: [], unchanged: 0, heldBack: [], disagreeing: [], vanished: [] },
    ...{ contested: [], older: new Set(), restored: [] },
  };
  const corrected = correctedGroups(state, results);
  for (const [bib, { line, text }] of results) {
    const said = state.said.get(bib);
    const isContested = said !== undefined && said.file !== file && said.text !== text;
    if (isContested && !isByPerson && state.older.get(file)?.get(bib) === text) {
      verdict.older.add(bib);
      continue;
    }
    if (isContested) verdict.contested.push({ bib, file: said.file });
    judgeRow(verdict, state, { bib, line, text, isByPerson }, corrected);
  }
  const mentioned = new Set([...unreadable, ...unfinished].map(({ bib }) => bib));
  for (const [bib, said] of state.said) {
    if (said.file === file && !results.has(bib) && !mentioned.has(bib)) verdict.vanished.push(bib);
  }
  return verdict;
}

type Row = { bib: string; line: number; text: string; isByPerson: boolean };

function judgeRow(
  verdict: Verdict,
  state: RaceState,
  { bib, line, text, isByPerson }: Row,
  corrected: ReadonlySet<string | null>,
): void {
  const decision = state.decisions.get(bib);
  if (decision?.isHeld) {
    const { text: held } = decision;
    if (held === null || held === text) verdict.unchanged += 1;
    else verdict.disagreeing.push({ bib, line, held, text });
    return;
  }
  const stands = decision !== undefined && !isByPerson && decision.over === text;
  if (stands && corrected.has(decision.group)) verdict.restored.push(bib);
  const newest = newestOf(state, bib);
  const isRejected = !isByPerson && state.rejected.get(bib)?.text === text;
  if ((stands && !corrected.has(decision.group)) || newest === text || isRejected) {
    verdict.unchanged += 1;
  } else if (newest === undefined) verdict.added.push(bib);
  else if (rowIn(newest).status === 'DSQ' && rowIn(text).status === 'FINISHED') {
    verdict.heldBack.push({ bib, line, text, stored: newest });
  } else verdict.changed.push(bib);
}

/** The `undo`s of which the file has at least one row with a new value. */
function correctedGroups(
  { decisions }: RaceState,
  results: FileRows['results'],
): Set<string | null> {
  const corrected = new Set<string | null>();
  for (const [bib, { group, over }] of decisions) {
    const found = group === null ? undefined : results.get(bib);
    if (found && found.text !== over) corrected.add(group);
  }
  return corrected;
}

/** Puts what a version says into the queue. @param isPassed whether rows that were held back are sent too */
export function takeVersion(
  state: RaceState,
  file: string,
  { results }: FileRows,
  verdict: Verdict,
  isPassed = false,
): void {
  const held = new Map(verdict.heldBack.map((one) => [one.bib, one]));
  const sent = new Set([...verdict.added, ...verdict.changed, ...(isPassed ? held.keys() : [])]);
  for (const [bib, { text }] of results) {
    if (verdict.older.has(bib)) continue;
    speakFor(state, bib, file, text);
    const back = isPassed ? undefined : held.get(bib);
    if (back) {
      state.heldBack.set(bib, { file, text, line: back.line, stored: back.stored });
      continue;
    }
    state.heldBack.delete(bib);
    const decision = state.decisions.get(bib);
    const isOver = sent.has(bib) || verdict.restored.includes(bib) || decision?.over !== text;
    if (decision && !decision.isHeld && isOver) state.decisions.delete(bib);
    if (sent.has(bib)) enqueue(state, bib, file, text);
  }
  for (const bib of verdict.vanished) {
    state.said.delete(bib);
    state.heldBack.delete(bib);
  }
}

/** Notes what a file says of a bib, and what another one said before. */
export function speakFor(state: RaceState, bib: string, file: string, text: string): void {
  const before = state.said.get(bib);
  if (before && before.file !== file && before.text !== text) {
    const older = state.older.get(before.file) ?? new Map<string, string>();
    state.older.set(before.file, older.set(bib, before.text));
  }
  state.older.get(file)?.delete(bib);
  state.said.set(bib, { file, text });
}

/** The newest row of a bib waits behind all others. */
export function enqueue(state: RaceState, bib: string, file: string, text: string): void {
  state.queue.delete(bib);
  state.queue.set(bib, { file, text });
  state.rejected.delete(bib);
}

/** Lets the files decide about a bib again. */
export function release(state: RaceState, bib: string): void {
  const said = state.heldBack.get(bib) ?? state.said.get(bib);
  state.decisions.delete(bib);
  state.heldBack.delete(bib);
  if (said && newestOf(state, bib) !== said.text) enqueue(state, bib, said.file, said.text);
}

/** A bib of which the API holds something else than was sent. */
export type Difference = { bib: string; sent: string; held: string | undefined };

/**
 * Takes over what the API holds. What it has lost waits again; what somebody else has changed is a decision.
 * @param group the batch that took results back on purpose; null if no such batch came
 */
export function reconcile(
  state: RaceState,
  held: ReadonlyMap<string, string>,
  group: string | null,
): { lost: string[]; differences: Difference[] } {
  const lost: string[] = [];
  const differences: Difference[] = [];
  for (const bib of new Set([...state.stored.keys(), ...held.keys()])) {
    const sent = state.stored.get(bib);
    const found = held.get(bib);
    if (sent === found) continue;
    if (found === undefined) state.stored.delete(bib);
    else state.stored.set(bib, found);
    if (sent === undefined || state.queue.has(bib) || state.flight?.rows.has(bib)) continue;
    const said = state.said.get(bib);
    const decided = state.decisions.get(bib);
    if (found === undefined && group === null) {
      enqueue(state, bib, said?.file ?? '', decided?.text ?? said?.text ?? sent);
      lost.push(bib);
      continue;
    }
    differences.push({ bib, sent, held: found });
    const isHeld = decided?.isHeld ?? false;
    const text = isHeld ? (decided?.text ?? null) : (found ?? null);
    state.decisions.set(bib, { text, over: said?.text ?? null, isHeld, group });
  }
  state.count = held.size;
  return { lost, differences };
}

/** Forgets what was taken back or changed by others: everything that the files say counts again. */
export function resend(state: RaceState): string[] {
  const bibs: string[] = [];
  for (const [bib, { file, text }] of state.said) {
    const decision = state.decisions.get(bib);
    if (decision?.isHeld || newestOf(state, bib) === text) continue;
    state.decisions.delete(bib);
    enqueue(state, bib, file, text);
    bibs.push(bib);
  }
  return bibs;
}
