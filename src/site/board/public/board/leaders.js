import { element, keyed, setText } from '../shared/dom.js';
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
    makeCard,
    (card, group) => {
      const [heading, count] = card.querySelectorAll('h3, p');
      const table = card.querySelector('table');
      if (!heading || !count || !table) return;
      const name = formatGroup(group);
      setText(heading, name);
      setText(count, texts.finishers(group.finished, formatNumber(group.finished)));
      table.setAttribute('aria-label', name);
      fillTable(table, group.leaders, distance);
    },
  );
}

const makeCard = () =>
  element(
    'section',
    { class: 'card' },
    element('header', {}, element('h3', { dir: 'auto' }), element('p', {})),
    element('table', { class: 'rows compact' }),
  );
