import { basename } from 'node:path';
import { otherFormatOf } from '../../timing-files/read/bib-formats.ts';
import { codeOf, readOwn, replaceOwn } from '../own-files.ts';
import { reasonOf } from '../queue/item.ts';
import { markOfRejected, type Tally } from '../queue/state.ts';
import { pastedPath, say } from '../words.ts';
import type { Output } from './output.ts';
import type { Settings } from './settings.ts';
import { rejectedText } from './view.ts';

const ROWS_SAID = 10;

/** Stored results that lose splits. All else that a version changes is the state, or is sent. */
export function saySplitsLost(output: Output, path: string, bibs: readonly string[]): void {
  if (bibs.length === 0 || !output.isNew(`splits_lost ${path}`, '')) return;
  output.warning('splits_lost', { file: basename(path), count: bibs.length, bibs });
}

/** Each rejected row once, and once that bibs may be written in another form. @returns how many are new */
export function sayRejected(
  output: Output,
  rejected: Tally['rejected'],
  { folder }: Pick<Settings, 'folder'>,
): number {
  const fresh = rejected.filter((row) => output.isNew(markOfRejected(row), row.reason));
  for (const row of fresh.slice(0, ROWS_SAID)) {
    const { line, bib, code } = row;
    const reason = reasonOf(code, row.reason, bib);
    output.warning('rejected', { line, bib, reason, code }, rejectedText(row));
  }
  for (const { bib, code, file } of fresh) {
    const format = code === 'unknown_bib' && bib !== null ? otherFormatOf(bib) : undefined;
    if (format === undefined || !output.isNew('bib_format', '')) continue;
    output.warning('bib_format', { bib, format, path: pastedPath(folder, file) });
  }
  return fresh.length;
}

/** Keeps a file of rejected rows up to date. @param text blank if there are none: then an old file is emptied */
export async function keepRejected(output: Output, path: string, text: string): Promise<void> {
  if (((await readOwn(path)) ?? '') === text) return;
  try {
    await replaceOwn(path, text);
  } catch (error) {
    // A spreadsheet that has the file open lets nobody replace it.
    const problem = say('rejected_file_open', { path, error: codeOf(error) ?? error });
    output.once(path, 'rejected_file', {}, problem);
  }
}
