import { bibOf, type FileRowText, isSame, passingIn, rowIn } from './item.ts';
import { byName, type Merged } from './merge.ts';

/** Why the API did not store a row. */
export type Answer = {
  text: string;
  file: string;
  code: string;
  reason: string;
  /** Whether it is left to a person. Otherwise the row is wrong. */
  isLeft: boolean;
  /** The stored text at that time: another one makes it a new question. */
  held: string | null;
  /** Who stored that, and when. */
  sender: string | null;
  at: string | null;
};

/** What this folder knows of a key by the answers of the API. */
export type Acknowledged = {
  /** The value that the API took last. Null: none yet. */
  text: string | null;
  /** The file or the person that said it. */
  file: string;
  /** Values that it replaced, here or in older files. */
  earlier: readonly string[];
  /** The registration that has it. Null until the API tells. */
  id: string | null;
  /** To another value that was sent later. */
  answer: Answer | null;
};

/** A person said which value counts, that of the file or the stored one, until one of both changes. */
export type Decision = { is: 'file' | 'api'; text: string | null; held: string | null };

/** A row that a person sends: `set`, or the rows of `send`. */
export type Given = { text: string; file: string; isByHand: boolean };

/** What the API holds, by key. */
type Held = ReadonlyMap<string, HeldValue>;

/** The registration is null until the API tells. */
export type HeldValue = { text: string; id: string | null };

/** Something about which a person has to decide, or a row that the API refuses. */
export type Open = {
  key: string;
  /** A code of the API, or `changed`, `gone`, `files_disagree`, `splits_lost`. */
  code: string;
  reason: string;
  text: string | null;
  held: string | null;
  file: string;
  sender: string | null;
  at: string | null;
  /** The values of files that disagree. */
  choices: readonly FileRowText[];
};

export type Outgoing = { text: string; file: string; isByHand: boolean; leaves: boolean };

export type Difference = {
  /** What has to be sent, in the order of the files. */
  send: Map<string, Outgoing>;
  /** Values that the API holds although this folder had no answer about them: they count as acknowledged. */
  found: Map<string, FileRowText>;
  left: Open[];
  failed: Open[];
  /** Rows of old files, which are not sent. */
  old: Open[];
  /** Rows of the files that are stored as the files say, and rows about which a person decided. */
  stored: number;
  decided: number;
};

/** All that decides. */
export type Facts = {
  merged: Merged;
  acknowledged: ReadonlyMap<string, Acknowledged>;
  decisions: ReadonlyMap<string, Decision>;
  given: ReadonlyMap<string, Given>;
  held: Held;
  /** The files that are watched. */
  files: ReadonlyMap<string, FileFacts>;
};

/**
 * The split columns of a file, and the bibs of its rows that cannot be read. A bib that a whole file of results lost is
 * gone.
 */
export type FileFacts = {
  columns: ReadonlySet<string>;
  mentions: ReadonlySet<string>;
  isWhole: boolean;
};

const NOTHING: Acknowledged = { text: null, file: '', earlier: [], id: null, answer: null };

/** What has to be sent, and what waits for a person. */
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
  const open = (code: string, { reason = '', sender = null, at = null }: Partial<Answer> = {}) => ({
    ...{ key, code, reason, text, held, file, sender, at, choices: [] },
  });
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
  // What is lost is sent again. Whether a person took it away, the API knows.
  else send(!(stored && known.text === text && isOurs(facts, stored)));
}

/** Why the API did not store the row, as long as it holds what it held then. */
const answerTo = ({ answer }: Acknowledged, text: string, held: string | null) =>
  answer?.text === text && isSame(answer.held, held) ? answer : undefined;

/** Somebody else changed what was acknowledged. The desk may have given the bib to another runner, too. */
const isChanged = (known: Acknowledged, text: string, stored: HeldValue | undefined): boolean =>
  known.text === text && stored !== undefined && !isMoved(known, stored);

/** What a person said about a row and a stored value, while both are as they were. */
function decisionOn({ decisions }: Facts, key: string, said: string | null, held: string | null) {
  const decision = decisions.get(key);
  const isOpen = decision?.text !== said || !isSame(decision.held, held);
  return isOpen ? undefined : decision.is;
}

/** The desk gave the bib to another runner. */
const isMoved = ({ id }: Acknowledged, stored: HeldValue): boolean =>
  id !== null && stored.id !== null && id !== stored.id;

/** Whether a result that came to another bib with its runner is stored as this folder sent it. */
function isOurs({ acknowledged }: Facts, { id, text }: HeldValue): boolean {
  for (const known of acknowledged.values()) {
    if (id !== null && known.id === id && known.text !== null)
      return unnamed(known.text) === unnamed(text);
  }
  return false;
}

/** A text without its bib. */
const unnamed = (text: string): string => JSON.stringify({ ...JSON.parse(text), bib_number: '' });

/** A value that was replaced comes again, from another file. The file that replaced it may go back. */
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

/** A list without columns of before would take their splits away. An empty cell takes one away. */
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
  const open = { key, code: 'files_disagree', reason: '', text, held, file, choices };
  found.left.push({ ...open, sender: null, at: null });
}

/** The value of one of the files that a person chose before, and that is stored. */
function isTaken({ decisions, held }: Facts, key: string, text: string): boolean {
  const decision = decisions.get(key);
  return decision?.is === 'file' && decision.text === text && held.get(key)?.text === text;
}

/** A row that no file has. It may have been sent before, or its file has lost it. */
function judgeUnsaid(facts: Facts, found: Difference, key: string, known: Acknowledged): void {
  const { answer, file } = known;
  // The file of the answer may say something else by now.
  if (answer && !facts.files.has(answer.file)) {
    judge(facts, found, key, { text: answer.text, file: answer.file, line: 0 });
    return;
  }
  const held = facts.held.get(key)?.text ?? null;
  const isKept = decisionOn(facts, key, null, held) !== undefined;
  const source = facts.files.get(file);
  // A point's row may be a split by now.
  if (held === null || isKept || !source?.isWhole || bibOf(key) !== key) return;
  if (source.mentions.has(key)) return;
  const open = { key, code: 'gone', reason: '', text: null, held, file, choices: [] };
  found.left.push({ ...open, sender: null, at: null });
}
