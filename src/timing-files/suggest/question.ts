import { type Column, columnsOf, filledCells } from '../columns/column.ts';
import type { LeftOut } from '../columns/split-columns.ts';
import type { KnownBibs } from '../judge/judge.ts';
import type { WarningCode } from '../judge/warning.ts';
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
  /** The rows that are results, and their columns. */
  table: FileStart;
  columns: readonly Column[];
  times: TimeColumns;
  format: TimeFormat;
  status: StatusReading;
  splits: readonly Column[];
  /** The columns with times that are no splits. */
  leftOut: readonly LeftOut[];
};

/** The condition of the rows that are results, or of the rows that are none; undefined if all rows are. */
export type RowChoice = { column: Column; value: string; isNot: boolean } | undefined;

/** The columns of the net time and of the time since the gun. */
export type TimeColumns = { chip?: Column | undefined; gun?: Column | undefined };

/** The marks of runners who did not finish: a column, and words in it and in the times. */
export type StatusReading = {
  column: Column | undefined;
  words: ReadonlyMap<string, StatusWord>;
  /** A column whose words are only remarks. */
  ignored?: Column | undefined;
  /** The words whose meaning is a guess. */
  guessed: readonly (readonly [word: string, status: StatusWord])[];
};

/** A possible answer to one question. */
export type Candidate<Value> = {
  value: Value;
  /** How far from the likeliest: 0 for the first choice. */
  penalty: number;
  /** Whether nothing but the lack of a better one speaks for it. A person then decides. */
  isGuess?: boolean;
};

export const sure = <Value>(value: Value): Candidate<Value> => ({ value, penalty: 0 });

/** The file that the questions are about. */
export type Asked = {
  start: FileStart;
  columns: readonly Column[];
  /** Parameters that a person has decided already. No answer differs from them. */
  sent: Parameters;
  /** Bibs of the event among the texts of the file. */
  known: KnownBibs;
};

/** A question about a file, its possible answers, and the words in which a person is asked. */
export type Question = {
  code: WarningCode;
  /** The parameters that tell its answers apart. */
  parameters: readonly (Meaning | 'splits')[];
  /** @param choices the answers to the questions before */
  candidates(choices: Choices, asked: Asked): readonly Candidate<Partial<Choices>>[];
  /** What is chosen, as a text to compare. */
  key(choices: Choices): string;
  /** The question, in words. */
  asks(all: readonly Choices[]): string;
  /** One of the answers, in words. */
  answers(choices: Choices, all: readonly Choices[]): string;
};

export const mapped = <Value, Other>(
  candidates: readonly Candidate<Value>[],
  to: (value: Value) => Other,
): Candidate<Other>[] => candidates.map((one) => ({ ...one, value: to(one.value) }));

/** The columns of a table. Those that a person says are not read have no cells. */
export function columnsRead(table: FileStart, { ignore }: Parameters): Column[] {
  const find = createColumnFinder(table.header);
  const ignored = new Set(ignore.flatMap((name) => find(name)));
  return columnsOf(table).map((one) =>
    ignored.has(one.index)
      ? { ...one, class: 'person', cells: one.cells.map(() => ''), known: { times: {} } }
      : one,
  );
}

/** The column that a parameter names: null if it says that there is none, and undefined if it is open. */
export function sentColumn(
  { start: { header }, sent: { columns: named, point } }: Asked,
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
