import type { ResultContent, Passing as StoredPassing } from '../../client/index.ts';
import { foldedPoint } from '../../timing-files/read/point.ts';
import {
  formatRaceTime,
  formatRaceTimeOrNull,
  parseRaceTime,
} from '../../timing-files/read/race-time.ts';
import type { Result } from '../../timing-files/read/result.ts';
import { isText, say } from '../words.ts';

/** A result in the API's form: statuses spelled out, times as `HH:MM:SS.mmm`. */
export type ResultRow = ResultContent & { bib_number: string };

/** The time of a bib at a point on the course, as `HH:MM:SS.mmm` since the start. */
export type Passing = Pick<StoredPassing, 'point' | 'time'> & { bib_number: string };

/** The text of a file's row, with the row's line number. */
export type FileRowText = { text: string; file: string; line: number };

export const rowOf = (result: Result): ResultRow => ({
  bib_number: result.bib,
  status: result.status,
  chip_time: formatRaceTimeOrNull(result.chipTimeMs),
  gun_time: formatRaceTimeOrNull(result.gunTimeMs),
  splits: splitsOf(result),
});

export const splitsOf = ({ splitNames, splitTimesMs }: Result): Record<string, string> =>
  Object.fromEntries(splitNames.map((name, at) => [name, formatRaceTime(splitTimesMs[at] ?? 0)]));

/** Equal texts are equal results: the order of the splits does not count. */
export function textOf({ bib_number, status, chip_time, gun_time, splits }: ResultRow): string {
  const sorted = Object.entries(splits).sort(([one], [other]) => (one < other ? -1 : 1));
  const row = { bib_number, status, chip_time, gun_time, splits: Object.fromEntries(sorted) };
  return JSON.stringify(row);
}

export const textOfPassing = ({ bib_number, point, time }: Passing): string =>
  JSON.stringify({ bib_number, point, time });

/** Only for texts of `textOf`. */
export const rowIn = (text: string): ResultRow => JSON.parse(text);

/** The passing of a text; undefined for a result. */
export function passingIn(text: string): Passing | undefined {
  const found: ResultRow | Passing = JSON.parse(text);
  return 'point' in found ? found : undefined;
}

const BETWEEN = '\n';

/** A bib, or a bib at a point: the API holds a single text under this key. Points are compared as in the API. */
export const keyOf = (bib: string, point?: string): string =>
  point === undefined ? bib : bib + BETWEEN + foldedPoint(point);

export const pointOf = (key: string): string | undefined => key.split(BETWEEN)[1];
export const bibOf = (key: string): string => key.split(BETWEEN)[0] ?? key;

export const keyOfText = (text: string): string => {
  const { bib_number, point }: { bib_number: string; point?: string } = JSON.parse(text);
  return keyOf(bib_number, point);
};

/**
 * Whether two texts of a key are equal, apart from a point's spelling: the API keeps the spelling of the first upload.
 */
export const isSame = (one: string | null, other: string | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.includes(POINT) && timeIn(one) === timeIn(other));

const POINT = '"point":';
const timeIn = (text: string) => /"time":"([^"]*)"/.exec(text)?.[1];

/** The time of a finisher. */
export function finishMs(text: string): number | undefined {
  const { status, chip_time, gun_time } = rowIn(text);
  return status === 'FINISHED' ? parseRaceTime(chip_time ?? gun_time ?? '') : undefined;
}

/** `FINISHED 01:28:03.000`, `DSQ`: a result for people. */
export function shortResult({ status, chip_time, gun_time }: ResultRow): string {
  const finish = chip_time ?? gun_time;
  return finish === null ? status : `${status} ${finish}`;
}

export function shortText(text: string | undefined | null): string {
  if (text == null) return '-';
  const passing = passingIn(text);
  return passing ? `${passing.point} ${passing.time}` : shortResult(rowIn(text));
}

/** Why a row was rejected, in the language of the computer. */
export function reasonOf(code: string, reason: string, bib: string | null): string {
  const key = `reason_${code}`;
  const [, found = '-'] = /"([^"]*)"/.exec(reason) ?? [];
  return isText(key) ? say(key, { bib: bib ?? '-', found, reason }) : reason;
}
