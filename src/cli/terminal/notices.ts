import type { Verdict } from '../queue/decide.ts';
import type { Compared } from '../queue/queue.ts';
import { shortText } from '../queue/result-row.ts';
import type { Tally } from '../queue/state.ts';
import { say } from '../words.ts';
import type { Output } from './output.ts';

const ROWS_SAID = 10;

/** Rows that are not sent, because the bib is held or a DSQ would become a finisher. */
export function sayWithheld(output: Output, file: string, { rows, next }: Verdict): void {
  for (const { bib, line, text, kind } of rows) {
    if (kind !== 'held' && kind !== 'held_back') continue;
    const held = shortText(next.decisions.get(bib)?.text);
    const values = { bib, line, file, held, in_file: shortText(text) };
    output.once(`${kind} ${bib} ${text}`, kind, values);
  }
}

/** Each thing that a version changes or does not, and that a person may not expect. */
export function sayVerdict(output: Output, file: string, verdict: Verdict): void {
  sayWithheld(output, file, verdict);
  const { vanished, contested, restored } = verdict;
  if (vanished.length > 0) output.once(`vanished ${file}`, 'vanished', { file, bibs: vanished });
  if (restored.length > 0) output.once(`restored ${file}`, 'restored', { file, bibs: restored });
  const [other] = contested;
  if (!other) return;
  const bibs = contested.map(({ bib }) => bib);
  output.once(`contested ${file}`, 'contested', { file, bibs, other: other.file });
}

/** Each rejected row once. @returns how many are new */
export function sayRejected(output: Output, rejected: Tally['rejected']): number {
  const fresh = rejected.filter(({ line, bib, reason }) =>
    output.isNew(`rejected ${bib ?? line}`, reason),
  );
  for (const { line, bib, reason, code } of fresh.slice(0, ROWS_SAID)) {
    const where = { line: line ?? '-', bib: bib ?? '-' };
    output.warning('rejected', { line, bib, reason, code }, say('rejected', { ...where, reason }));
  }
  return fresh.length;
}

/** The differences that a comparison with the API found. */
export function sayCompared(output: Output, { lost, differences, resent }: Compared): void {
  if (lost.length > 0) output.error('lost', { count: lost.length, bibs: lost });
  if (resent.length > 0) output.progress('resent', { bibs: resent });
  for (const { bib, sent, held } of differences.slice(0, ROWS_SAID)) {
    output.warning('difference', { bib, sent: shortText(sent), held: shortText(held) });
  }
  const more = differences.length - ROWS_SAID;
  if (more > 0) output.warning('and_more', { more });
}
