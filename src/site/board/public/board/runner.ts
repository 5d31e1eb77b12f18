import { paceSeconds } from '../../../../timing-files/read/pace.ts';
import { secondsBehind } from '../../../../timing-files/write/whole-seconds.ts';
import type {
  BoardGroup,
  BoardRace,
  BoardResult,
} from '../../../../worker/board/answer-schemas.ts';
import { byId, copyOf, element, keyed, part, setText, write } from '../shared/dom.ts';
import { formatNumber } from '../shared/texts.ts';
import { openBibs, opening, setLink } from './address.ts';
import { formatGroup, formatPace, formatTime, text, unbroken } from './formats.ts';

/** Steps of a podium. A race of fewer finishers has none. */
const STEPS = 3;

/** A runner without a time has a status. A runner without a result has neither. */
type Outcome = { time: string | null; status?: BoardResult['status'] };

/** A runner in a table. Without a time there is no place. */
type Listed = Pick<BoardResult, 'bib_number' | 'name' | 'gender' | 'category'> & {
  place: number | null;
} & Outcome;

/** The time of a runner, or the status without a time. */
export function timeText({ time, status }: Outcome): string {
  if (time !== null) return formatTime(time);
  return status ? text(`status.${status}`) : '';
}

/**
 * Shows a time, and what decided between runners of one whole second.
 * @param cell with an element for each
 */
export function fillTime(cell: Element, time: string, behind: number | undefined): void {
  const [first, second] = cell.children;
  if (first) setText(first, time);
  if (second)
    setText(second, behind === undefined ? '' : ` ${text('behind', { seconds: behind })}`);
}

function fillBib(link: HTMLElement, bib: string | null): void {
  setText(link, bib ?? '–');
  if (bib === null) {
    link.removeAttribute('href');
    return;
  }
  setLink(link, opening(bib));
  link.setAttribute('aria-label', text('bibNamed', { bib }));
}

/**
 * @param row a copy of the template `row` or `step`
 * @param distance of the race
 * @param behind the seconds that decided, if people read the time of a better place as the same
 */
function fillRow(
  row: HTMLElement,
  runner: Listed,
  distance: string,
  behind: number | undefined,
  details = formatGroup(runner),
): void {
  const seconds = paceSeconds(runner.time, distance);
  const isMine = runner.bib_number !== null && openBibs().includes(runner.bib_number);
  write(row, {
    '.place': runner.place === null ? '' : formatNumber(runner.place),
    '.name': unbroken(runner.name ?? ''),
    '.details': details,
    '.pace': seconds === undefined ? '' : formatPace(seconds),
  });
  fillBib(part(row, '.bib'), runner.bib_number);
  fillTime(part(row, '.clock'), timeText(runner), behind);
  row.classList.toggle('out', runner.time === null);
  row.classList.toggle('mine', isMine);
  setMedal(row, runner.place);
}

/** The first three places have a medal, shared places included. */
export function setMedal(row: HTMLElement, place: number | null): void {
  if (place !== null && place <= STEPS) row.dataset['medal'] = String(place);
  else delete row.dataset['medal'];
}

/** A row keeps its position on the page and takes the next runner, so that nothing moves. */
const byPlace = (_: unknown, index: number) => String(index);

/**
 * @param rivals the better places, if they are not among the runners
 * @param detailsOf the words beside a bib
 */
export function fillTable(
  table: HTMLElement,
  runners: readonly Listed[],
  distance: string,
  rivals = runners,
  detailsOf: (runner: Listed) => string = formatGroup,
): void {
  keyed(
    part(table, 'tbody'),
    runners,
    byPlace,
    () => copyOf('row'),
    (row, runner) =>
      fillRow(row, runner, distance, secondsBehind(runner, rivals), detailsOf(runner)),
  );
}

/** A tap anywhere in a row opens the runner. */
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || target.closest('a, button')) return;
  const link = target.closest('.rows tr, #podium li')?.querySelector('a.bib[href]');
  if (link instanceof HTMLElement && getSelection()?.isCollapsed !== false) link.click();
});

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

const keyOf = ({ gender, category }: BoardGroup) => JSON.stringify([gender, category]);

/** Shows the leaders of each group, a card for each group. */
export function fillGroups(
  id: 'genders' | 'categories',
  groups: readonly BoardGroup[],
  distance: string,
): void {
  keyed(
    byId(id, HTMLElement),
    groups,
    keyOf,
    () => copyOf('group', text),
    (card, group) => {
      const name = formatGroup(group);
      write(card, { h3: name, p: text('finishers', { count: group.finished }) });
      const table = part(card, 'table');
      table.setAttribute('aria-label', name);
      fillTable(table, group.leaders, distance, group.leaders, ({ category }) =>
        // The heading of the card says the gender, and in a category also the category.
        formatGroup({ gender: null, category: group.category === null ? category : null }),
      );
    },
  );
}

/** The page shows the card of one category, which the reader chooses. */
const choice = byId('category', HTMLSelectElement);
const paper = matchMedia('print');
let categories: { groups: readonly BoardGroup[]; distance: string } = { groups: [], distance: '' };

export function fillCategories(groups: readonly BoardGroup[], distance: string): void {
  categories = { groups, distance };
  const chosen = choice.value;
  keyed(
    choice,
    groups,
    keyOf,
    (group) => element('option', { value: keyOf(group) }),
    (option, group) => setText(option, formatGroup(group)),
  );
  choice.value = groups.some((group) => keyOf(group) === chosen)
    ? chosen
    : (choice.options[0]?.value ?? '');
  showCategories();
}

function showCategories(): void {
  const { groups, distance } = categories;
  const shown = paper.matches ? groups : groups.filter((group) => keyOf(group) === choice.value);
  fillGroups('categories', shown, distance);
}

choice.addEventListener('change', showCategories);
// Paper has all categories.
paper.addEventListener('change', showCategories);

/** The number of latest passers at a point. */
const LATEST = 3;

/** Shows the points of a race, a card for each point. */
export function fillCourse({ points, entered }: BoardRace): void {
  keyed(
    byId('course', HTMLElement),
    points.filter(({ passed }) => passed > 0),
    ({ point }) => point,
    () => copyOf('point', text),
    (card, { point, passed, first, latest }) => {
      const of = Math.max(passed, entered);
      write(card, { h3: point, 'header p': text('passedOf', { passed, of }) });
      const progress = part(card, 'progress');
      progress.setAttribute('value', String(passed / of));
      progress.setAttribute('aria-label', point);
      const hasLatest = passed > first.length;
      for (const [name, passers] of [
        ['first', first.map((passer, at) => ({ ...passer, place: at + 1 }))],
        ['latest', latest.slice(0, LATEST).map((passer) => ({ ...passer, place: null }))],
      ] as const) {
        const table = part(card, `.${name}`);
        table.setAttribute('aria-label', `${point} · ${text(`${name}At`)}`);
        table.hidden = name === 'latest' && !hasLatest;
        // A time at a point is no time of the whole distance: without a distance no pace is shown.
        fillTable(table, passers, '');
      }
      part(card, '.first + p').hidden = !hasLatest;
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
    (step, runner) => fillRow(step, runner, distance, secondsBehind(runner, first)),
  );
}
