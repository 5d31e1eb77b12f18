import { type Column, columnsOf, emptied, filledCells } from '../columns/column.ts';
import type { LeftOut } from '../columns/split-columns.ts';
import type { KnownBibs } from '../judge/judge.ts';
import type { Told } from '../judge/sentences.ts';
import type { WarningCode } from '../judge/warning-codes.ts';
import type { BibFormat } from '../read/bib-formats.ts';
import { createColumnFinder, isNamedLike } from '../read/columns.ts';
import type { Meaning, Parameters, StatusWord } from '../read/parameters.ts';
import type { TimeFormat } from '../read/time-formats.ts';
import type { FileStart } from './file-start.ts';

/** The answers to the questions about a file. A question that is still open has the answer "none". */
export type Choices = {
  bib: Column;
  bibFormat: BibFormat;
  rows: RowChoice;
  /** The rows with results, and their columns. */
  table: FileStart;
  columns: readonly Column[];
  times: TimeColumns;
  format: TimeFormat;
  /** The fastest time, if the file leaves out whole days. */
  fastestMs?: number | undefined;
  status: StatusReading;
  splits: readonly Column[];
  /** The columns with times that are no splits. */
  leftOut: readonly LeftOut[];
};

/** The condition of the rows with results, or of the rows without results; undefined if all rows have results. */
export type RowChoice = { column: Column; value: string; isNot: boolean } | undefined;

/** The columns of the net time and of the time since the gun. With a start, the net time is a moment. */
export type TimeColumns = {
  chip?: Column | undefined;
  gun?: Column | undefined;
  started?: Column | undefined;
};

/** The marks of runners without a finish: a column, and words in the column and in the times. */
export type StatusReading = {
  column: Column | undefined;
  words: ReadonlyMap<string, StatusWord>;
  /** A column whose words are only remarks. */
  ignored?: Column | undefined;
  /** The words whose meaning is a guess. */
  guessed: readonly (readonly [word: string, status: StatusWord])[];
};

/** A possible answer to a question. */
export type Candidate<Value> = {
  value: Value;
  /** How far from the likeliest: 0 for the first choice. */
  penalty: number;
  /** Whether nothing supports the candidate but the lack of a better candidate. A person then decides. */
  isGuess?: boolean;
};

export const sure = <Value>(value: Value): Candidate<Value> => ({ value, penalty: 0 });

/** The file behind the questions. */
export type QuestionedFile = {
  start: FileStart;
  columns: readonly Column[];
  /** Parameters already decided by a person. No answer contradicts these parameters. */
  sent: Parameters;
  /** Bibs of the event among the texts of the file. */
  known: KnownBibs;
};

/** A question about a file, its possible answers, and the words for a person. */
export type Question = {
  code: WarningCode;
  /** The parameters that tell the answers apart. */
  parameters: readonly (Meaning | 'splits')[];
  /** @param choices the answers to the questions before */
  candidates(choices: Choices, asked: QuestionedFile): readonly Candidate<Partial<Choices>>[];
  /** The chosen answer, as a text for comparison. */
  key(choices: Choices): string;
  /** The question, in words. */
  asks(all: readonly Choices[]): Told;
  /** An answer, in words. */
  answers(choices: Choices, all: readonly Choices[]): string;
};

export const mapped = <Value, Other>(
  candidates: readonly Candidate<Value>[],
  to: (value: Value) => Other,
): Candidate<Other>[] => candidates.map((one) => ({ ...one, value: to(one.value) }));

/** The columns of a table. Columns that a person excluded have no cells. */
export function columnsRead(table: FileStart, { ignore }: Parameters): Column[] {
  const find = createColumnFinder(table.header);
  const ignored = new Set(ignore.flatMap((name) => find(name)));
  return columnsOf(table).map((one) => (ignored.has(one.index) ? emptied(one, 'person') : one));
}

/** The column named by a parameter: null for "no column", undefined without the parameter. */
export function sentColumn(
  { start: { header }, sent: { columns: named, point } }: QuestionedFile,
  columns: readonly Column[],
  meaning: Meaning,
): Column | null | undefined {
  const name = named[meaning];
  if (name !== undefined) {
    return name.trim() === '' ? null : columns[createColumnFinder(header)(name)[0] ?? -1];
  }
  if (point === undefined) return undefined;
  if (meaning === 'status') return null;
  const ofPoint = columns.find((one) => isNamedLike(point, one.name));
  if (!ofPoint || meaning === 'bib') return undefined;
  return meaning === 'chipTime' ? ofPoint : null;
}

export const columnsUsed = ({ chip, gun }: TimeColumns): Column[] =>
  [chip, gun].filter((column) => column !== undefined);

export const labelOf = (column: Column | undefined): string =>
  !column || column.name === '' ? `column ${column?.ref}` : `"${column.name}"`;

export const withExample = (column: Column): string =>
  `${labelOf(column)}, as in ${filledCells(column)[0] ?? ''}`;
