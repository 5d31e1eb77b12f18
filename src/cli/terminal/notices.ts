import { basename } from 'node:path';
import { bibOf, reasonOf, shortText } from '../queue/item.ts';
import { heldBackOf, NOTHING } from '../queue/record.ts';
import { type Compared, markOfRejected, type Tally } from '../queue/state.ts';
import type { Verdict } from '../queue/version.ts';
import { say } from '../words.ts';
import type { Output } from './output.ts';

const ROWS_SAID = 10;

/** Rows that are not sent: the bib is held, a DSQ would become a finisher, or many results would change at once. */
function sayWithheld(output: Output, file: string, { rows, known }: Verdict): void {
  const doubted: string[] = [];
  for (const { key, line, text, kind } of rows) {
    if (kind !== 'held' && kind !== 'held_back') continue;
    const one = known.get(key) ?? NOTHING;
    const bib = bibOf(key);
    if (heldBackOf(one) === 'many_changes') doubted.push(bib);
    else {
      const held = shortText(one.decision?.text);
      const values = { bib, line, file: basename(file), held, in_file: shortText(text) };
      output.once(`${kind} ${key} ${text}`, kind, values);
    }
  }
  if (doubted.length === 0) return;
  const values = { count: doubted.length, bibs: doubted, file: basename(file) };
  output.once(`many_changes ${file}`, 'held_many', values);
}

/** Each thing that a version changes or does not, and that a person may not expect. */
export function sayVerdict(output: Output, path: string, verdict: Verdict): void {
  sayWithheld(output, path, verdict);
  const { vanished, contested, restored, splitsLost } = verdict;
  const file = basename(path);
  const once = (type: 'vanished' | 'restored', keys: readonly string[]) => {
    const values = { file, bibs: keys.map(bibOf) };
    if (keys.length > 0) output.once(`${type} ${path}`, type, values);
  };
  once('vanished', vanished);
  once('restored', restored);
  if (splitsLost.length > 0 && output.isNew(`splits_lost ${path}`, '')) {
    output.warning('splits_lost', { file, count: splitsLost.length, bibs: splitsLost });
  }
  const [other] = contested;
  if (!other) return;
  const bibs = contested.map(({ key }) => bibOf(key));
  output.once(`contested ${path}`, 'contested', { file, bibs, other: basename(other.file) });
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
