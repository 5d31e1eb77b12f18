import { element, keyed, setText } from './dom.js';
import { fillHead, fillRow, keyOf, makeRow } from './runner.js';
import { formatNumber, texts } from './texts.js';

/** @typedef {import('../../schemas.ts').BoardRunner} Runner */
/** @typedef {import('../../schemas.ts').BoardGroup} Group */

/**
 * @param {HTMLTableElement} table
 * @param {readonly Runner[]} runners in the order in which they are shown
 * @param {(runner: Runner, index: number) => number | null} placeOf
 * @returns {Runner[]} those that were not there before
 */
export function fillTable(table, runners, placeOf) {
  fillHead(table);
  const body = table.tBodies[0] ?? table.createTBody();
  return keyed(body, runners, keyOf, makeRow, (row, runner, index) =>
    fillRow(row, runner, placeOf(runner, index)),
  );
}

/**
 * The first of each group, a card a group.
 * @param {HTMLElement} place
 * @param {readonly Group[]} groups
 * @param {(name: string) => string} nameOf
 * @param {(runner: Runner) => number | null | undefined} officialPlace undefined where there is none
 */
export function fillGroups(place, groups, nameOf, officialPlace) {
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
      fillTable(table, leaders, (runner, index) => officialPlace(runner) ?? rankIn(leaders, index));
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

/**
 * 1, 2, 2, 4: those of one time share a place.
 * @param {readonly Runner[]} leaders
 * @param {number} index
 */
function rankIn(leaders, index) {
  const timeAt = (/** @type {number} */ at) => leaders[at]?.chip_time ?? leaders[at]?.gun_time;
  let first = index;
  while (first > 0 && timeAt(first - 1) === timeAt(index)) first -= 1;
  return first + 1;
}
