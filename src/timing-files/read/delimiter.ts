import { recognizedMeanings } from './columns.ts';
import { DELIMITERS, splitRow } from './csv-reader.ts';
import type { Parameters } from './parameters.ts';

/** The order of preference if lines of data fit two delimiters. A comma is the last: the comma may be decimal. */
const BY_WEIGHT = ['\t', ';', '|', ','];
const LINES_LOOKED_AT = 20;

/** The delimiter of a file that starts with the header, or with data in a file without a header. */
export function sniffDelimiter(start: string, parameters: Parameters): string {
  if (parameters.headerLine !== 0) return delimiterOfHeader(start, parameters);
  const lines = start.split('\n', LINES_LOOKED_AT).filter((line) => line.trim() !== '');
  return delimiterOfData(lines);
}

/** The delimiter that gives the first row most meanings or, if equal, most columns. */
function delimiterOfHeader(start: string, parameters: Parameters): string {
  const weigh = (delimiter: string) => {
    const names = splitRow(start, delimiter);
    return recognizedMeanings(names, parameters) * 1_000_000 + names.length;
  };
  return DELIMITERS.reduce((best, delimiter) =>
    weigh(delimiter) > weigh(best) ? delimiter : best,
  );
}

/** The delimiter with which most lines have as many cells as the first line, and more than a single cell. */
export function delimiterOfData(lines: readonly string[]): string {
  const weigh = (delimiter: string) => {
    const cells = lines.map((line) => splitRow(line, delimiter).length);
    const [first = 1] = cells;
    return first === 1 ? 0 : cells.filter((count) => count === first).length;
  };
  return BY_WEIGHT.reduce((best, delimiter) => (weigh(delimiter) > weigh(best) ? delimiter : best));
}
