import * as z from 'zod/mini';

const text = z.string();
const textOrNull = z.nullable(text);

/** A row of a file: a result or a passing, as its text. */
const Row = z.object({ file: text, text });
export type Row = z.infer<typeof Row>;

/** A decision of a person here, or a change by another writer of the event. */
export const Decision = z.object({
  /** Null if the API shall hold nothing. */
  text: textOrNull,
  /** The row of the files at that time. Another row decides again. */
  over: textOrNull,
  /** The name under which the text is sent. */
  file: text,
  /** No file changes it. */
  isHeld: z.boolean(),
  /** The batch that took results back together: a file that corrects one of them decides about all. */
  group: textOrNull,
  /** Whether somebody else decided, and nobody here has said what holds. */
  isOpen: z._default(z.boolean(), false),
});
type Decision = z.infer<typeof Decision>;

/** All that is known of one result or passing. Only `step` changes it. */
export const Known = z.object({
  /** The row of each file that has it. The row that changed last is the last one, and counts. */
  rows: z.readonly(z.array(Row)),
  /** Whether this row would change a stored result together with many others. A person lets it pass. */
  isDoubted: z.boolean(),
  /** The file that had it, and has it no longer. */
  goneFrom: textOrNull,
  /** The text that the API holds, by its answers and its last export. */
  stored: textOrNull,
  rejected: z.nullable(z.object({ text, reason: text, code: text })),
  decision: z.nullable(Decision),
});
export type Known = z.infer<typeof Known>;

export const NOTHING: Known = {
  rows: [],
  isDoubted: false,
  goneFrom: null,
  stored: null,
  rejected: null,
  decision: null,
};

export type Step =
  /** A file has this row, or a person sends it. */
  | { is: 'said'; file: string; text: string; isByPerson?: boolean }
  /** The file has no row of it any more. */
  | { is: 'gone'; file: string }
  | { is: 'doubted' }
  | { is: 'decided'; text: string; file: string; isHeld: boolean }
  /** The files decide again, also where they reinstate a runner. */
  | { is: 'released' }
  /** The stored result stays until the row in the files changes. */
  | { is: 'kept' }
  /** A person took it away from the API. */
  | { is: 'removed' }
  /** The API answered an upload of the text. */
  | { is: 'answered'; text: string; failed?: { reason: string; code: string } | undefined }
  /** The API holds this. `group` is the batch that took results away on purpose. */
  | { is: 'found'; held: string | null; group: string | null }
  /** The files count again, also after an undo. */
  | { is: 'resent' };

export function step(known: Known, change: Step): Known {
  switch (change.is) {
    case 'said':
      return said(known, change);
    case 'gone': {
      // A file that no longer has the row asks nobody about an upload that was taken back.
      const decision = known.decision?.isOpen || known.decision?.group ? null : known.decision;
      const left = { rows: [], isDoubted: false, rejected: null };
      return { ...known, ...left, goneFrom: change.file, decision };
    }
    case 'doubted':
      return { ...known, isDoubted: true };
    case 'decided':
      return decided(known, change.text, { file: change.file, isHeld: change.isHeld });
    case 'released': {
      const free = { ...known, isDoubted: false, rejected: null, decision: null };
      const row = saidOf(free);
      return row && isReinstated(free) ? decided(free, row.text, { file: row.file }) : free;
    }
    case 'kept':
      return decided(known, known.stored, { isHeld: known.decision?.isHeld === true });
    case 'removed':
      return { ...decided(known, null), stored: null };
    case 'answered': {
      const { text, failed } = change;
      if (failed) return { ...known, rejected: { text, ...failed } };
      return { ...known, rejected: null, stored: text };
    }
    case 'found':
      return found(known, change.held, change.group);
    case 'resent':
      return { ...known, isDoubted: false, rejected: null, decision: null };
  }
}

const decided = (known: Known, text: string | null, more: Partial<Decision> = {}): Known => ({
  ...known,
  isDoubted: false,
  goneFrom: null,
  rejected: null,
  decision: {
    text,
    over: saidOf(known)?.text ?? null,
    file: '',
    isHeld: false,
    group: null,
    isOpen: false,
    ...more,
  },
});

/** The newest rows that are kept, each of another file. Each export may be a new file. */
const FILES_KEPT = 3;

function said(
  known: Known,
  { file, text, isByPerson = false }: Extract<Step, { is: 'said' }>,
): Known {
  if (!isByPerson && isOlder(known, file, text)) return known;
  const others = known.rows.filter((row) => row.file !== file);
  const next: Known = {
    ...known,
    rows: [...others, { file, text }].slice(-FILES_KEPT),
    isDoubted: known.isDoubted && !isByPerson && saidOf(known)?.text === text,
    goneFrom: null,
    rejected: isByPerson ? null : known.rejected,
  };
  const { decision } = known;
  if (isByPerson && isReinstated(next)) return decided(next, text, { file });
  const stands = decision?.isHeld || (decision?.over === text && !isByPerson);
  return stands || isReinstated(next) ? next : { ...next, decision: null };
}

/** Whether another file changed its row later: this one says what it said before. */
export const isOlder = (known: Known, file: string, text: string): boolean => {
  const newest = saidOf(known);
  const own = known.rows.find((row) => row.file === file);
  return newest !== undefined && newest.text !== text && newest.file !== file && own?.text === text;
};

/** The API has lost it, somebody else changed it, or it was taken back. */
function found(known: Known, held: string | null, group: string | null): Known {
  if (held === known.stored) return known;
  const next = { ...known, stored: held };
  // A newer row that waits replaces it.
  if (known.stored === null || newestOf(known) !== known.stored) return next;
  if (held === null && group === null) {
    return wanted(next) ? next : decided(next, known.stored);
  }
  return decided(next, held, { isHeld: known.decision?.isHeld === true, group, isOpen: true });
}

/** The row of the files that counts. */
export const saidOf = ({ rows }: Known): Row | undefined => rows.at(-1);

const isDsq = (text: string | null): boolean => text?.includes('"status":"DSQ"') === true;
const isFinisher = (text: string): boolean => text.includes('"status":"FINISHED"');

/** Whether a file would make a finisher of a disqualified runner. A person has to say so. */
function isReinstated(known: Known): boolean {
  const row = saidOf(known);
  const { decision, stored } = known;
  if (!row || decision?.isHeld || decision?.over === row.text) return false;
  return isFinisher(row.text) && isDsq(decision ? decision.text : stored);
}

/** Why the row of the files waits for a person. */
export const heldBackOf = (known: Known): 'dsq' | 'many_changes' | undefined =>
  isReinstated(known) ? 'dsq' : known.isDoubted && !known.decision ? 'many_changes' : undefined;

/** The row to store: the one that a person decided, or that of the files. */
function wanted(known: Known): Row | undefined {
  const { decision } = known;
  if (!decision) return heldBackOf(known) ? undefined : saidOf(known);
  return decision.text === null ? undefined : { file: decision.file, text: decision.text };
}

/** The row that has to be sent, or whose answer has not arrived. */
export function waitingOf(known: Known): Row | undefined {
  const row = wanted(known);
  const isDone = row?.text === known.stored || row?.text === known.rejected?.text;
  return isDone ? undefined : row;
}

/** The text that is stored once everything that waits is sent. */
export const newestOf = (known: Known): string | null => waitingOf(known)?.text ?? known.stored;

/** A result that is stored although no file has it, and nobody has decided about it. */
export const isUnfiled = ({ goneFrom, stored, decision }: Known): boolean =>
  goneFrom !== null && stored !== null && decision === null;

/** A result that somebody else changed or took back: nobody here has said what holds. */
export const isDisputed = ({ decision }: Known): boolean => decision?.isOpen === true;
