import { Pattern } from './pattern.ts';
import { plainDigits } from './text.ts';

type Format = {
  /** The bib of a cell without blanks around it. */
  read(cell: string): string;
};

/** Further letters are part of a bib: `F12` is not the runner 12. */
const NUMBER = new Pattern(/^(?:no|nr|num|n|bib)?[.:#º°\s]*0*(\d{1,3}(?:[., ’']\d{3})+|\d+)$/i);
const NO_DIGIT = new Pattern(/[^\d]/g);
const BETWEEN = new Pattern(/[\s\-–_/]/g);

/** Every `bib_format` of an upload. Files write bibs otherwise than the event. */
export const BIB_FORMATS = {
  exact: {
    read: (cell) => cell,
  },
  number: {
    read: (cell) => {
      const [, number] = NUMBER.groups(plainDigits(cell));
      return number === undefined ? cell : NO_DIGIT.replace(number, '');
    },
  },
  joined: {
    read: (cell) => BETWEEN.replace(plainDigits(cell), ''),
  },
} as const satisfies Record<string, Format>;

export type BibFormat = keyof typeof BIB_FORMATS;

/** The first format that changes a bib of a file. */
export const otherFormatOf = (bib: string): BibFormat | undefined =>
  Object.keys(BIB_FORMATS)
    .filter(isBibFormat)
    .find((format) => readBib(format, bib) !== bib);

export const isBibFormat = (name: string): name is BibFormat => Object.hasOwn(BIB_FORMATS, name);

const WITH_ZERO = new Pattern(/^(\d{1,9})\.0$/);

/** The bib of a cell. Programs that read a column of bibs with an empty cell as numbers write `12.0`. */
export function readBib(format: BibFormat, cell: string): string {
  const trimmed = cell.trim();
  const whole = trimmed.includes('.') ? (WITH_ZERO.groups(trimmed)[1] ?? trimmed) : trimmed;
  return format === 'exact' ? whole : BIB_FORMATS[format].read(whole);
}
