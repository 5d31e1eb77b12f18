import { copyOf, element, keyed, part, setText } from '../shared/dom.js';
import { addressWith } from './address.js';
import { paceSeconds } from './pace.js';
import { formatGroup, formatNumber, formatPace, formatTime, texts } from './texts.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardResult} Result */

/**
 * A runner in a table. Without a time there is a status, and no place.
 * @typedef {object} Listed
 * @property {string | null} bib_number
 * @property {string | null} name
 * @property {string | null} gender
 * @property {string | null} category
 * @property {string | null} time
 * @property {number | null} place
 * @property {Result['status']} [status]
 */

/**
 * The time of a runner, or the status if there is no time.
 * @param {string | null} time
 * @param {Result['status']} [status]
 */
export const timeText = (time, status) =>
  time === null ? texts.status[status ?? 'DNF'] : formatTime(time);

/**
 * Shows a time. The fraction of the second has its own, smaller element.
 * @param {Element} place with an element for the whole seconds and one for the fraction
 * @param {string} text
 */
export function fillTime(place, text) {
  const [, whole = '', fraction = ''] = /^(.*?)(\.\d+)?$/s.exec(text) ?? [];
  const [first, second] = place.children;
  if (first) setText(first, whole);
  if (second) setText(second, fraction);
}

/**
 * @param {HTMLElement} row a copy of the template `row`
 * @param {Listed} runner
 * @param {string} distance
 */
function fillRow(row, runner, distance) {
  setText(part(row, '.place'), runner.place === null ? '' : formatNumber(runner.place));
  const bib = part(row, '.bib');
  setText(bib, runner.bib_number ?? '–');
  if (runner.bib_number === null) bib.removeAttribute('href');
  else {
    const href = addressWith({ bib: runner.bib_number });
    if (bib.getAttribute('href') !== href) bib.setAttribute('href', href);
    bib.setAttribute('aria-label', texts.bibNamed(runner.bib_number));
  }
  setText(part(row, '.name'), runner.name ?? '');
  setText(part(row, '.details'), formatGroup(runner));
  fillTime(part(row, '.clock'), timeText(runner.time, runner.status));
  const pace = paceSeconds(runner.time, distance);
  setText(part(row, '.pace'), pace === undefined ? '' : formatPace(pace));
  row.classList.toggle('out', runner.time === null);
}

/**
 * Fills a table of runners. A row keeps its place on the page and takes the next runner, so that nothing
 * moves.
 * @param {HTMLTableElement} table
 * @param {readonly Listed[]} runners
 * @param {string} distance
 */
export function fillTable(table, runners, distance) {
  const names = [texts.place, texts.bib, texts.runner, texts.time];
  const head = table.tHead ?? table.createTHead();
  if (!head.rows[0]) {
    head.append(element('tr', {}, ...names.map(() => element('th', { scope: 'col' }))));
  }
  names.forEach((name, index) => {
    const cell = head.rows[0]?.cells[index];
    if (cell) setText(cell, name);
  });
  const body = table.tBodies[0] ?? table.createTBody();
  keyed(
    body,
    runners,
    (_, index) => String(index),
    () => copyOf('row'),
    (row, runner) => fillRow(row, runner, distance),
  );
}

/**
 * @param {HTMLElement} list
 * @param {readonly { name: string, value: string }[]} pairs
 */
export function fillPairs(list, pairs) {
  keyed(
    list,
    pairs,
    (_, index) => String(index),
    () => element('div', {}, element('dt', { dir: 'auto' }), element('dd', {})),
    (pair, { name, value }) => {
      const [term, detail] = pair.children;
      if (term) setText(term, name);
      if (detail) setText(detail, value);
    },
  );
}
