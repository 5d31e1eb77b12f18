import type { BoardGroup, BoardResult } from '../../../../worker/board/answer-schemas.ts';
import { byId, copyOf, element, keyed, part, setText, write } from '../shared/dom.js';
import { formatNumber } from '../shared/texts.js';
import { parameter, setLink } from './address.ts';
import { formatGroup, formatPace, formatTime, text } from './formats.ts';
import { paceSeconds } from './pace.ts';

/** Steps of a podium. A race of fewer finishers has none. */
const STEPS = 3;

type Status = BoardResult['status'];

/** A runner in a table. Without a time there is a status, and no place. */
type Listed = Pick<BoardResult, 'bib_number' | 'name' | 'gender' | 'category'> & {
  time: string | null;
  place: number | null;
  status?: Status;
};

/** The time of a runner, or the status if there is no time. */
export const timeText = (time: string | null, status?: Status) =>
  time === null ? text(`status.${status ?? 'DNF'}`) : formatTime(time);

/**
 * Shows a time. The fraction of the second has its own, smaller element.
 * @param place with an element for the whole seconds and one for the fraction
 */
export function fillTime(place: Element, text: string): void {
  const [, whole = '', fraction = ''] = /^(.*?)(\.\d+)?$/s.exec(text) ?? [];
  const [first, second] = place.children;
  if (first) setText(first, whole);
  if (second) setText(second, fraction);
}

function fillBib(link: HTMLElement, bib: string | null): void {
  setText(link, bib ?? '–');
  if (bib === null) {
    link.removeAttribute('href');
    return;
  }
  setLink(link, { bib });
  link.setAttribute('aria-label', text('bibNamed', { bib }));
}

/**
 * @param row a copy of the template `row` or `step`
 * @param isTied another time has the same whole seconds
 */
function fillRow(row: HTMLElement, runner: Listed, distance: string, isTied: boolean): void {
  const details = formatGroup(runner);
  const seconds = paceSeconds(runner.time, distance);
  const isMine = runner.bib_number !== null && runner.bib_number === parameter('bib');
  write(row, {
    '.place': runner.place === null ? '' : formatNumber(runner.place),
    '.name': runner.name ?? '',
    '.details': details,
    '.pace': seconds === undefined ? '' : formatPace(seconds),
  });
  fillBib(part(row, '.bib'), runner.bib_number);
  fillTime(part(row, '.clock'), timeText(runner.time, runner.status));
  row.classList.toggle('out', runner.time === null);
  row.classList.toggle('tied', isTied);
  row.classList.toggle('mine', isMine);
}

const wholeSeconds = (time: string | null) => time?.replace(/\..*/, '');

/** A row keeps its place on the page and takes the next runner, so that nothing moves. */
const byPlace = (_: unknown, index: number) => String(index);

export function fillTable(table: HTMLElement, runners: readonly Listed[], distance: string): void {
  const isTied = ({ time }: Listed, index: number) =>
    time !== null &&
    [index - 1, index + 1].some(
      (at) => wholeSeconds(runners[at]?.time ?? null) === wholeSeconds(time),
    );
  keyed(
    part(table, 'tbody'),
    runners,
    byPlace,
    () => copyOf('row'),
    (row, runner, index) => fillRow(row, runner, distance, isTied(runner, index)),
  );
}

/** Fills a list of names with their values. */
export function fillPairs(list: HTMLElement, pairs: readonly (readonly [string, string])[]): void {
  keyed(
    list,
    pairs,
    byPlace,
    () => element('div', {}, element('dt', { dir: 'auto' }), element('dd', { class: 'figures' })),
    (pair, [name, value]) => write(pair, { dt: name, dd: value }),
  );
}

/** Shows the leaders of each group, one card for each. */
export function fillGroups(id: string, groups: readonly BoardGroup[], distance: string): void {
  keyed(
    byId(id, HTMLElement),
    groups,
    ({ gender, category }) => JSON.stringify([gender, category]),
    () => copyOf('group', text),
    (card, group) => {
      const name = formatGroup(group);
      write(card, { h3: name, p: text('finishers', { count: group.finished }) });
      const table = part(card, 'table');
      table.setAttribute('aria-label', name);
      fillTable(table, group.leaders, distance);
    },
  );
}

/** Shows the first three of a race on a podium. */
export function fillPodium(leaders: BoardGroup['leaders'], distance: string): void {
  const podium = part(document, '#podium');
  const first = leaders.length < STEPS ? [] : leaders.slice(0, STEPS);
  podium.hidden = first.length === 0;
  keyed(
    podium,
    first,
    byPlace,
    () => copyOf('step'),
    (step, runner) => fillRow(step, runner, distance, true),
  );
}
