import { codeOf, digestOf, readOwn, replaceOwn } from '../own-files.ts';
import type { RaceState, UnreadableRow } from '../queue/state.ts';
import { csvLine } from '../queue/upload.ts';
import { say } from '../words.ts';
import { ADDED_COLUMNS, type ReadFile, rowsOf, withoutReasons } from './reading.ts';

/**
 * The rejected rows of a file as they stand in it, with the reason behind each. The header stands on the
 * line on which it stood, so that the file can be mended and sent with the same flags.
 */
export function rejectedCsv(
  read: ReadFile,
  rejected: RaceState['rejected'],
  unreadable: readonly UnreadableRow[],
): string {
  const reasons = new Map(unreadable.map(({ line, reason, code }) => [line, [reason, code]]));
  for (const [bib, { line, text }] of read.results) {
    const found = rejected.get(bib);
    if (found?.text === text) reasons.set(line, [found.reason, found.code]);
  }
  if (reasons.size === 0) return '';
  // A file of rejected rows that is sent has the columns already.
  const header = withoutReasons(read.header);
  const { headerLine = 1 } = read.parameters;
  const table = Array.from({ length: Math.max(headerLine - 1, 0) }, () => ['Rejected rows']);
  if (headerLine > 0) table.push([...header, ...ADDED_COLUMNS]);
  for (const { row, cells } of rowsOf(read)) {
    const why = reasons.get(row);
    // Short rows are filled up, so that the reason stands in its column.
    const filled = header.map((_, at) => cells[at] ?? '');
    if (why) table.push([...filled, ...why, ...cells.slice(read.header.length)]);
  }
  return `\uFEFF${table.map((cells) => csvLine(cells, read.delimiter, '\r\n')).join('')}`;
}

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
): Promise<{ digest?: string | undefined; problem?: string }> {
  const next = digestOf(text);
  if (next === digest || (text === '' && digest === undefined)) return { digest };
  try {
    const found = (await readOwn(path)) ?? '';
    const isEdited = found !== '' && digest !== undefined && digestOf(found) !== digest;
    if (isEdited) return { digest, problem: say('rejected_file_edited', { path }) };
    await replaceOwn(path, text);
    return { digest: next };
  } catch (error) {
    // A spreadsheet that has the file open lets nobody replace it.
    return { digest, problem: say('rejected_file_open', { path, error: codeOf(error) ?? error }) };
  }
}
