import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { codeOf, ownFolder, readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';

/** By bib, in the order of being added. JSON has it as a list of pairs. */
const byName = <Value>(schema: z.ZodMiniType<Value>) =>
  z.pipe(
    z.array(z.tuple([z.string(), schema])),
    z.transform((pairs) => new Map<string, Value>(pairs)),
  );

const text = z.string();
const isSet = z._default(z.boolean(), false);

/** A row that makes no result. */
export const UnreadableRow = z.object({
  line: z.int(),
  bib: z.nullable(text),
  reason: text,
  code: text,
});
export type UnreadableRow = z.infer<typeof UnreadableRow>;

/** A decision about a bib, by a person here or by another writer of the event. */
const Decision = z.object({
  /** The result; null if there shall be none, or another one than a file says. */
  text: z.nullable(text),
  /** The value in the files at that time. Another value in a file decides again. */
  over: z.nullable(text),
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
export type Source = z.infer<typeof Source>;

const InFile = z.object({ file: text, text });
const Rejection = z.extend(InFile, { reason: text, code: text });
/** A stored DSQ that a file would make a finisher. */
const HeldBack = z.extend(InFile, { line: z.int(), stored: text });

/** A batch that was sent, and whose answer has not arrived. */
const Flight = z.object({ key: text, file: text, rows: byName(text) });
export type Flight = z.infer<typeof Flight>;

const State = z.object({
  event: text,
  /** The results that the API holds, by its answers and its last export. */
  stored: byName(text),
  /** The rows that wait, with the file that they come from. */
  queue: byName(InFile),
  flight: z.nullable(Flight),
  rejected: byName(Rejection),
  heldBack: byName(HeldBack),
  /** The value of each bib in the files, and the file that decides it. */
  said: byName(InFile),
  /** The older values of a bib in other files. */
  older: byName(byName(text)),
  sources: byName(Source),
  decisions: byName(Decision),
  /** Headers that may be read with a query, because a preview or a person said so. */
  accepted: z.array(text),
  /** The newest batch of the event, and its results, as this folder knows them. */
  lastBatch: z.nullable(text),
  count: z.nullable(z.int()),
  lastSuccessAt: z.nullable(text),
  /** Why the API's export has to be compared. */
  compare: z.nullable(z.object({ group: z.nullable(text), isResend: isSet })),
  /** Entries that were taken. */
  handled: z.array(text),
});
export type RaceState = z.infer<typeof State>;

/** An empty state compares with the export first: somebody may have sent results before. */
export const newState = (event: string): RaceState => ({
  event,
  ...{ stored: new Map(), queue: new Map(), flight: null, rejected: new Map() },
  ...{ heldBack: new Map(), said: new Map(), older: new Map(), sources: new Map() },
  ...{ decisions: new Map(), accepted: [], lastBatch: null, count: null, lastSuccessAt: null },
  ...{ compare: { group: null, isResend: false }, handled: [] },
});

export const waitingCount = ({ queue, flight }: RaceState): number =>
  queue.size + (flight?.rows.size ?? 0);

export const isWaiting = ({ queue, flight }: RaceState, bib: string): boolean =>
  queue.has(bib) || flight?.rows.has(bib) === true;

/** The results that the API will hold when the queue is empty. */
export const newestOf = ({ queue, flight, stored }: RaceState, bib: string): string | undefined =>
  queue.get(bib)?.text ?? flight?.rows.get(bib) ?? stored.get(bib);

export const heldBibs = ({ decisions }: RaceState): string[] =>
  [...decisions].filter(([, { isHeld }]) => isHeld).map(([bib]) => bib);

const STATE_FILE = 'state.json';
const DECISIONS_FILE = 'decisions.json';

const mapsAsPairs = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);

/** A value in both maps is written once. */
const SAME = '=';

export async function saveState(folder: string, state: RaceState): Promise<void> {
  const { stored, said } = state;
  const short = [...said].map(([bib, one]) => [
    bib,
    stored.get(bib) === one.text ? { ...one, text: SAME } : one,
  ]);
  const written = JSON.stringify({ ...state, said: short }, mapsAsPairs);
  await replaceOwn(join(folder, STATE_FILE), sealed(written));
}

/** Decisions have a file of their own: what people decided is in no results file. */
export async function saveDecisions(folder: string, { decisions }: RaceState): Promise<void> {
  await replaceOwn(join(folder, DECISIONS_FILE), sealed(JSON.stringify([...decisions])));
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
    if (parsed.success) return parsed.data;
    lost.push(name);
    return undefined;
  };
  const state = await read(STATE_FILE, State);
  const decisions = await read(DECISIONS_FILE, byName(Decision));
  for (const [bib, one] of state?.said ?? []) {
    if (one.text === SAME) one.text = state?.stored.get(bib) ?? '';
  }
  const known = state ?? newState(event);
  // Both files have the decisions: one of them may be lost.
  known.decisions = decisions ?? known.decisions;
  return { state: known, lost: lost.map((name) => lossText(name, known, state !== undefined)) };
}

function lossText(name: string, { decisions }: RaceState, hasState: boolean): string {
  const count = decisions.size;
  if (name === STATE_FILE) return say('state_damaged', { count });
  return hasState ? say('decisions_damaged', { count }) : say('decisions_lost');
}

/** The message of a command to the process that has the queue. */
export const Entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set'), bib: text, text, isHeld: z.boolean() }),
  z.object({ type: z.literal('release'), bib: text }),
  z.object({
    type: z.literal('send'),
    file: text,
    accepted: z.nullable(text),
    texts: z.array(text),
    isMended: z.boolean(),
  }),
  z.object({ type: z.literal('undone'), group: z.nullable(text) }),
  z.object({ type: z.literal('resend') }),
]);
export type Entry = z.infer<typeof Entry>;

const inboxOf = (folder: string): string => join(folder, 'inbox');
const ENTRY_NAME = /^\d{9}-[\da-f-]{36}\.json$/;

async function namesIn(inbox: string): Promise<string[]> {
  try {
    return (await readdir(inbox)).filter((name) => ENTRY_NAME.test(name)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** @returns the id by which the entry is known when it was taken */
export async function leaveEntry(folder: string, entry: Entry): Promise<string> {
  const inbox = inboxOf(folder);
  await ownFolder(folder);
  await ownFolder(inbox);
  // By number and not by time: a clock may go back.
  const last = Number((await namesIn(inbox)).at(-1)?.slice(0, 9) ?? 0);
  const name = `${String(last + 1).padStart(9, '0')}-${randomUUID()}.json`;
  await replaceOwn(join(inbox, name), sealed(JSON.stringify(entry)));
  return name;
}

/** The entries that were left, the oldest first. Undefined for one that is damaged. */
export async function readEntries(
  folder: string,
): Promise<{ id: string; entry: Entry | undefined }[]> {
  const inbox = inboxOf(folder);
  return Promise.all(
    (await namesIn(inbox)).map(async (id) => {
      const found = await readOwn(join(inbox, id));
      const parsed = z.safeParse(Entry, found === undefined ? undefined : unsealed(found));
      return { id, entry: parsed.data };
    }),
  );
}

export const removeEntry = (folder: string, id: string): Promise<void> =>
  rm(join(inboxOf(folder), id), { force: true });
