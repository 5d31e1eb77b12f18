import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { REJECTED_COLUMNS } from '../../timing-files/write/own-files.ts';
import { type ReadFile, rowsOf } from './reading.ts';

type Rejected = { line: number | null; bib: string | null; code: string; reason: string };

/** The rejected rows of a file, unchanged, with line and reason behind each row. Blank without rejected rows. */
export function rejectedCsv(read: ReadFile, rejected: readonly Rejected[]): string {
  const reasons = new Map(
    rejected.flatMap(({ line, bib, code, reason }) => {
      const at = line ?? read.rows.get(bib ?? '')?.line;
      return at === undefined ? [] : [[at, [reason, code]] as const];
    }),
  );
  if (reasons.size === 0) return '';
  const table = [[...read.header, ...REJECTED_COLUMNS]];
  for (const { row, cells } of rowsOf(read)) {
    const why = reasons.get(row);
    // Fills short rows up, to put the reason into the reason's column.
    const filled = read.header.map((_, at) => cells[at] ?? '');
    if (why) table.push([...filled, `${row}`, ...why]);
  }
  return BYTE_ORDER_MARK + table.map((cells) => csvLine(cells, read.delimiter)).join('');
}
