import type { ReadFile } from '../files/reading.ts';
import { isHeldBack, newestOf, type RaceState, saidOf, wanted } from './state.ts';

/** The fate of a row: `held` and `held_back` are not sent. */
type Kind = 'new' | 'changed' | 'unchanged' | 'held' | 'held_back';

/** The changes that a version of a file makes. */
export type Verdict = {
  /** The state if the version counts. */
  next: RaceState;
  /** The rows that count, in the order of the file. */
  rows: { bib: string; line: number; text: string; kind: Kind }[];
  /** Bibs that the file had, and has no longer. What is stored of them stays. */
  vanished: string[];
  /** Bibs of which another file says something older, and that file. */
  contested: { bib: string; file: string }[];
  /** Bibs that were taken back, and count again because the file corrects others of them. */
  restored: string[];
};

export const bibsOf = ({ rows }: Verdict, ...kinds: Kind[]): string[] =>
  rows.filter(({ kind }) => kinds.includes(kind)).map(({ bib }) => bib);

/** More than this part of what is stored would change. */
const CHANGED_PART = 0.2;
/** One or two corrections are always sent, however few results there are. */
const FEWEST_CHANGES = 3;

/** @returns how many stored results would change, if they are many at once */
export function manyChanges(verdict: Verdict, { stored }: RaceState): number | undefined {
  const count = bibsOf(verdict, 'changed').filter((bib) => stored.has(bib)).length;
  return count >= FEWEST_CHANGES && count > stored.size * CHANGED_PART ? count : undefined;
}

/**
 * Decides what a version of a file changes. Leaves the given state as it is.
 * @param isByPerson whether a person sends the file: this overrides earlier decisions that hold no bib
 * @param isPartial whether rows that are missing say nothing
 */
export function judgeVersion(
  before: RaceState,
  file: string,
  { results, unreadable, unfinished }: ReadFile,
  { isByPerson = false, isPartial = false } = {},
): Verdict {
  const next: RaceState = {
    ...before,
    claims: new Map(before.claims),
    decisions: new Map(before.decisions),
    rejected: isByPerson ? new Map() : before.rejected,
  };
  const verdict: Verdict = { next, rows: [], vanished: [], contested: [], restored: [] };
  takeRows(verdict, before, file, results, isByPerson);
  for (const [bib, row] of results) {
    const isNewest = saidOf(next, bib)?.text === row.text;
    if (isNewest) verdict.rows.push({ bib, ...row, kind: kindOf(before, next, bib, row.text) });
  }
  if (isPartial) return verdict;
  const mentioned = new Set([...unreadable, ...unfinished].map(({ bib }) => bib));
  for (const bib of before.claims.keys()) {
    if (saidOf(before, bib)?.file !== file || results.has(bib) || mentioned.has(bib)) continue;
    verdict.vanished.push(bib);
    next.claims.delete(bib);
  }
  return verdict;
}

function kindOf(before: RaceState, next: RaceState, bib: string, text: string): Kind {
  const decision = next.decisions.get(bib);
  if (decision?.isHeld && decision.text !== null && decision.text !== text) return 'held';
  if (isHeldBack(next, bib)) return 'held_back';
  const known = newestOf(before, bib);
  if (newestOf(next, bib) === known) return 'unchanged';
  return known === undefined ? 'new' : 'changed';
}

/** Notes what the file says, and ends the decisions that it overrides. */
function takeRows(
  { next, contested, restored }: Verdict,
  before: RaceState,
  file: string,
  results: ReadFile['results'],
  isByPerson: boolean,
): void {
  const corrected = new Set<string | null>();
  for (const [bib, { text }] of results) {
    const said = saidOf(before, bib);
    if (said && said.file !== file && said.text !== text) {
      // The other file changed its row later.
      const own = before.claims.get(bib)?.find((row) => row.file === file);
      if (!isByPerson && own?.text === text) continue;
      contested.push({ bib, file: said.file });
    }
    speakFor(next, bib, file, text);
    const decision = next.decisions.get(bib);
    if (!decision || decision.isHeld || (decision.over === text && !isByPerson)) continue;
    corrected.add(decision.group);
    if (!isHeldBack(next, bib)) next.decisions.delete(bib);
  }
  for (const [bib, { group, isHeld }] of next.decisions) {
    if (group === null || isHeld || !corrected.has(group)) continue;
    next.decisions.delete(bib);
    restored.push(bib);
  }
}

/** The newest rows of a bib that are kept, each of another file. Each export may be a new file. */
const FILES_PER_BIB = 3;

/** Notes the row of a bib in a file. The rows of other files are older. */
export function speakFor(state: RaceState, bib: string, file: string, text: string): void {
  const others = (state.claims.get(bib) ?? []).filter((row) => row.file !== file);
  state.claims.set(bib, [...others, { file, text }].slice(-FILES_PER_BIB));
}

/** Decides about a bib until its row in the files changes. @param text null if nothing shall be sent */
export function decide(
  state: RaceState,
  bib: string,
  text: string | null,
  { file = '', isHeld = false, group = null as string | null },
): void {
  const over = saidOf(state, bib)?.text ?? null;
  state.decisions.set(bib, { text, over, file, isHeld, group });
}

/** Lets the files decide about a bib again, also where they reinstate a runner. */
export function release(state: RaceState, bib: string): void {
  const said = saidOf(state, bib);
  if (said) decide(state, bib, said.text, said);
  else state.decisions.delete(bib);
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
    // A newer row that waits replaces it.
    const isReplaced = newestOf(state, bib) !== sent;
    if (found === undefined) state.stored.delete(bib);
    else state.stored.set(bib, found);
    if (sent === undefined || isReplaced) continue;
    if (found === undefined && group === null) {
      if (!wanted(state, bib)) decide(state, bib, sent, {});
      lost.push(bib);
      continue;
    }
    differences.push({ bib, sent, held: found });
    const isHeld = state.decisions.get(bib)?.isHeld ?? false;
    decide(state, bib, found ?? null, { isHeld, group });
  }
  state.count = held.size;
  return { lost, differences };
}

/** Forgets what was taken back or changed by others: everything that the files say counts again. */
export function resend(state: RaceState): string[] {
  const bibs: string[] = [];
  for (const bib of state.claims.keys()) {
    const isHeld = state.decisions.get(bib)?.isHeld;
    if (isHeld || newestOf(state, bib) === saidOf(state, bib)?.text) continue;
    state.decisions.delete(bib);
    state.rejected.delete(bib);
    bibs.push(bib);
  }
  return bibs;
}
