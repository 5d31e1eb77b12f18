import { copyOf, keyed, part, setText } from '../shared/dom.js';
import { fillTable } from './runner.js';
import { formatGroup, formatNumber, texts } from './texts.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardGroup} Group */

/**
 * Shows the leaders of each group, one card per group.
 * @param {HTMLElement} place
 * @param {readonly Group[]} groups
 * @param {string} distance
 */
export function fillGroups(place, groups, distance) {
  keyed(
    place,
    groups,
    ({ gender, category }) => JSON.stringify([gender, category]),
    () => copyOf('group'),
    (card, group) => {
      const table = /** @type {HTMLTableElement} */ (part(card, 'table'));
      const name = formatGroup(group);
      setText(part(card, 'h3'), name);
      setText(part(card, 'p'), texts.finishers(group.finished, formatNumber(group.finished)));
      table.setAttribute('aria-label', name);
      fillTable(table, group.leaders, distance);
    },
  );
}
