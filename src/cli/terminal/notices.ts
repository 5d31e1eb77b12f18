import type { Verdict } from '../queue/decide.ts';
import type { Compared } from '../queue/queue.ts';
import { shortText } from '../queue/result-row.ts';
import type { Tally } from '../queue/state.ts';
import { say } from '../words.ts';
import type { Output } from './output.ts';

const ROWS_SAID = 10;

/** The held bibs of which a file says something else. */
export function sayDisagreeing(
  output: Output,
  { disagreeing }: Pick<Verdict, 'disagreeing'>,
): void {
  for (const { bib, line, held, text } of disagreeing) {
    const values = { bib, line, held: shortText(held), in_file: shortText(text) };
    output.once(`held ${bib} ${text}`, 'held', values);
  }
}

/** The rows of a version that are not sent, and why. */
export function sayVerdict(output: Output, file: string, verdict: Verdict): void {
  sayDisagreeing(output, verdict);
  const { vanished, heldBack, contested, restored } = verdict;
  for (const { bib, line, text } of heldBack) {
    const values = { bib, line, file, in_file: shortText(text) };
    output.once(`held back ${bib} ${text}`, 'held_back', values);
  }
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
