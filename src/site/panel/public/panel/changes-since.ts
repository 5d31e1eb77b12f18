import { byId, hide } from '../shared/dom.ts';
import type { OfficialResults, Runner } from './api.ts';
import { textOfParts as text } from './formats.ts';
import { say } from './page.ts';
import { changeItem, changeText } from './uploads/changes.tsx';

/** Shows what changed since an official version, a line for each bib. */
export function showChangesSince(version: OfficialResults | undefined): void {
  const { total = 0, first = [] } = version?.changes ?? {};
  hide({
    '#official-changes': version?.state !== 'changed_since',
    '#official-other': total > 0,
  });
  byId('official-change-list', HTMLElement).replaceChildren(...first.map(changeItem));
  const more = total - first.length;
  say(byId('official-more', HTMLElement), more > 0 ? text('changesMore', { count: more }) : '');
}

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
  // A list that is cut says nothing of the others.
  return changes && changes.total > changes.first.length ? '' : text('ownSame', { version });
}
