import { basename } from 'node:path';
import { reasonOf } from '../queue/item.ts';
import { markOfRejected, type Tally } from '../queue/state.ts';
import { say } from '../words.ts';
import type { Output } from './output.ts';

const ROWS_SAID = 10;

/** Stored results that lose splits. All else that a version changes is the state, or is sent. */
export function saySplitsLost(output: Output, path: string, bibs: readonly string[]): void {
  if (bibs.length === 0 || !output.isNew(`splits_lost ${path}`, '')) return;
  output.warning('splits_lost', { file: basename(path), count: bibs.length, bibs });
}

/** Each rejected row once. @returns how many are new */
export function sayRejected(output: Output, rejected: Tally['rejected']): number {
  const fresh = rejected.filter((row) => output.isNew(markOfRejected(row), row.reason));
  for (const { line, bib, code, ...row } of fresh.slice(0, ROWS_SAID)) {
    const reason = reasonOf(code, row.reason, bib);
    const where = { line: line ?? '-', bib: bib ?? '-' };
    const text = line === null ? reason : say('rejected', { ...where, reason });
    output.warning('rejected', { line, bib, reason, code }, text);
  }
  return fresh.length;
}
