import { type Column, distinct, filledCells } from '../columns/column.ts';
import type { WarningCode } from '../judge/warning.ts';
import type { BibFormat } from '../read/bib-formats.ts';
import { quoted } from '../read/text.ts';
import { parseTime, type TimeFormat } from '../read/time-formats.ts';
import type { RowChoice } from './row-candidates.ts';
import type { StatusReading } from './statuses.ts';
import type { TimeColumns } from './time-candidates.ts';

/** What is chosen in a reading. Readings differ in some of it. */
export type Choices = {
  bib: Column;
  bibFormat: BibFormat;
  rows: RowChoice;
  times: TimeColumns;
  format: TimeFormat;
  status: Omit<StatusReading, 'column'> & { column: Column | undefined };
  splits: readonly Column[];
};

export type Dimension = Exclude<keyof Choices, 'bibFormat'>;

type Question = {
  code: WarningCode;
  /** What is chosen, as a text to compare. */
  key(choices: Choices): string;
  /** The question, in words. */
  asks(all: readonly Choices[]): string;
  /** One of the answers, in words. */
  answers(choices: Choices, all: readonly Choices[]): string;
};

/** The questions between readings, the most important first. */
export const QUESTIONS: Record<Dimension, Question> = {
  bib: {
    code: 'bib_column_unclear',
    key: ({ bib }) => bib.ref,
    asks: () => 'No column is clearly the bib.',
    answers: ({ bib }) => withExample(bib),
  },
  rows: {
    code: 'rows_unclear',
    key: ({ rows }) => `${rows?.column.ref} ${rows?.value}`,
    asks: ([first]) => `A runner has several rows, told apart by ${labelOf(first?.rows?.column)}.`,
    answers: ({ rows }) => (rows ? `only rows with ${rows.value}` : 'all rows'),
  },
  times: {
    code: 'time_column_unclear',
    key: ({ times: { chip, gun } }) => `${chip?.ref} ${gun?.ref}`,
    asks: () => 'It is unclear which column has the times.',
    answers: ({ times: { chip, gun } }) =>
      [
        chip && `${withExample(chip)}, is the time`,
        gun && `${withExample(gun)}, is the gun time`,
        !chip && !gun && 'no column has times',
      ]
        .filter(Boolean)
        .join('; '),
  },
  format: {
    code: 'time_format_unclear',
    key: ({ format }) => format,
    asks: () => 'The times can be read in several ways.',
    answers: ({ times, format }, all) =>
      readsAs(exampleOf(times, [...new Set(all.map((one) => one.format))]), format),
  },
  status: {
    code: 'status_unclear',
    key: ({ status: { column, guessed } }) => `${column?.ref} ${guessed.join()}`,
    asks: (all) => {
      const words = distinct(all.flatMap(({ status }) => status.guessed.map(([word]) => word)));
      const column = all.find(({ status }) => status.column)?.status.column;
      const where = column ? ` in the column ${labelOf(column)}` : '';
      return words.length === 0
        ? `It is unclear whether the cells${where} are statuses.`
        : `These cells${where} have an unknown meaning: ${words.slice(0, 8).map(quoted).join(', ')}.`;
    },
    answers: ({ status: { column, guessed } }) =>
      guessed.map(([word, status]) => `${word} is ${status}`).join(', ') ||
      (column ? `${labelOf(column)} has the status` : 'no column has the status'),
  },
  splits: {
    code: 'splits_unlikely',
    key: ({ splits }) => splits.map(({ ref }) => ref).join(),
    asks: (all) =>
      `Some columns have times that may be no splits: ${unsureIn(all).map(labelOf).join(', ')}.`,
    answers: (choices, all) =>
      unsureIn(all)
        .map((one) => `${labelOf(one)} is ${isSplit(one, choices) ? 'a' : 'no'} split`)
        .join(', '),
  },
};

/** The columns that are splits in some of the readings. Readings of other rows have columns of their own. */
function unsureIn(all: readonly Choices[]): Column[] {
  const columns = new Map(all.flatMap(({ splits }) => splits.map((one) => [one.index, one])));
  return [...columns.values()].filter((one) => !all.every((choices) => isSplit(one, choices)));
}

const isSplit = ({ index }: Column, { splits }: Choices): boolean =>
  splits.some((one) => one.index === index);

export const labelOf = (column: Column | undefined): string =>
  !column || column.name === '' ? `column ${column?.ref}` : `"${column.name}"`;

const withExample = (column: Column): string =>
  `${labelOf(column)}, as in ${filledCells(column)[0] ?? ''}`;

/** A cell that the formats read as different times. */
function exampleOf({ chip, gun }: TimeColumns, formats: readonly TimeFormat[]): string {
  const column = chip ?? gun;
  const cells = column ? filledCells(column) : [];
  const isTold = (cell: string) =>
    new Set(formats.map((format) => parseTime(format, cell))).size === formats.length;
  return cells.find(isTold) ?? cells[0] ?? '';
}

function readsAs(example: string, format: TimeFormat): string {
  const timeMs = parseTime(format, example);
  if (timeMs === undefined) return format;
  const seconds = Math.floor(timeMs / 1_000);
  const parts = [
    `${Math.floor(seconds / 3_600)} h`,
    `${Math.floor(seconds / 60) % 60} min`,
    `${seconds % 60} s`,
  ];
  return `${example} is ${parts.filter((part) => !part.startsWith('0 ')).join(' ')}`;
}
