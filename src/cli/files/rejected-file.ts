import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { REJECTED_COLUMNS } from '../../timing-files/write/own-files.ts';
import { bibOf, reasonOf } from '../queue/item.ts';
import { knownOf, type RaceState, type UnreadableRow } from '../queue/state.ts';
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
