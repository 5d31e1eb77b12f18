import { bibOf, type FileRowText, isSame, passingIn, rowIn } from './item.ts';
import { byName, type Merged } from './merge.ts';

/** The facts about a key from the answers of the API. */
export type Acknowledged = {
  /** The last value taken by the API. Null: no value yet. */
  text: string | null;
  /** The file or the person behind the value. */
  file: string;
  /** Replaced values, from this folder or from older files. */
  earlier: readonly string[];
  /** The registration of the key. Null until the API tells. */
  id: string | null;
  /** The answer to a later value. */
  answer: Refusal | null;
};

/** A person chose between the value of the file and the stored value. The choice ends when either value changes. */
export type Decision = { is: 'file' | 'api'; text: string | null; held: string | null };

/** A row sent by a person: `set`, or the rows of `send`. */
export type Given = { text: string; file: string; isByHand: boolean };

/** The values stored by the API, by key. */
type Held = ReadonlyMap<string, HeldValue>;

/** The registration is null until the API tells. */
export type HeldValue = { text: string; id: string | null };

/** A row without a usable result. */
export type UnreadableRow = { line: number; bib: string | null; reason: string; code: string };

/** A question for a person, or a rejected row. */
export type Open = {
  key: string;
  /** A code of the API or of the reader, or `changed`, `gone`, `files_disagree`, `splits_lost`. */
  code: string;
  reason: string;
  /** The value of the file; null for a lost or unreadable row. */
  text: string | null;
  held: string | null;
  file: string;
  /** The line of an unreadable row. */
  line: number | null;
  /** The sender and the time of the stored text. */
  sender: string | null;
  at: string | null;
  /** The values of the disagreeing files. */
  choices: readonly FileRowText[];
};

/** Why the API did not store a row. `held` is the stored text of then: a new stored text makes a new question. */
export type Refusal = Omit<Open, 'key' | 'text' | 'line' | 'choices'> & {
  text: string;
  /** Whether the API left the row to a person. Otherwise the row is wrong. */
  isLeft: boolean;
};

export const openRow = (key: string, code: string, more: Partial<Open>): Open => ({
  ...{ key, code, reason: '', text: null, held: null, file: '', line: null },
  ...{ sender: null, at: null, choices: [] },
  ...more,
});

/** @param held the stored text of the bib */
export const unreadableRow = (
  { line, bib, reason, code }: UnreadableRow,
  file: string,
  held: string | null = null,
): Open => openRow(bib?.trim() ?? '', code, { reason, held, file, line });

export type Outgoing = { text: string; file: string; isByHand: boolean; leaves: boolean };

export type Difference = {
  /** The rows to send, in the order of the files. */
  send: Map<string, Outgoing>;
  /** Values stored by the API without an answer to this folder. Such values count as acknowledged. */
  found: Map<string, FileRowText>;
  left: Open[];
  failed: Open[];
  /** Rows of old files, which are not sent. */
  old: Open[];
  /** Counts of the rows stored as in the files, and of the rows decided by a person. */
  stored: number;
  decided: number;
};

/** The input of `difference`. */
export type Facts = {
  merged: Merged;
  acknowledged: ReadonlyMap<string, Acknowledged>;
  decisions: ReadonlyMap<string, Decision>;
  given: ReadonlyMap<string, Given>;
  held: Held;
  /** The watched files. */
  files: ReadonlyMap<string, FileFacts>;
};

/** The split columns and the unreadable rows of a file. A bib missing from a whole results file is gone. */
export type FileFacts = {
  columns: ReadonlySet<string>;
  unreadable: readonly UnreadableRow[];
  isWhole: boolean;
};

export const NO_FILES: Pick<Facts, 'merged' | 'files'> = {
  merged: { rows: new Map(), unordered: new Map(), twins: new Map() },
  files: new Map(),
};

export const NOTHING: Acknowledged = {
  ...{ text: null, file: '', earlier: [], id: null, answer: null },
};

/** Finds the rows to send, and the questions for a person. */
export function difference(facts: Facts): Difference {
  const { merged, acknowledged, given } = facts;
  const found: Difference = {
    send: new Map(),
    found: new Map(),
    left: [],
    failed: [],
    old: [],
    stored: 0,
    decided: 0,
  };
  judgeUnreadable(facts, found);
  for (const [key, { text, file, isByHand }] of given) {
    found.send.set(key, { text, file, isByHand, leaves: !isByHand });
  }
  for (const [key, row] of merged.rows) if (!given.has(key)) judge(facts, found, key, row);
  for (const [key, choices] of merged.unordered) {
    if (!given.has(key)) judgeUnordered(facts, found, key, choices);
  }
  for (const [key, known] of acknowledged) {
    const isSaid = merged.rows.has(key) || merged.unordered.has(key) || given.has(key);
    if (!isSaid) judgeUnsaid(facts, found, key, known);
  }
  return found;
}

/** Any decision about a bib includes the bib's unreadable rows. */
function judgeUnreadable({ files, decisions, held }: Facts, found: Difference): void {
  for (const [file, { unreadable }] of files) {
    for (const row of unreadable) {
      const bib = row.bib?.trim() ?? '';
      if (decisions.has(bib)) continue;
      found.failed.push(unreadableRow(row, file, held.get(bib)?.text));
    }
  }
}

function judge(facts: Facts, found: Difference, key: string, row: FileRowText): void {
  const known = facts.acknowledged.get(key) ?? NOTHING;
  const stored = facts.held.get(key);
  const held = stored?.text ?? null;
  const { text, file } = row;
  if (held !== null && isSame(held, text)) {
    found.stored += 1;
    const isKnown = known.text === text && known.id === stored?.id && !known.answer;
    if (!isKnown) found.found.set(key, row);
    return;
  }
  const open = (code: string, { reason = '', sender = null, at = null }: Partial<Refusal> = {}) =>
    openRow(key, code, { reason, text, held, file, sender, at });
  const send = (leaves: boolean) => found.send.set(key, { text, file, isByHand: false, leaves });
  const decision = decisionOn(facts, key, text, held);
  const answer = answerTo(known, text, held);
  if (decision === 'api') found.decided += 1;
  else if (answer && !answer.isLeft) found.failed.push(open(answer.code, answer));
  else if (decision === 'file') send(false);
  else if (answer) found.left.push(open(answer.code, answer));
  else if (isChanged(known, text, stored)) found.left.push(open('changed'));
  else if (isOld(facts, known, row)) found.old.push(open('old'));
  else if (losesSplits(facts, known, row)) found.left.push(open('splits_lost'));
  // A lost row is sent again. The API knows whether a person removed the row.
  else send(!(stored && known.text === text && isOurs(facts, stored)));
}

/** The reason of a refusal, valid while the stored text stays unchanged. */
const answerTo = ({ answer }: Acknowledged, text: string, held: string | null) =>
  answer?.text === text && isSame(answer.held, held) ? answer : undefined;

/** Another sender changed the acknowledged value. A bib moved to another runner does not count. */
const isChanged = (known: Acknowledged, text: string, stored: HeldValue | undefined): boolean =>
  known.text === text && stored !== undefined && !isMoved(known, stored);

/** The decision of a person, valid while the row and the stored value stay unchanged. */
function decisionOn({ decisions }: Facts, key: string, said: string | null, held: string | null) {
  const decision = decisions.get(key);
  const isOpen = decision?.text !== said || !isSame(decision.held, held);
  return isOpen ? undefined : decision.is;
}

/** The desk gave the bib to another runner. */
const isMoved = ({ id }: Acknowledged, stored: HeldValue): boolean =>
  id !== null && stored.id !== null && id !== stored.id;

/** Whether a result moved to this bib with the runner is stored as this folder sent the result. */
function isOurs({ acknowledged }: Facts, { id, text }: HeldValue): boolean {
  for (const known of acknowledged.values()) {
    if (id !== null && known.id === id && known.text !== null)
      return unnamed(known.text) === unnamed(text);
  }
  return false;
}

/** A text without the bib. */
const unnamed = (text: string): string => JSON.stringify({ ...JSON.parse(text), bib_number: '' });

/**
 * Another file brings a replaced value again. The file with the newer value may go back, and so may a file with a later
 * time in the name.
 */
function isOld({ merged }: Facts, known: Acknowledged, { text, file }: FileRowText): boolean {
  const own = merged.twins.get(file) ?? [file];
  const isAnother = !own.includes(known.file);
  return (
    known.text !== text &&
    isAnother &&
    known.earlier.includes(text) &&
    !((byName({ path: file }, { path: known.file }) ?? 0) > 0)
  );
}

/**
 * A list without earlier split columns would remove the splits. An empty cell in a column removes the split on purpose.
 */
function losesSplits({ files }: Facts, { text }: Acknowledged, row: FileRowText): boolean {
  const columns = files.get(row.file)?.columns;
  if (text === null || !columns || passingIn(text)) return false;
  const own = rowIn(row.text).splits;
  return Object.keys(rowIn(text).splits).some((name) => !(name in own) && !columns.has(name));
}

function judgeUnordered(
  facts: Facts,
  found: Difference,
  key: string,
  choices: readonly FileRowText[],
): void {
  const held = facts.held.get(key)?.text ?? null;
  const isChosen = ({ text }: FileRowText) => decisionOn(facts, key, text, held) === 'file';
  const chosen = choices.find(isChosen) ?? choices.find(({ text }) => isTaken(facts, key, text));
  if (chosen) {
    judge(facts, found, key, chosen);
    return;
  }
  const text = choices.map((row) => row.text).join('\n');
  if (decisionOn(facts, key, text, held) === 'api') {
    found.decided += 1;
    return;
  }
  const file = choices.map((row) => row.file).join(', ');
  found.left.push(openRow(key, 'files_disagree', { text, held, file, choices }));
}

/** Whether a person chose this file's value before, and the API still stores the value. */
function isTaken({ decisions, held }: Facts, key: string, text: string): boolean {
  const decision = decisions.get(key);
  return decision?.is === 'file' && decision.text === text && held.get(key)?.text === text;
}

/** A row in no file: sent before, or lost by the file. */
function judgeUnsaid(facts: Facts, found: Difference, key: string, known: Acknowledged): void {
  const { answer, file } = known;
  // While the file of the answer is watched, the file's current content counts.
  if (answer && !facts.files.has(answer.file)) {
    judge(facts, found, key, { text: answer.text, file: answer.file, line: 0 });
    return;
  }
  const held = facts.held.get(key)?.text ?? null;
  const isKept = decisionOn(facts, key, null, held) !== undefined;
  const source = facts.files.get(file);
  // The passing of a point may have become a split.
  if (held === null || isKept || !source?.isWhole || bibOf(key) !== key) return;
  if (source.unreadable.some(({ bib }) => bib?.trim() === key)) return;
  found.left.push(openRow(key, 'gone', { held, file }));
}
