import { copyOf, keyed, part, setText } from '../shared/dom.js';
import { formatGroup, text } from './formats.js';
import { byPlace, fillRow, fillTable } from './runner.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardGroup} Group */

/** Steps of a podium. A race of fewer finishers has none. */
const STEPS = 3;

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
      setText(part(card, 'p'), text('finishers', { count: group.finished }));
      table.setAttribute('aria-label', name);
      fillTable(table, group.leaders, distance);
    },
  );
}

/**
 * Shows the first three of a race on a podium.
 * @param {HTMLElement} place
 * @param {Group['leaders']} leaders
 * @param {string} distance
 */
export function fillPodium(place, leaders, distance) {
  const first = leaders.length < STEPS ? [] : leaders.slice(0, STEPS);
  place.hidden = first.length === 0;
  keyed(
    place,
    first,
    byPlace,
    () => copyOf('step'),
    (step, runner) => {
      fillRow(step, { ...runner, name: runner.name ?? formatGroup(runner) }, distance, true);
    },
  );
}
