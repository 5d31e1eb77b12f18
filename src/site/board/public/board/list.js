import { byId, element, keyed, setText } from '../shared/dom.js';
import { goTo, parameter, setAddress, setLink } from './address.js';
import { formatGender, text } from './formats.js';
import { poll } from './poll.js';
import { fillTable } from './runner.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardList} List */

/** Rows of a page. The place of a finisher says on which page it is. */
export const PAGE_SIZE = 50;

const table = byId('list-rows', HTMLTableElement);
const state = byId('list-state', HTMLElement);
const genders = byId('list-gender', HTMLSelectElement);
const categories = byId('list-category', HTMLSelectElement);

/** The list that is shown, by its query. @type {{ query: string, stop(): void } | undefined} */
let asked;
/** @type {import('./poll.js').Polled<List>} */
let answer = { state: 'connecting', body: undefined, asOf: undefined };

/** The address asks for the full list. */
export const isList = () => parameter('list') !== null;

/** The parameters of the list. A link away from it removes them. */
export const NO_LIST = { list: undefined, gender: undefined, category: undefined, page: undefined };

export function wireList() {
  genders.addEventListener('change', () => {
    goTo({ gender: genders.value || undefined, category: undefined, page: undefined });
  });
  categories.addEventListener('change', () => {
    goTo({ category: categories.value || undefined, page: undefined });
  });
  const wanted = byId('list-place', HTMLInputElement);
  byId('list-jump', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const place = Number.parseInt(wanted.value, 10);
    if (place > 0) goTo({ page: pageName(Math.ceil(place / PAGE_SIZE)) });
  });
  // The next page begins at its top. The focus stays on the link, so that a reader can turn many pages.
  byId('list-pager', HTMLElement).addEventListener('click', () => {
    byId('list', HTMLElement).scrollIntoView();
  });
}

/** The first page has no number in the address. @param {number} page */
const pageName = (page) => (page === 1 ? undefined : String(page));

/**
 * Shows the page of the full list that the address asks for.
 * @param {string} board the address of its data
 * @param {string} distance
 * @param {boolean} [afresh] asks again for a page that is shown
 */
export function showList(board, distance, afresh = false) {
  const query = new URLSearchParams({ distance });
  for (const name of ['gender', 'category', 'page']) {
    const value = parameter(name);
    if (value) query.set(name, value);
  }
  if (afresh || asked?.query !== String(query)) {
    leaveList();
    const { stop } = poll(`${board}/results?${query}`, Infinity, undefined, (now) => {
      answer = now;
      render(distance);
    });
    asked = { query: String(query), stop };
  }
  render(distance);
}

/** Stops asking for a list that is no longer shown. */
export function leaveList() {
  asked?.stop();
  asked = undefined;
  answer = { state: 'connecting', body: undefined, asOf: undefined };
}

/** @type {List} */
const NOBODY = { groups: [], rows: [], total: 0, page: 1, pages: 1 };

/** @param {string} distance */
function render(distance) {
  const { state: now, body } = answer;
  const list = now === 'none' ? NOBODY : body;
  table.setAttribute('aria-busy', String(list === undefined));
  setText(
    byId('list-title', HTMLElement),
    [text('allResults'), distance].filter((part) => part).join(' · '),
  );
  setLink(byId('list-back', HTMLAnchorElement), NO_LIST);
  if (!list) {
    setText(state, text(now === 'offline' || now === 'failing' ? `notice.${now}` : 'loading'));
    return;
  }
  fillChoices(list);
  fillTable(table, list.rows, distance);
  const isBeyond = Number(parameter('page') ?? 1) > list.pages;
  if (isBeyond) {
    if (asked)
      asked.query = asked.query.replace(/&page=\d+/, list.page > 1 ? `&page=${list.page}` : '');
    setAddress({ page: pageName(list.page) });
  }
  setText(state, list.total === 0 ? text('noMatch') : text('results', { count: list.total }));
  const pager = byId('list-pager', HTMLElement);
  pager.hidden = list.pages < 2;
  setText(byId('list-page', HTMLElement), text('pageOf', { page: list.page, pages: list.pages }));
  pageLink('list-previous', text('previous'), list.page - 1, list.page > 1);
  pageLink('list-next', text('next'), list.page + 1, list.page < list.pages);
}

/**
 * @param {string} id
 * @param {string} text
 * @param {number} page
 * @param {boolean} exists
 */
function pageLink(id, text, page, exists) {
  const link = byId(id, HTMLAnchorElement);
  setText(link, text);
  link.setAttribute('aria-disabled', String(!exists));
  // A link that leads nowhere keeps its address, and with it the focus.
  setLink(link, { page: pageName(exists ? page : Number(parameter('page') ?? 1)) });
}

/** @param {List} list */
function fillChoices({ groups }) {
  const gender = parameter('gender');
  const inGender = groups.filter((group) => gender === null || group.gender === gender);
  choices(genders, text('genderLabel'), distinct(groups, 'gender'), gender, formatGender);
  choices(
    categories,
    text('categoryLabel'),
    distinct(inGender, 'category'),
    parameter('category'),
    String,
  );
}

/** @param {List['groups']} groups @param {'gender' | 'category'} column */
const distinct = (groups, column) => [
  ...new Set(groups.flatMap((group) => (group[column] ? [group[column]] : []))),
];

/**
 * @param {HTMLSelectElement} select
 * @param {string} all the text of the choice of no filter
 * @param {readonly string[]} values
 * @param {string | null} chosen
 * @param {(value: string) => string} nameOf
 */
function choices(select, all, values, chosen, nameOf) {
  const known = chosen === null || values.includes(chosen) ? values : [...values, chosen];
  keyed(
    select,
    ['', ...known],
    (value) => `=${value}`,
    (value) => element('option', { value }),
    (option, value) => setText(option, value === '' ? all : nameOf(value)),
  );
  select.value = chosen ?? '';
}
