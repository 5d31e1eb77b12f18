import type { OfficialResults, Runner } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { changeText } from '../uploads/changes.tsx';

/**
 * What the result of a runner is worth; empty without a result.
 * @param last the last official version: null without one, undefined until it is known
 */
export function worthOf({ result, bib_number }: Runner, last: OfficialResults | null | undefined) {
  if (!result || last === undefined) return '';
  if (last === null) return text('worth.provisional', { version: 0 });
  const { version, state, changes } = last;
  if (state === 'official') return text('worth.official', { version });
  const own = changes?.first.find((change) => change.bib_number === bib_number);
  if (own) return text('ownChange', { version, what: changeText(own) });
  // A list that is cut says nothing of the other runners, and without a list nobody has compared yet.
  return changes === null || changes.total > changes.first.length
    ? ''
    : text('ownSame', { version });
}
