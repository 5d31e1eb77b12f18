import { copyOf, element, keyed, part, setText } from '../shared/dom.js';
import { formatNumber } from '../shared/texts.js';
import { parameter, setLink } from './address.js';
import { formatGroup, formatPace, formatTime, text } from './formats.js';
import { paceSeconds } from './pace.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardResult} Result */

/** A longer bib leaves no room beside it on a narrow screen. */
const SHORT_BIB = 6;

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
  time === null ? text(`status.${status ?? 'DNF'}`) : formatTime(time);

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

/** @param {HTMLElement} link @param {string | null} bib */
function fillBib(link, bib) {
  setText(link, bib ?? '–');
  if (bib === null) {
    link.removeAttribute('href');
    return;
  }
  setLink(link, { bib });
  link.setAttribute('aria-label', text('bibNamed', { bib }));
}

/**
 * @param {HTMLElement} row a copy of the template `row` or `step`
 * @param {Listed} runner
 * @param {string} distance
 * @param {boolean} [isTied] another time has the same whole seconds
 */
export function fillRow(row, runner, distance, isTied = false) {
  setText(part(row, '.place'), runner.place === null ? '' : formatNumber(runner.place));
  fillBib(part(row, '.bib'), runner.bib_number);
  setText(part(row, '.name'), runner.name ?? '');
  fillTime(part(row, '.clock'), timeText(runner.time, runner.status));
  row.classList.toggle('out', runner.time === null);
  row.classList.toggle('tied', isTied);
  row.classList.toggle(
    'mine',
    runner.bib_number !== null && runner.bib_number === parameter('bib'),
  );
  const details = row.querySelector('.details');
  const pace = row.querySelector('.pace');
  if (details) setText(details, formatGroup(runner));
  const seconds = paceSeconds(runner.time, distance);
  if (pace) setText(pace, seconds === undefined ? '' : formatPace(seconds));
}

/** @param {string | null} time */
const wholeSeconds = (time) => time?.replace(/\..*/, '');

/** A row keeps its place on the page and takes the next runner, so that nothing moves. @param {unknown} _ @param {number} index */
export const byPlace = (_, index) => String(index);

/**
 * Fills a table of runners.
 * @param {HTMLTableElement} table
 * @param {readonly Listed[]} runners
 * @param {string} distance
 */
export function fillTable(table, runners, distance) {
  const names = [text('place'), text('bib'), text('runner'), text('time')];
  const head = table.tHead ?? table.createTHead();
  if (!head.rows[0]) {
    head.append(element('tr', {}, ...names.map(() => element('th', { scope: 'col' }))));
  }
  names.forEach((name, index) => {
    const cell = head.rows[0]?.cells[index];
    if (cell) setText(cell, name);
  });
  table.classList.toggle(
    'long-bibs',
    runners.some(({ bib_number }) => (bib_number?.length ?? 0) > SHORT_BIB),
  );
  const isTied = (/** @type {Listed} */ { time }, /** @type {number} */ index) =>
    time !== null &&
    [index - 1, index + 1].some(
      (at) => wholeSeconds(runners[at]?.time ?? null) === wholeSeconds(time),
    );
  keyed(
    table.tBodies[0] ?? table.createTBody(),
    runners,
    byPlace,
    () => copyOf('row'),
    (row, runner, index) => fillRow(row, runner, distance, isTied(runner, index)),
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
    byPlace,
    () => element('div', {}, element('dt', { dir: 'auto' }), element('dd', { class: 'figures' })),
    (pair, { name, value }) => {
      const [term, detail] = pair.children;
      if (term) setText(term, name);
      if (detail) setText(detail, value);
    },
  );
}
