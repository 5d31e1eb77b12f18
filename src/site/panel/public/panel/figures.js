import { element, keyed, part, setText } from '../shared/dom.js';
import { text } from './formats.js';

/**
 * Shows numbers with their names.
 * @param {HTMLElement} place
 * @param {readonly (readonly [string, number | string])[]} figures
 */
export function fillFigures(place, figures) {
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
