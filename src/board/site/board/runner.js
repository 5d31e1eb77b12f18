import { element, setText } from './dom.js';
import { formatNumber, formatTime, texts } from './texts.js';

/** @typedef {import('../../schemas.ts').BoardRunner} Runner */
/** @typedef {Pick<Runner, 'chip_time' | 'gun_time' | 'status'>} Timed */

/** What counts: net time, or gross where there is none; or why there is neither. @param {Timed} runner */
export function timeOf({ chip_time, gun_time, status }) {
  const time = chip_time ?? gun_time;
  return time === null ? texts.status[status] : formatTime(time);
}

/**
 * Says it with the fraction of its second apart, which is worth less room.
 * @param {Element} place made by makeTime
 * @param {Timed} runner
 */
export function fillTime(place, runner) {
  const [, whole = '', fraction = ''] = /^(.*?)(\.\d+)?$/s.exec(timeOf(runner)) ?? [];
  const [first, second] = place.children;
  if (first) setText(first, whole);
  if (second) setText(second, fraction);
}

/** @returns {[HTMLElement, HTMLElement]} */
export const makeTime = () => [element('span', {}), element('small', {})];

/** What a runner is, in a line. @param {Runner} runner */
const detailsOf = ({ gender, category, distance }) =>
  [gender, category, distance].filter((part) => typeof part === 'string');

/** Bibs are unique in an event; a registration may have lost its own. @param {Runner} runner @param {number} index */
export const keyOf = ({ bib_number }, index) => bib_number ?? `without ${index}`;

/** A row of a table: place, bib, runner, time. @returns {HTMLTableRowElement} */
export function makeRow() {
  const bib = element('a', { class: 'bib' });
  const name = element('bdi', { class: 'name' });
  const details = element('span', { class: 'details' });
  return element(
    'tr',
    {},
    element('td', { class: 'place' }),
    element('td', { class: 'bib-cell' }, bib),
    element('td', { class: 'runner' }, name, details),
    element('td', { class: 'time' }, ...makeTime()),
  );
}

/**
 * @param {HTMLElement} row made by makeRow
 * @param {Runner} runner
 */
export function fillRow(row, runner) {
  const part = (/** @type {string} */ selector) =>
    /** @type {Element} */ (row.querySelector(selector));
  setText(part('.place'), formatNumber(runner.place));
  const bib = part('.bib');
  setText(bib, runner.bib_number ?? '–');
  if (runner.bib_number === null) bib.removeAttribute('href');
  else {
    const href = `?bib=${encodeURIComponent(runner.bib_number)}`;
    if (bib.getAttribute('href') !== href) bib.setAttribute('href', href);
    bib.setAttribute('aria-label', texts.bibNamed(runner.bib_number));
  }
  setText(part('.name'), runner.name ?? '');
  fillDetails(part('.details'), detailsOf(runner));
  fillTime(part('.time'), runner);
  row.classList.toggle('out', runner.status !== 'FINISHED');
}

/**
 * Parts side by side, each in its own direction of writing.
 * @param {Element} place
 * @param {readonly string[]} parts
 */
function fillDetails(place, parts) {
  if (place.children.length !== parts.length) {
    place.replaceChildren(...parts.map(() => element('bdi', {})));
  }
  parts.forEach((part, index) => {
    const child = place.children[index];
    if (child) setText(child, part);
  });
}

/**
 * The head of such a table.
 * @param {HTMLTableElement} table
 */
export function fillHead(table) {
  const names = [texts.place, texts.bib, texts.runner, texts.time];
  const head = table.tHead ?? table.createTHead();
  if (!head.rows[0]) {
    const cells = names.map(() => element('th', { scope: 'col' }));
    head.append(element('tr', {}, ...cells));
  }
  names.forEach((name, index) => {
    const cell = head.rows[0]?.cells[index];
    if (cell) setText(cell, name);
  });
}
