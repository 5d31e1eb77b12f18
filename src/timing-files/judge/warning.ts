import type { Lines } from '../read/lines.ts';
import type { WarningValues } from './sentence.ts';
import { type SentenceName, type ValuesOf, worded } from './sentences.ts';
import type { WarningCode } from './warning-codes.ts';

export type Warning = {
  code: WarningCode;
  detail: string;
  /** The values in `detail`, for sentences in other languages. */
  values: WarningValues;
  /** The first lines of the file behind the warning. Empty if the warning is about the whole file. */
  rows: number[];
  /** The choices of a person. Each query is ready for use behind `?`. */
  choices?: Choice[];
};

export type Choice = { query: string; why: string };

/** A warning, with its weight against a suggestion. */
export type Finding = Warning & {
  /** Rows that are probably stored wrong: 0 for a note, `REFUTED` if every row must be wrong. */
  against: number;
};

export const REFUTED = Number.POSITIVE_INFINITY;

/** A warning if `isSo`. */
export const warningIf = <Name extends SentenceName>(
  isSo: boolean,
  name: Name,
  values: ValuesOf<Name>,
  rows: readonly number[] = [],
): Warning[] => (isSo ? [{ ...worded(name, values), rows: [...rows] }] : []);

/** The sentences that name only the number of lines. */
type OfLines = {
  [Name in SentenceName]: { count: number } extends ValuesOf<Name> ? Name : never;
}[SentenceName];

/** A warning about lines, if there are any. */
export const aboutLines = (name: OfLines, { count, rows }: Lines): Warning[] =>
  warningIf(count > 0, name, { count }, rows);

/** A finding if `isSo`. */
export const findingIf = <Name extends SentenceName>(
  isSo: boolean,
  against: number,
  name: Name,
  values: ValuesOf<Name>,
  rows: readonly number[] = [],
): Finding[] => warningIf(isSo, name, values, rows).map((one) => ({ ...one, against }));

/** A finding that does not speak against a suggestion. */
export const asNote = (warning: Warning): Finding => ({ ...warning, against: 0 });

export const withoutWeight = ({ against: _, ...warning }: Finding): Warning => warning;

/** A finish that is so many times as late as the stored finish may be a second finish. */
export const SECOND_FINISH = 1.5;
