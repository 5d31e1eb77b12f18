import { element, keyed, part, setText } from '../shared/dom.ts';
import { text } from './formats.ts';

/** Shows numbers with their names. */
export function fillFigures(
  place: HTMLElement,
  figures: readonly (readonly [string, number | string])[],
) {
  keyed(
    place,
    figures,
    ([name]) => name,
    () => element('div', {}, element('dt', {}), element('dd', {})),
    (item, [name, count]) => {
      setText(part(item, 'dt'), name);
      setText(
        part(item, 'dd'),
        typeof count === 'number' ? text('number', { value: count }) : count,
      );
      item.classList.toggle('none', count === 0);
    },
  );
}
