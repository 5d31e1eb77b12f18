import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judge } from '../../timing-files/read/result.ts';
import type { FileRow } from '../../timing-files/read/results-file.ts';
import { codeOf, digestOf, readOwn, replaceOwn } from '../own-files.ts';
import { rowOf, textOf } from '../queue/result-row.ts';
import type { RaceState, UnreadableRow } from '../queue/state.ts';
import { say } from '../words.ts';
import type { ReadFile } from './reading.ts';
import { ADDED_COLUMNS, rowsOf, withoutReasons } from './rows.ts';

type Reason = { reason: string; code: string };

/**
 * The rejected rows of a file as they stand in it, with the reason behind each. The header stands on the
 * line on which it stood, so that the file can be mended and sent with the same flags.
 */
export function rejectedCsv(
  { content, parameters, rows: read }: Pick<ReadFile, 'content' | 'parameters' | 'rows'>,
  rejected: RaceState['rejected'],
  unreadable: readonly UnreadableRow[],
): string {
  const lines = new Map<number, Reason>(unreadable.map((row) => [row.line, row]));
  // A file of rejected rows that is sent has the columns already.
  const header = withoutReasons(read.header);
  const rows: string[][] = [];
  for (const row of rowsOf(content, parameters)) {
    const why = lines.get(row.row) ?? rejectionOf(row, rejected);
    if (!why) continue;
    // Short rows are filled up, so that the reason stands in its column.
    const cells = header.map((_, at) => row.cells[at] ?? '');
    rows.push([...cells, why.reason, why.code, ...row.cells.slice(read.header.length)]);
  }
  if (rows.length === 0) return '';
  const { headerLine = 1 } = parameters;
  const titles = Array.from({ length: Math.max(headerLine - 1, 0) }, () => ['Rejected rows']);
  const table = [...titles, ...(headerLine === 0 ? [] : [[...header, ...ADDED_COLUMNS]]), ...rows];
  return `\uFEFF${table.map((cells) => `${lineOf(cells, read.delimiter)}\r\n`).join('')}`;
}

function rejectionOf(row: FileRow, rejected: RaceState['rejected']): Reason | undefined {
  const rejection = rejected.get(row.bib()?.trim() ?? '');
  if (!rejection) return undefined;
  try {
    return textOf(rowOf(judge(row.claim()))) === rejection.text ? rejection : undefined;
  } catch (error) {
    if (error instanceof RowError) return undefined;
    throw error;
  }
}

const lineOf = (cells: readonly string[], delimiter: string): string =>
  cells
    .map((cell) =>
      cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);

/**
 * Keeps a file of rejected rows up to date, but never what a person wrote into it.
 * @param text blank if no row is rejected
 * @param digest of what was written last
 * @returns the new digest, and what a person should know
 */
export async function writeRejected(
  path: string,
  text: string,
  digest: string | undefined,
): Promise<{ digest?: string; problem?: string }> {
  const next = digestOf(text);
  const same = digest === undefined ? {} : { digest };
  if (next === digest || (text === '' && digest === undefined)) return same;
  try {
    const found = (await readOwn(path)) ?? '';
    const isEdited = found !== '' && digest !== undefined && digestOf(found) !== digest;
    if (isEdited) return { ...same, problem: say('rejected_file_edited', { path }) };
    await replaceOwn(path, text);
    return { digest: next };
  } catch (error) {
    // A spreadsheet that has the file open lets nobody replace it.
    return { ...same, problem: say('rejected_file_open', { path, error: codeOf(error) ?? error }) };
  }
}
