import { QuotedCell } from './csv.ts';

type Times = Readonly<Record<string, number>>;

/** A name whose JSON needs no guard and no escape, in a cell of quotes. */
const SIMPLE_NAME = /^[\p{L}\p{N} ._()/]+$/u;
/** The simple names, in the form before their times. A race has few names, and each row repeats them. */
const beforeTimes = new Map<string, string>();
const NAMES_KEPT = 1_000;

function beforeTime(name: string): string | undefined {
  let text = beforeTimes.get(name);
  if (text === undefined && SIMPLE_NAME.test(name)) {
    text = `""${name}"":""`;
    if (beforeTimes.size < NAMES_KEPT) beforeTimes.set(name, text);
  }
  return text;
}

/**
 * The splits of a result as a cell of a CSV file: a JSON object. To put each quote of a JSON text twice takes longer
 * than to write the text so.
 * @param toJson makes the object of splits whose names need an escape
 */
export function splitsCell(
  splits: Times,
  formatTime: (timeMs: number) => string,
  toJson: (splits: Times) => object,
): QuotedCell | object {
  let members = '';
  for (const [name, timeMs] of Object.entries(splits)) {
    const before = beforeTime(name);
    if (before === undefined) return toJson(splits);
    members += `${members === '' ? '' : ','}${before}${formatTime(timeMs)}""`;
  }
  return members === '' ? {} : new QuotedCell(`"{${members}}"`);
}

/**
 * The splits given to `splitsCell`, with their times as written.
 * @param cell without the guard against formulas
 * @returns undefined if `splitsCell` cannot have written the cell
 */
export function splitsOfCell(cell: string): [name: string, time: string][] | undefined {
  if (cell.trim() === '') return [];
  try {
    const splits: unknown = JSON.parse(cell);
    if (splits === null || typeof splits !== 'object') return undefined;
    return Object.entries(splits).map(([name, time]) => [name, String(time)]);
  } catch {
    return undefined;
  }
}
