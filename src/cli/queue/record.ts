import * as z from 'zod/mini';

const text = z.string();
const textOrNull = z.nullable(text);

/** A row of a file: a result or a passing, as its text. */
const Row = z.object({ file: text, text });
export type Row = z.infer<typeof Row>;

/** Why the row of the files waits for a person, in the order in which people are asked. */
export const Why = z.enum([
  'dsq',
  'by_hand',
  'second_finish',
  'impossible',
  'many_changes',
  'taken_back',
  'changed',
]);
export type Why = z.infer<typeof Why>;
/** Others did this to a row that was stored. */
const OF_OTHERS = new Set<Why | undefined>(['changed', 'taken_back']);
/** The facts answer these. The others stay until the row changes. */
const DERIVED = new Set<Why>(['dsq', 'by_hand', 'second_finish', 'taken_back']);

/** A decision of a person here. */
export const Decision = z.object({
  is: z._default(z.literal('decided'), 'decided'),
  /** Null if the API shall hold nothing. */
  text: textOrNull,
  /** The row of the files at that time. Another row decides again. */
  over: textOrNull,
  /** The name under which the text is sent. */
  file: text,
  /** No file changes it. */
  isHeld: z.boolean(),
});
type Decision = z.infer<typeof Decision>;

/** Who decides about a result or passing. */
const Standing = z.union([
  /** No file has it: what the API holds is not of this folder. */
  z.object({ is: z.literal('unsaid') }),
  /** The row of the files counts. */
  z.object({ is: z.literal('said') }),
  /** The row of the files waits for a person, and what is stored stays. `isHeld` is of the decision before. */
  z.object({ is: z.literal('asked'), why: Why, isHeld: z.boolean() }),
  /** The file that had it has it no longer. */
  z.object({ is: z.literal('gone'), from: text }),
  Decision,
]);
type Standing = z.infer<typeof Standing>;

/** All that is known of one result or passing. Only `step` changes it. */
export const Known = z.object({
  standing: Standing,
  /** The row of each file that has it. The row that changed last is the last one, and counts. */
  rows: z.readonly(z.array(Row)),
  /** The text that the API holds, by its answers and its last export. */
  stored: textOrNull,
  /** Whether a person decided the stored text. */
  isByHand: z.boolean(),
  /** The row that a person let pass. Another row is asked about again. */
  passed: textOrNull,
  /** What a person took away from the API: by a revert of a batch of this file, or whatever file says it. */
  taken: z.nullable(z.object({ text, file: textOrNull, batch: text })),
  rejected: z.nullable(z.object({ text, reason: text, code: text })),
});
export type Known = z.infer<typeof Known>;

export const NOTHING: Known = {
  standing: { is: 'unsaid' },
  rows: [],
  stored: null,
  isByHand: false,
  passed: null,
  taken: null,
  rejected: null,
};

/** What a batch of a person put in the place of a result, here or elsewhere. A revert is of a batch of `file`. */
type Handed = {
  before: string | null;
  after: string | null;
  file: string | null;
  batch: string;
  isRevert: boolean;
  /** The files that are watched here. */
  watched: ReadonlySet<string>;
};

export type Step =
  /** A file has this row, or a person sends it. */
  | { is: 'said'; file: string; text: string; isByPerson?: boolean }
  /** The file has no row of it any more. */
  | { is: 'gone'; file: string }
  | { is: 'doubted'; why: Why }
  | { is: 'decided'; text: string; file: string; isHeld: boolean }
  /** The row of the files counts, whatever spoke against it. */
  | { is: 'released' }
  /** The stored result stays until the row in the files changes. */
  | { is: 'kept' }
  /** A person took it away from the API. */
  | { is: 'removed' }
  /** The API answered an upload of the text. */
  | { is: 'answered'; text: string; failed?: { reason: string; code: string } | undefined }
  /** The API holds this. */
  | { is: 'found'; held: string | null }
  | ({ is: 'handed' } & Handed)
  /** A file says something else than what was taken back of it: its rows count again. */
  | { is: 'forgiven' };

type Of<Union extends { is: string }, Name> = Extract<Union, { is: Name }>;
type Moves<Now> = {
  [Is in Step['is']]: (known: Known, change: Of<Step, Is>, now: Now) => Known;
};

/** What a step does where the state says nothing else. */
const ALWAYS: Moves<unknown> = {
  said: (known, change) => filed(withRow(known, change)),
  gone: (known, { file }) => ({ ...withoutRows(known), standing: { is: 'gone', from: file } }),
  doubted: (known, { why }) => asked(known, why),
  decided: (known, { text, file, isHeld }) => decided(known, { text, file, isHeld }),
  released: (known) =>
    filed({ ...known, passed: saidOf(known)?.text ?? null, taken: null, rejected: null }),
  kept: (known) => decided(known, { text: known.stored, isHeld: isHeld(known) }),
  removed: (known) => ({ ...decided(known, {}), stored: null }),
  answered: (known, { text, failed }) =>
    failed
      ? { ...known, rejected: { text, ...failed } }
      : { ...known, stored: text, isByHand: false, taken: null, rejected: null },
  found: (known, change) => filed(holding(known, change)),
  handed: (known, change) => filed(handed(known, change)),
  forgiven: (known) => filed({ ...known, taken: null }),
};

const TABLE: { [Is in Standing['is']]: Moves<Of<Standing, Is>> } = {
  unsaid: ALWAYS,
  said: {
    ...ALWAYS,
    // What was stored as the file says it is something else now. What is lost is sent again.
    found(known, change) {
      const wasStored = known.stored !== null && newestOf(known) === known.stored;
      const next = holding(known, change);
      return wasStored && change.held !== null ? differing(next) : filed(next);
    },
  },
  asked: {
    ...ALWAYS,
    said(known, change, { isHeld }) {
      const isSame = saidOf(known)?.text === change.text && !change.isByPerson;
      const next = withRow(known, change);
      return isSame || isHeld ? next : filed(next);
    },
    gone: (known, change, now) =>
      now.isHeld ? withoutRows(known) : ALWAYS.gone(known, change, now),
    doubted: (known) => known,
    found: (known, change, now) => stillAsked(holding(known, change), now),
    handed: (known, change, now) => stillAsked(handed(known, change), now),
  },
  gone: {
    ...ALWAYS,
    found: (known, change) => holding(known, change),
    handed: (known, change) => handed(known, change),
    forgiven: (known) => ({ ...known, taken: null }),
  },
  decided: {
    ...ALWAYS,
    said(known, change, { isHeld, over }) {
      const next = withRow(known, change);
      return isHeld || (over === change.text && !change.isByPerson) ? next : filed(next);
    },
    gone: withoutRows,
    doubted: (known) => known,
    answered(known, change, now) {
      const next = ALWAYS.answered(known, change, now);
      return { ...next, isByHand: next.stored === now.text };
    },
    found: (known, change, now) => contested(known, holding(known, change), now),
    handed(known, change, now) {
      const next = handed(known, change);
      const isTakenBack = change.before === now.text && change.after !== now.text;
      if (!isTakenBack) return contested(known, next, now);
      return now.isHeld ? decided(next, { text: change.after, isHeld: true }) : filed(next);
    },
    forgiven: (known) => ({ ...known, taken: null }),
  },
};

export function step(known: Known, change: Step): Known {
  const isPast = change.is === 'said' && !change.isByPerson;
  if (isPast && isOlder(known, change.file, change.text)) return known;
  const { standing } = known;
  // The compiler does not see that the moves of a state get that state.
  const move = TABLE[standing.is][change.is] as (
    ...of: [known: Known, change: Step, now: Standing]
  ) => Known;
  return move(known, change, standing);
}

/** The newest rows that are kept, each of another file. Each export may be a new file. */
const FILES_KEPT = 3;

function withRow(known: Known, { file, text, isByPerson }: Of<Step, 'said'>): Known {
  const others = known.rows.filter((row) => row.file !== file);
  const next = { ...known, rows: [...others, { file, text }].slice(-FILES_KEPT) };
  return isByPerson ? { ...next, passed: text, rejected: null } : next;
}

/** A row that was taken back in a file, and that the file lost, is a new one if it comes again. */
function withoutRows(known: Known): Known {
  const taken = known.taken?.file ? null : known.taken;
  return { ...known, rows: [], rejected: null, taken };
}

const holding = (known: Known, { held }: Of<Step, 'found'>): Known => ({
  ...known,
  stored: held,
  isByHand: known.isByHand && held === known.stored,
});

/** The rows of a file that nobody watches leave with their batch. */
function handed(known: Known, change: Handed): Known {
  const { before, after, file, batch, isRevert, watched } = change;
  const rows = known.rows.filter((row) => row.text !== before || watched.has(row.file));
  const isTaken = before !== null && before !== after;
  const taken = isTaken ? { text: before, file, batch } : known.taken;
  return { ...known, rows, stored: after, isByHand: !isRevert, taken };
}

/** A bib about which nobody has decided here. */
function filed(known: Known): Known {
  const row = saidOf(known);
  const why = row && doubtOf(known, row);
  return why ? asked(known, why) : { ...known, standing: { is: row ? 'said' : 'unsaid' } };
}

/** Why a row must not replace what is stored. */
function doubtOf({ stored, isByHand, passed, taken }: Known, { file, text }: Row): Why | undefined {
  if (text === stored || text === passed) return undefined;
  if (isDsq(stored) && isFinisher(text)) return 'dsq';
  if (isByHand && stored !== null) return 'by_hand';
  if (isMuchLater(stored, text)) return 'second_finish';
  const isTaken = taken?.text === text && (taken.file === null || taken.file === nameOf(file));
  return isTaken ? 'taken_back' : undefined;
}

const asked = (known: Known, why: Why, isHeld = false): Known => ({
  ...known,
  standing: { is: 'asked', why, isHeld },
});

const decided = (known: Known, more: Partial<Decision>): Known => {
  const over = saidOf(known)?.text ?? null;
  const standing = { is: 'decided', text: null, over, file: '', isHeld: false, ...more } as const;
  return { ...known, rejected: null, standing };
};

/** Somebody else replaced what was stored as it shall be. */
function differing(known: Known, isHeld = false): Known {
  const next = filed(known);
  return next.standing.is === 'said' || isHeld ? asked(known, 'changed', isHeld) : next;
}

/** Some questions stay open until the API holds what the files say. */
function stillAsked(known: Known, { why, isHeld }: Of<Standing, 'asked'>): Known {
  const isOpen = isHeld || (!DERIVED.has(why) && saidOf(known)?.text !== known.stored);
  return isOpen ? known : filed(known);
}

/** The API may hold something else than what was decided. What is lost is sent again. */
function contested(before: Known, known: Known, { text, isHeld }: Of<Standing, 'decided'>): Known {
  const isAsBefore = known.stored === text || before.stored !== text;
  return isAsBefore || known.stored === null ? known : differing(known, isHeld);
}

/** A name without its folder, as the API has it. */
export const nameOf = (file: string): string => file.split(/[\\/]/).at(-1) ?? file;

/** Whether another file changed its row later: this one says what it said before. */
export const isOlder = (known: Known, file: string, text: string): boolean => {
  const newest = saidOf(known);
  const own = known.rows.find((row) => row.file === file);
  return newest !== undefined && newest.text !== text && newest.file !== file && own?.text === text;
};

/** The row of the files that counts. */
export const saidOf = ({ rows }: Known): Row | undefined => rows.at(-1);

/** A finish of so many times the stored one is a second walk over the mat. */
const SECOND_FINISH = 1.5;

/** A JSON text is read only where it can be a finish. */
export function finishSeconds(text: string): number | undefined {
  if (!isFinisher(text)) return undefined;
  const [, time] = /"chip_time":"([^"]+)"/.exec(text) ?? /"gun_time":"([^"]+)"/.exec(text) ?? [];
  return time?.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

function isMuchLater(stored: string | null, text: string): boolean {
  const before = finishSeconds(stored ?? '');
  const now = finishSeconds(text);
  return before !== undefined && now !== undefined && now >= before * SECOND_FINISH;
}

const isDsq = (text: string | null): boolean => text?.includes('"status":"DSQ"') === true;
const isFinisher = (text: string): boolean => text.includes('"status":"FINISHED"');

/** The row to store: the one that a person decided, or that of the files. */
function wanted(known: Known): Row | undefined {
  const { standing } = known;
  if (standing.is === 'said') return saidOf(known);
  if (standing.is !== 'decided' || standing.text === null) return undefined;
  return { file: standing.file, text: standing.text };
}

/** The row that has to be sent, or whose answer has not arrived. */
export function waitingOf(known: Known): Row | undefined {
  const row = wanted(known);
  const isDone = row?.text === known.stored || row?.text === known.rejected?.text;
  return isDone ? undefined : row;
}

/** The text that is stored once everything that waits is sent. */
export const newestOf = (known: Known): string | null => waitingOf(known)?.text ?? known.stored;

/** Why the row of the files waits for a person. */
export const whyAsked = ({ standing }: Known): Why | undefined =>
  standing.is === 'asked' ? standing.why : undefined;

/** A result that somebody else changed or took back: nobody here has said what holds. */
export const isDisputed = (known: Known): boolean => OF_OTHERS.has(whyAsked(known));

/** A row that waits for a person for another reason. */
export const isHeldBack = (known: Known): boolean =>
  whyAsked(known) !== undefined && !isDisputed(known);

/** No file changes it. */
export const isHeld = ({ standing }: Known): boolean => 'isHeld' in standing && standing.isHeld;

/** The decision about it, if there is one. */
export const decisionOf = ({ standing }: Known): Decision | undefined =>
  standing.is === 'decided' ? standing : undefined;

/** A result that is stored although no file has it, and nobody has decided about it. */
export const isUnfiled = ({ standing, stored }: Known): boolean =>
  standing.is === 'gone' && stored !== null;
