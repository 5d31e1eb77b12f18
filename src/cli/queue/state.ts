import { join } from 'node:path';
import * as z from 'zod/mini';
import { readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';

const text = z.string();

/** By name, in the order of being added. JSON has it as a list of pairs. */
const byName = <Value>(schema: z.ZodMiniType<Value>) =>
  z.pipe(
    z.array(z.tuple([text, schema])),
    z.transform((pairs) => new Map<string, Value>(pairs)),
  );

/** A row that makes no result. */
const UnreadableRow = z.object({
  line: z.int(),
  bib: z.nullable(text),
  reason: text,
  code: text,
});
export type UnreadableRow = z.infer<typeof UnreadableRow>;

/** A decision about a bib, by a person here or by another writer of the event. */
const Decision = z.object({
  /** The result; null if there shall be none. */
  text: z.nullable(text),
  /** The value in the files at that time. Another value in a file decides again. */
  over: z.nullable(text),
  /** The name under which the result is sent. */
  file: text,
  /** No file changes the bib. */
  isHeld: z.boolean(),
  /** The decisions that one `undo` made: a file that corrects one of their rows decides about all. */
  group: z.nullable(text),
});

const Source = z.object({
  /** Tells two versions of the file apart. */
  mark: text,
  header: z.array(text),
  rows: z.int(),
  readAt: text,
  unreadable: z.array(UnreadableRow),
  /** The rows that its file of rejected rows has. */
  rejectedDigest: z.optional(text),
});

const Row = z.object({ file: text, text });
type Row = z.infer<typeof Row>;

const State = z.object({
  event: text,
  /** The results that the API holds, by its answers and its last export. */
  stored: byName(text),
  /** Whether an upload was sent whose answer has not arrived: the API may hold its rows. */
  isUnanswered: z.boolean(),
  rejected: byName(z.object({ text, reason: text, code: text })),
  /** By bib, the row of each file that has it. The row that changed last is the last one, and counts. */
  claims: byName(z.array(Row)),
  sources: byName(Source),
  decisions: byName(Decision),
  /** Headers that may be read with a query, because a preview or a person said so. */
  accepted: z.array(text),
  /** The newest batch of the event, and its results, as this folder knows them. */
  lastBatch: z.nullable(text),
  count: z.nullable(z.int()),
  lastSuccessAt: z.nullable(text),
  /** Why the API's export has to be compared. */
  compare: z.nullable(z.object({ group: z.nullable(text), isResend: z.boolean() })),
});
export type RaceState = z.infer<typeof State>;

export const NO_CAUSE = { group: null, isResend: false };

/** An empty state compares with the export first: somebody may have sent results before. */
export const newState = (event: string): RaceState => ({
  event,
  stored: new Map(),
  isUnanswered: false,
  rejected: new Map(),
  claims: new Map(),
  sources: new Map(),
  decisions: new Map(),
  accepted: [],
  lastBatch: null,
  count: null,
  lastSuccessAt: null,
  compare: NO_CAUSE,
});

/** The row of the files that counts. */
export const saidOf = ({ claims }: RaceState, bib: string): Row | undefined =>
  claims.get(bib)?.at(-1);

const isDsq = (result: string | null | undefined): boolean =>
  result?.includes('"status":"DSQ"') === true;
const isFinisher = (result: string): boolean => result.includes('"status":"FINISHED"');

/** Whether a file would make a finisher of a disqualified runner. A person has to say so. */
export function isHeldBack(state: RaceState, bib: string): boolean {
  const said = saidOf(state, bib);
  const decision = state.decisions.get(bib);
  if (!said || decision?.isHeld || decision?.over === said.text) return false;
  return isFinisher(said.text) && isDsq(decision ? decision.text : state.stored.get(bib));
}

/** The row that the API shall hold of a bib: what was decided, or what the files say. */
export function wanted(state: RaceState, bib: string): Row | undefined {
  const decision = state.decisions.get(bib);
  if (!decision) return isHeldBack(state, bib) ? undefined : saidOf(state, bib);
  return decision.text === null ? undefined : { file: decision.file, text: decision.text };
}

/** Whether a row of the bib has to be sent, or its answer has not arrived. */
const isQueued = (state: RaceState, bib: string, row: Row | undefined): row is Row =>
  row !== undefined &&
  state.stored.get(bib) !== row.text &&
  state.rejected.get(bib)?.text !== row.text;

export const isWaiting = (state: RaceState, bib: string): boolean =>
  isQueued(state, bib, wanted(state, bib));

/** The rows that have to be sent, by bib. */
export function queueOf(state: RaceState): Map<string, Row> {
  const queue = new Map<string, Row>();
  for (const bib of new Set([...state.claims.keys(), ...state.decisions.keys()])) {
    const row = wanted(state, bib);
    if (isQueued(state, bib, row)) queue.set(bib, row);
  }
  return queue;
}

/** The result that the API will hold when the queue is empty. */
export const newestOf = (state: RaceState, bib: string): string | undefined =>
  isWaiting(state, bib) ? wanted(state, bib)?.text : state.stored.get(bib);

/** Counts and lists of a state, for people. They look at every row. */
export function tally(state: RaceState) {
  const { claims, stored, decisions } = state;
  const bibs = [...claims.keys()];
  const open = bibs.filter((bib) => stored.get(bib) !== saidOf(state, bib)?.text);
  const sources = [...state.sources.values()];
  return {
    /** The rows of the files, and their results. */
    rows: sources.reduce((sum, { rows }) => sum + rows, 0),
    results: bibs.length,
    /** Results of the files that the API holds otherwise or not at all, and those that a decision replaces. */
    notStored: open.length,
    decided: open.filter((bib) => decisions.has(bib)).length,
    queue: queueOf(state).size,
    rejected: [
      ...[...state.rejected].map(([bib, { reason, code }]) => ({ line: null, bib, reason, code })),
      ...sources.flatMap(({ unreadable }) => undecided(state, unreadable)),
    ],
    heldBack: bibs.filter((bib) => isHeldBack(state, bib)),
    held: [...decisions].filter(([, { isHeld }]) => isHeld).map(([bib]) => bib),
  };
}
export type Tally = ReturnType<typeof tally>;

/** A person may have decided about the bib of a row that makes no result. */
export const undecided = ({ decisions }: RaceState, rows: UnreadableRow[]): UnreadableRow[] =>
  rows.filter(({ bib }) => bib === null || !decisions.has(bib.trim()));

const STATE_FILE = 'state.json';
/** Decisions of people are in no results file. */
const DECISIONS_FILE = 'decisions.json';

const mapsAsPairs = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);

const write = (folder: string, name: string, value: unknown): Promise<void> =>
  replaceOwn(join(folder, name), sealed(JSON.stringify(value, mapsAsPairs)));

export async function saveState(folder: string, state: RaceState): Promise<void> {
  await write(folder, DECISIONS_FILE, state.decisions);
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
  state.decisions = decisions ?? state.decisions;
  const count = state.decisions.size;
  const sentences = lost.map((name) => {
    if (name === STATE_FILE) return say('state_damaged', { count });
    return found ? say('decisions_damaged', { count }) : say('decisions_lost');
  });
  return { state, lost: sentences };
}
