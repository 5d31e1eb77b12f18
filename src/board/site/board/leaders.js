import { element, keyed, setText } from './dom.js';
import { fillHead, fillRow, keyOf, makeRow } from './runner.js';
import { formatNumber, texts } from './texts.js';

/** @typedef {import('../../schemas.ts').BoardRunner} Runner */
/** @typedef {import('../../schemas.ts').BoardGroup} Group */

/**
 * @param {HTMLTableElement} table
 * @param {readonly Runner[]} runners in the order in which they are shown
 * @returns {Runner[]} those that were not there before
 */
export function fillTable(table, runners) {
  fillHead(table);
  const body = table.tBodies[0] ?? table.createTBody();
  return keyed(body, runners, keyOf, makeRow, fillRow);
}

/**
 * The first of each group, a card a group.
 * @param {HTMLElement} place
 * @param {readonly Group[]} groups
 * @param {(name: string) => string} nameOf
 */
export function fillGroups(place, groups, nameOf) {
  keyed(
    place,
    groups,
    ({ name }) => name,
    makeCard,
    (card, { name, finished, leaders }) => {
      const [heading, count] = card.querySelectorAll('h3, p');
      const table = card.querySelector('table');
      if (!heading || !count || !table) return;
      setText(heading, nameOf(name));
      setText(count, texts.finishers(finished, formatNumber(finished)));
      table.setAttribute('aria-label', nameOf(name));
      fillTable(table, leaders);
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
