import type { OfficialResults, Runner } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { changeText } from '../uploads/changes.tsx';

/**
 * The worth of a runner's result; empty without a result.
 * @param last the last official version: null without a version, undefined before the loading
 */
export function worthOf({ result, bib_number }: Runner, last: OfficialResults | null | undefined) {
  if (!result || last === undefined) return '';
  if (last === null) return text('worth.provisional', { version: 0 });
  const { version, state, changes } = last;
  if (state === 'official') return text('worth.official', { version });
  const own = changes?.first.find((change) => change.bib_number === bib_number);
  if (own) return text('ownChange', { version, what: changeText(own) });
  // A cut list says nothing of further runners, and without a list no comparison exists yet.
  return changes === null || changes.total > changes.first.length
    ? ''
    : text('ownSame', { version });
}
