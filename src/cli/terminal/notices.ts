import { otherFormatOf } from '../../timing-files/read/bib-formats.ts';
import type { ReadFile } from '../files/reading.ts';
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

/** Keeps a file of rejected rows up to date. @param text blank without rejected rows: an old file is emptied */
export async function keepRejected(output: Output, path: string, text: string): Promise<void> {
  if (((await readOwn(path)) ?? '') === text) return;
  try {
    await replaceOwn(path, text);
  } catch (error) {
    // A file open in a spreadsheet cannot be replaced.
    const problem = say('rejected_file_open', { path, error: codeOf(error) ?? error });
    output.once(path, 'rejected_file', {}, problem);
  }
}
