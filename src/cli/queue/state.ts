import { join } from 'node:path';
import * as z from 'zod/mini';
import { Reading } from '../files/race-file.ts';
import { readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';
import { bibOf, isHeldAs, pointOf } from './item.ts';
import {
  Decision,
  decisionOf,
  isDisputed,
  isHeld,
  isHeldBack,
  isUnfiled,
  Known,
  NOTHING,
  type Row,
  type Step,
  saidOf,
  step,
  waitingOf,
} from './record.ts';

const text = z.string();
const textOrNull = z.nullable(text);

/** By name, in the order of being added. JSON has it as a list of pairs. */
const byName = <Value>(schema: z.ZodMiniType<Value>) =>
  z.pipe(
    z.array(z.tuple([text, schema])),
    z.transform((pairs) => new Map<string, Value>(pairs)),
  );

/** A row that makes no result. */
const UnreadableRow = z.object({ line: z.int(), bib: textOrNull, reason: text, code: text });
export type UnreadableRow = z.infer<typeof UnreadableRow>;

const Source = z.object({
  /** Tells two versions of the file apart. */
  mark: text,
  header: z.array(text),
  /** The point of the course that the file is of; null if it has results. */
  point: textOrNull,
  rows: z.int(),
  /** Runners of the file who have no result yet. */
  onCourse: z.int(),
  readAt: text,
  /** Whether the API or a person has looked at rows of it. */
  isChecked: z.boolean(),
  /** Whether a person has said that its times fit the distances. */
  isTrusted: z.boolean(),
  unreadable: z.array(UnreadableRow),
});

/** A version of a file that is not sent: in a few words, and in sentences. */
const Stop = z.object({
  short: text,
  text,
  /** The answers that the page offers. The command does not read a file that has no results. */
  answer: z.enum(['right', 'point_or_finish', 'no_results', 'list', 'list_shorter', 'none']),
  /** The command keeps this of the file when a person says that it is right. */
  reading: z.optional(Reading),
});
export type Stop = z.infer<typeof Stop>;

const State = z.object({
  event: text,
  /** By bib, or by bib and point. */
  known: byName(Known),
  /** Whether an upload was sent whose answer has not arrived: the API may hold its rows. */
  isUnanswered: z.boolean(),
  sources: byName(Source),
  /** By file. */
  stops: byName(Stop),
  /** Files that cannot be read, and that have no results, and lists that may be shorter, as a person said. */
  ignored: z.array(text),
  /** Rejected rows that a person has seen. */
  seen: z.array(text),
  /** The newest batch of the event, the newest that a person made, and the results, as this folder knows them. */
  lastBatch: textOrNull,
  lastHand: textOrNull,
  count: z.nullable(z.int()),
  lastSuccessAt: textOrNull,
  /** Why the API's export has to be compared. */
  compare: z.nullable(z.object({ isResend: z.boolean() })),
});
export type RaceState = z.infer<typeof State>;

export const NO_CAUSE = { isResend: false };

/** An empty state compares with the export first: somebody may have sent results before. */
export const newState = (event: string): RaceState => ({
  event,
  known: new Map(),
  isUnanswered: false,
  sources: new Map(),
  stops: new Map(),
  ignored: [],
  seen: [],
  lastBatch: null,
  lastHand: null,
  count: null,
  lastSuccessAt: null,
  compare: NO_CAUSE,
});

type Records = Pick<RaceState, 'known'>;

export const knownOf = ({ known }: Records, key: string): Known => known.get(key) ?? NOTHING;

export function take(state: Records, key: string, change: Step): Known {
  const next = step(knownOf(state, key), change);
  state.known.set(key, next);
  return next;
}

/** The rows that have to be sent. */
export function queueOf({ known }: RaceState): Map<string, Row> {
  const queue = new Map<string, Row>();
  for (const [key, one] of known) {
    const row = waitingOf(one);
    if (row) queue.set(key, row);
  }
  return queue;
}

/**
 * Takes over what the API holds. What it has lost waits again; what somebody else has changed is a question.
 * @param texts all results, and the passings of the points of this folder
 * @param points whose passings complete the splits of results
 * @returns the keys of what it has lost
 */
export function reconcile(
  state: RaceState,
  texts: ReadonlyMap<string, string>,
  points: readonly string[] = [],
): string[] {
  const lost: string[] = [];
  for (const key of new Set([...state.known.keys(), ...texts.keys()])) {
    // Another laptop has sent this passing.
    if (pointOf(key) !== undefined && !state.known.has(key)) continue;
    const { stored: sent } = knownOf(state, key);
    const held = texts.get(key) ?? null;
    const isSame =
      sent === held || (sent !== null && held !== null && isHeldAs(held, sent, points));
    if (isSame) continue;
    const next = take(state, key, { is: 'found', held });
    if (sent !== null && held === null && waitingOf(next)) lost.push(key);
  }
  return lost;
}

/**
 * Lets what the watched files say count again, where somebody took it back or changed it, also if a person kept that. A
 * result that a person set stays.
 */
export function resend(state: RaceState, watched: ReadonlySet<string>): void {
  for (const [key, known] of state.known) {
    const isSet = known.isByHand && known.stored !== null;
    const isKept = decisionOf(known) && !isHeld(known) && !isSet;
    const isOpen = isDisputed(known) || isKept;
    if (!isOpen || waitingOf(known) || !watched.has(saidOf(known)?.file ?? '')) continue;
    take(state, key, { is: 'released' });
  }
}

/** A rejected row: `line` of a file, or `bib` of the API's answer. */
type Rejected = Omit<UnreadableRow, 'line'> & { line: number | null; file: string };

export const markOfRejected = ({ file, line, bib, code }: Rejected): string =>
  [file, bib ?? line, code].join(' ');

/** Counts and lists of a state, for people. They look at every row. */
export function tally(state: RaceState) {
  const all = [...state.known];
  const said = all.filter(([, { rows }]) => rows.length > 0);
  const isStored = (known: Known) => known.stored === saidOf(known)?.text;
  const keysWith = (has: (known: Known, key: string) => unknown) =>
    all.flatMap(([key, known]) => (has(known, key) ? [key] : []));
  /** By file, the rows that count: stored, and waiting. */
  const files = new Map([...state.sources.keys()].map((file) => [file, { stored: 0, waiting: 0 }]));
  for (const [, known] of said) {
    const file = files.get(saidOf(known)?.file ?? '');
    if (file && isStored(known)) file.stored += 1;
    if (file && waitingOf(known)) file.waiting += 1;
  }
  const sum = (count: 'rows' | 'onCourse') =>
    [...state.sources.values()].reduce((total, source) => total + source[count], 0);
  const rejected = rejectedIn(state);
  const seen = new Set(state.seen);
  return {
    files,
    rows: sum('rows'),
    onCourse: sum('onCourse'),
    /** Rows of the files that count, those that the API holds as they are, and those that a decision replaces. */
    results: said.length,
    stored: said.filter(([, known]) => isStored(known)).length,
    decided: said.filter(([, known]) => decisionOf(known) && !isStored(known)).length,
    queue: keysWith(waitingOf).length,
    heldBack: keysWith(isHeldBack),
    held: keysWith(isHeld),
    /** Results that somebody else changed, or that were taken back. */
    disputed: keysWith(isDisputed),
    unfiled: keysWith((known, key) => pointOf(key) === undefined && isUnfiled(known)),
    rejected,
    unseen: rejected.filter((row) => !seen.has(markOfRejected(row))),
  };
}

const rejectedIn = (state: RaceState): Rejected[] => [
  ...[...state.known].flatMap(([key, known]): Rejected[] => {
    if (!known.rejected) return [];
    const { reason, code } = known.rejected;
    return [{ line: null, bib: bibOf(key), reason, code, file: saidOf(known)?.file ?? '' }];
  }),
  ...[...state.sources].flatMap(([file, { unreadable }]) =>
    undecided(state, unreadable).map((row) => ({ ...row, file })),
  ),
];
export type Tally = ReturnType<typeof tally>;

/** A person may have decided about the bib of a row that makes no result. */
export const undecided = (state: RaceState, rows: UnreadableRow[]): UnreadableRow[] =>
  rows.filter(({ bib }) => bib === null || !decisionOf(knownOf(state, bib.trim())));

const STATE_FILE = 'state.json';
/** Decisions of people are in no results file. */
const DECISIONS_FILE = 'decisions.json';

const mapsAsPairs = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);

const write = (folder: string, name: string, value: unknown): Promise<void> =>
  replaceOwn(join(folder, name), sealed(JSON.stringify(value, mapsAsPairs)));

const decisionsOf = ({ known }: RaceState) =>
  [...known].flatMap(([key, one]) => {
    const decision = decisionOf(one);
    return decision ? [[key, decision] as const] : [];
  });

export async function saveState(folder: string, state: RaceState): Promise<void> {
  await write(folder, DECISIONS_FILE, decisionsOf(state));
  await write(folder, STATE_FILE, state);
}

/** @returns what was lost, as sentences, beside the state */
export async function loadState(
  folder: string,
  event: string,
): Promise<{ state: RaceState; lost: string[] }> {
  const lost: string[] = [];
  const read = async <Schema extends z.core.$ZodType>(name: string, schema: Schema) => {
    const found = await readOwn(join(folder, name));
    if (found === undefined) return undefined;
    const parsed = z.safeParse(schema, unsealed(found));
    if (!parsed.success) lost.push(name);
    return parsed.data;
  };
  const found = await read(STATE_FILE, State);
  const decisions = await read(DECISIONS_FILE, byName(Decision));
  const state = found ?? newState(event);
  // Both files have the decisions: one of them may be lost.
  for (const [key, decision] of decisions ?? []) {
    state.known.set(key, { ...knownOf(state, key), standing: decision });
  }
  const count = decisionsOf(state).length;
  const sentences = lost.map((name) => {
    if (name === STATE_FILE) return say('state_damaged', { count });
    return found ? say('decisions_damaged', { count }) : say('decisions_lost');
  });
  return { state, lost: sentences };
}
