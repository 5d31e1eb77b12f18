import { otherFormatOf } from '../../timing-files/read/bib-formats.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { REJECTED_COLUMNS } from '../../timing-files/write/own-files.ts';
import { type ReadFile, rowsOf } from '../files/reading.ts';
import { codeOf, readOwn, replaceOwn } from '../own-files.ts';
import { pastedPath, say } from '../words.ts';
import type { Output } from './output.ts';
import type { Settings } from './settings.ts';
import type { Rejected } from './view.ts';

const ROWS_SAID = 10;

/**
 * Reports each rejected row once, and reports once that the event may write its bibs otherwise.
 * @returns the number of new rows
 */
export function sayRejected(
  output: Output,
  rejected: readonly Rejected[],
  { folder }: Pick<Settings, 'folder'>,
): number {
  const fresh = rejected.filter(({ file, bib, line, code, text }) =>
    output.isNew([file, bib ?? line, code].join(' '), text),
  );
  for (const { line, bib, code, reason, text } of fresh.slice(0, ROWS_SAID)) {
    output.warning('rejected', { line, bib, reason, code }, text);
  }
  for (const { bib, code, file } of fresh) {
    const isOther = code === 'unknown_bib' && bib !== null && otherFormatOf(bib) !== undefined;
    if (!isOther || !output.isNew('bib_format', '')) continue;
    output.warning('bib_format', { bib, path: pastedPath(folder, file) });
  }
  return fresh.length;
}

/** Names the runners without a time and a status. */
export function sayOnCourse(output: Output, { onCourse: bibs }: Pick<ReadFile, 'onCourse'>): void {
  if (bibs.length > 0) output.progress('on_course', { count: bibs.length, bibs });
}

/** Keeps a file of rejected rows up to date. Without rejected rows, an old file is emptied. */
export async function keepRejected(
  output: Output,
  path: string,
  read: ReadFile,
  rejected: readonly Rejected[],
): Promise<void> {
  const text = rejectedCsv(read, rejected);
  if (((await readOwn(path)) ?? '') === text) return;
  try {
    await replaceOwn(path, text);
  } catch (error) {
    // A file open in a spreadsheet cannot be replaced.
    const problem = say('rejected_file_open', { path, error: codeOf(error) ?? error });
    output.once(path, 'rejected_file', {}, problem);
  }
}

/** The rejected rows of a file, unchanged, with line and reason behind each row. Blank without rejected rows. */
function rejectedCsv(read: ReadFile, rejected: readonly Rejected[]): string {
  const reasons = new Map(
    rejected.flatMap(({ line, key, code, reason }) => {
      const at = line ?? read.rows.get(key)?.line;
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
