import type { BoardList } from '../../../../worker/board/answer-schemas.ts';
import { byId, element, hide, keyed, part, setText, write } from '../shared/dom.ts';
import { goTo, openBibs, parameter, setLink } from './address.ts';
import { formatGroup, text } from './formats.ts';
import { Follower } from './poll.ts';
import { fillTable } from './runner.ts';

/** Rows of a page. The place of a finisher decides the page. */
export const PAGE_SIZE = 50;

const table = byId('list-rows', HTMLTableElement);
const choice = byId('list-group', HTMLSelectElement);

/** The place at the last scroll, on its page. Later answers move nothing. */
let sought = '';

const shown = new Follower<BoardList>(Infinity);

/** The address asks for the full list. */
export const isList = () => parameter('list') !== null;

/** The parameters of the list. A link to another view removes these parameters. */
export const NO_LIST = {
  ...{ list: undefined, gender: undefined, category: undefined },
  ...{ page: undefined, place: undefined },
};

/** @param changed called when a page has come */
export function wireList(changed: () => void): void {
  shown.changed = changed;
  choice.addEventListener('change', () => {
    const { gender = null, category = null } = groups.get(choice.value) ?? {};
    goTo({
      gender: gender ?? undefined,
      category: category ?? undefined,
      page: undefined,
      place: undefined,
    });
  });
  const wanted = byId('list-place', HTMLInputElement);
  byId('list-jump', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const place = Number.parseInt(wanted.value, 10);
    sought = '';
    if (place > 0) goTo({ page: pageName(Math.ceil(place / PAGE_SIZE)), place: String(place) });
  });
  // The next page begins at the top. The focus stays on the link, so that a reader can turn many pages.
  part(document, '#list-pager').addEventListener('click', () => {
    part(document, '#list').scrollIntoView();
  });
}

/** The first page has no number in the address. */
const pageName = (page: number) => (page === 1 ? undefined : String(page));

/**
 * Shows the page of the full list in the address.
 * @param board the address of the list's data
 */
export function showList(board: string, distance: string): void {
  const query = new URLSearchParams({ distance });
  for (const name of ['gender', 'category', 'page']) {
    const value = parameter(name);
    if (value) query.set(name, value);
  }
  shown.follow(`${board}/results?${query}`);
  render(distance);
}

/** Ends the requests for a list without readers. */
export function leaveList(): void {
  sought = '';
  shown.follow(undefined);
}

/** Requests the shown page again. */
export const refreshList = () => shown.ask();

const NOBODY: BoardList = { groups: [], rows: [], total: 0, page: 1, pages: 1 };

function render(distance: string): void {
  const state = shown.answer?.state;
  const list = state === 'none' ? NOBODY : shown.answer?.body;
  table.setAttribute('aria-busy', String(list === undefined));
  write(document, { '#list-title': [text('allResults'), distance].filter(Boolean).join(' · ') });
  setLink(part(document, '#list-back'), NO_LIST);
  if (!list) {
    const isLost = state === 'offline' || state === 'failing';
    write(document, { '#list-state': text(isLost ? `notice.${state}` : 'loading') });
    return;
  }
  const { page, pages, total } = list;
  // A page past the end leads to the last page.
  if (Number(parameter('page') ?? 1) > pages) {
    goTo({ page: pageName(page) }, false);
    return;
  }
  fillChoices(list);
  fillTable(table, list.rows, distance);
  seek(list);
  write(document, {
    '#list-state': total === 0 ? text('noMatch') : text('results', { count: total }),
    '#list-page': text('pageOf', { page, pages }),
  });
  hide({ '#list-pager': pages < 2 });
  linkPage('#list-previous', page - 1, page > 1);
  linkPage('#list-next', page + 1, page < pages);
}

/** Marks the row of the place in the address, or the open runner at this place, and scrolls to the row once. */
function seek({ rows, page }: BoardList): void {
  const place = Number.parseInt(parameter('place') ?? '', 10);
  const isPage = Math.ceil(place / PAGE_SIZE) === page;
  const own = rows.findIndex((row) => row.place === place && openBibs()[0] === row.bib_number);
  const at = own >= 0 ? own : isPage ? (place - 1) % PAGE_SIZE : -1;
  for (const [index, row] of [...(table.tBodies[0]?.rows ?? [])].entries()) {
    row.classList.toggle('sought', index === at);
    if (index === at && sought !== `${page} ${place}`) {
      sought = `${page} ${place}`;
      row.scrollIntoView({ block: 'center' });
    }
  }
}

function linkPage(selector: string, page: number, exists: boolean): void {
  const link = part(document, selector);
  link.setAttribute('aria-disabled', String(!exists));
  // A link without a target keeps its address, and so its focus.
  const target = pageName(exists ? page : Number(parameter('page') ?? 1));
  setLink(link, { page: target, place: undefined });
}

/** A gender, or a category: of a gender, or of all runners. */
type Group = { gender: string | null; category: string | null };

/** The groups of the choice, by their values. */
let groups: ReadonlyMap<string, Group> = new Map();

const keyOf = ({ gender, category }: Group) => JSON.stringify([gender, category]);

/** Each gender and its categories, since a place in a category counts within the gender. */
function fillChoices(list: BoardList): void {
  const chosen = { gender: parameter('gender'), category: parameter('category') };
  const known = list.groups.flatMap((group) => [{ gender: group.gender, category: null }, group]);
  const all = [ALL, ...known, chosen];
  groups = new Map(all.map((group) => [keyOf(group), group]));
  keyed(
    choice,
    [...groups.keys()],
    (value) => value,
    (value) => element('option', { value }),
    (option, value) => setText(option, formatGroup(groups.get(value) ?? ALL) || text('everybody')),
  );
  choice.value = keyOf(chosen);
}

const ALL: Group = { gender: null, category: null };
