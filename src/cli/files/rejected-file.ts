import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { REJECTED_COLUMNS } from '../../timing-files/write/own-files.ts';
import { codeOf, digestOf, replaceOwn } from '../own-files.ts';
import { bibOf, reasonOf } from '../queue/item.ts';
import { knownOf, type RaceState, type UnreadableRow } from '../queue/state.ts';
import { say } from '../words.ts';
import { type ReadFile, rowsOf } from './reading.ts';

/** The rejected rows of a file as they stand in it, with line and reason behind each. Blank if there are none. */
export function rejectedCsv(
  read: ReadFile,
  state: RaceState,
  unreadable: readonly UnreadableRow[],
): string {
  const reasons = new Map(
    unreadable.map(({ line, reason, code, bib }) => [line, [reasonOf(code, reason, bib), code]]),
  );
  for (const [key, { line, text }] of read.rows) {
    const { rejected } = knownOf(state, key);
    if (rejected?.text !== text) continue;
    const { reason, code } = rejected;
    reasons.set(line, [reasonOf(code, reason, bibOf(key)), code]);
  }
  if (reasons.size === 0) return '';
  const table = [[...read.header, ...REJECTED_COLUMNS]];
  for (const { row, cells } of rowsOf(read)) {
    const why = reasons.get(row);
    // Short rows are filled up, so that the reason stands in its column.
    const filled = read.header.map((_, at) => cells[at] ?? '');
    if (why) table.push([...filled, `${row}`, ...why]);
  }
  return BYTE_ORDER_MARK + table.map((cells) => csvLine(cells, read.delimiter)).join('');
}

/**
 * Keeps a file of rejected rows up to date.
 * @param text blank if no row is rejected
 * @param digest of what was written last
 * @returns the new digest, and what a person should know
 */
export async function writeRejected(
  path: string,
  text: string,
  digest: string | undefined,
): Promise<{ digest?: string | undefined; problem?: string }> {
  const next = digestOf(text);
  if (next === digest || (text === '' && digest === undefined)) return { digest };
  try {
    await replaceOwn(path, text);
    return { digest: next };
  } catch (error) {
    // A spreadsheet that has the file open lets nobody replace it.
    return { digest, problem: say('rejected_file_open', { path, error: codeOf(error) ?? error }) };
  }
}
