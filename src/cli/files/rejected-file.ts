import type { Parameters } from '../../timing-files/read/parameters.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judge } from '../../timing-files/read/result.ts';
import type { FileRow } from '../../timing-files/read/results-file.ts';
import { codeOf, digestOf, readOwn, replaceOwn } from '../own-files.ts';
import { rowOf, textOf } from '../queue/result-row.ts';
import type { RaceState, Source, UnreadableRow } from '../queue/state.ts';
import { say } from '../words.ts';
import { type FileRows, rowsOf } from './rows.ts';

const ADDED_COLUMNS = ['reason', 'reason_code'];

/** Whether a header is that of a file of rejected rows. */
export const isMended = (header: readonly string[]): boolean =>
  header.slice(-ADDED_COLUMNS.length).join() === ADDED_COLUMNS.join();

export const withoutReasons = (header: readonly string[]): string[] =>
  header.slice(0, isMended(header) ? -ADDED_COLUMNS.length : undefined);

type ReadContent = {
  content: Uint8Array;
  parameters: Parameters;
  rows: Pick<FileRows, 'header' | 'delimiter'>;
};
type Reason = { reason: string; code: string };
type RejectedBibs = ReadonlyMap<string, Reason & { text: string }>;

/**
 * The rejected rows of a file as they stand in it, with the reason behind each. The header stands on the
 * line on which it stood, so that the file can be mended and sent with the same flags.
 */
export function rejectedCsv(
  { content, parameters, rows: read }: ReadContent,
  { byApi, unreadable }: { byApi: RejectedBibs; unreadable: readonly UnreadableRow[] },
): string | undefined {
  const lines = new Map<number, Reason>(unreadable.map((row) => [row.line, row]));
  // A file of rejected rows that is sent has the columns already.
  const header = withoutReasons(read.header);
  const rows: string[][] = [];
  for (const row of rowsOf(content, parameters)) {
    const why = lines.get(row.row) ?? rejectionOf(row, byApi);
    if (!why) continue;
    // Short rows are filled up, so that the reason stands in its column.
    const cells = header.map((_, at) => row.cells[at] ?? '');
    rows.push([...cells, why.reason, why.code, ...row.cells.slice(read.header.length)]);
  }
  if (rows.length === 0) return undefined;
  const { headerLine = 1 } = parameters;
  const titles = Array.from({ length: Math.max(headerLine - 1, 0) }, () => 'Rejected rows');
  const table = [...(headerLine === 0 ? [] : [[...header, ...ADDED_COLUMNS]]), ...rows];
  const text = [...titles, ...table.map((cells) => lineOf(cells, read.delimiter))];
  return `\uFEFF${text.join('\r\n')}\r\n`;
}

function rejectionOf(row: FileRow, byApi: RejectedBibs): Reason | undefined {
  const rejection = byApi.get(row.bib()?.trim() ?? '');
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

/** The rows of a file that no result came of. A person may have decided about the bib meanwhile. */
export const unreadableOf = ({ decisions }: RaceState, { unreadable }: Source): UnreadableRow[] =>
  unreadable.filter(({ bib }) => bib === null || !decisions.has(bib.trim()));

/**
 * Keeps a file of rejected rows up to date, but never what a person wrote into it.
 * @param text undefined if no row is rejected
 * @param digest of what was written last
 * @returns the new digest, and what a person should know
 */
export async function writeRejected(
  path: string,
  text: string | undefined,
  digest: string | undefined,
): Promise<{ digest: string | undefined; problem?: string }> {
  const next = text && digestOf(text);
  if (next === digest) return { digest };
  try {
    const found = await readOwn(path);
    const isEdited = found !== undefined && found !== '' && digestOf(found) !== digest;
    if (isEdited && digest !== undefined) {
      const problem = say('was_edited_by_hand_and', { path });
      return { digest, problem };
    }
    if (text !== undefined || found !== undefined) await replaceOwn(path, text ?? '');
    return { digest: next };
  } catch (error) {
    // A spreadsheet that has the file open lets nobody replace it.
    const problem = say('cannot_be_written_close_it', { path, error: codeOf(error) ?? error });
    return { digest, problem };
  }
}
