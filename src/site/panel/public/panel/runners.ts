import { listOrganizationEventRunners } from '../client/operations/list-organization-event-runners.ts';
import { byId, copyOf, DOT, element, keyed, part, write } from '../shared/dom.ts';
import { addressOf, RUNNER_STATES, runnersQuery, stateInAddress } from './address.ts';
import type { Runner } from './api.ts';
import { outcomeOf, shortTime, text } from './formats.ts';
import { wireActions } from './lists.ts';
import { attempt, type Page, type RunnerDetails, say } from './page.ts';
import type { OpenRunner } from './unfinished.ts';

const SEARCH_DELAY_MS = 250;
const PAGE_ROWS = 20;
/** The most rows of a page, and how many of these pages are kept up to date. */
const LARGE_PAGE_ROWS = 100;
const LARGE_PAGES_MAX = 5;

const list = byId('runner-list', HTMLUListElement);
const search = byId('runner-search', HTMLInputElement);
const state = byId('runner-state', HTMLSelectElement);
const message = byId('runners-message', HTMLElement);
const more = byId('more-runners', HTMLButtonElement);

const tell = (words: string) => say(message, words);

/** The name of a runner, or the bib if there is none. */
export const nameOf = ({ given_names, surnames, bib_number }: Runner) =>
  [given_names, surnames].filter(Boolean).join(' ') || text('bib', { bib: bib_number });

/** The runners of a race. Each has details that open. */
export function createRunners(page: Page) {
  let eventId = '';
  let runners: Runner[] = [];
  /** The points that the listed runners have passed. A search keeps them, so that its runners can be compared. */
  const course: Course = new Map();
  let pagesShown = 0;
  let found = 0;
  /** The state that the list was loaded for. */
  let stateLoaded = '';
  /** Whether results have changed while the reader worked on a runner. */
  let isLate = false;
  /** Those of the rows that are open. */
  const details = new WeakMap<HTMLElement, RunnerDetails>();
  let typing: ReturnType<typeof setTimeout> | undefined;

  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void attempt(list, tell, () => load(1)), SEARCH_DELAY_MS);
  });
  state.addEventListener('change', () => {
    history.replaceState(null, '', addressOf(eventId, 'results', state.value));
    void attempt(list, tell, () => load(1));
  });
  byId('runner-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(typing);
    void attempt(list, tell, () => load(1));
  });
  more.addEventListener('click', () => void attempt(more, tell, () => load(pagesShown + 1)));
  wireActions(list, items, {
    toggle: (runner, row, button) => void attempt(button, tell, () => toggle(runner, row)),
  });

  /** The runners, as lists want them. */
  function items() {
    return runners.map((runner) => ({ ...runner, id: runner.inscription_id }));
  }

  /** Loads a page of what is searched. What is typed meanwhile is searched then. */
  async function load(number: number): Promise<void> {
    const of = eventId;
    const wanted = search.value.trim();
    const query = runnersQuery(wanted, number);
    const answer = await page.run(({ client, organization }) =>
      listOrganizationEventRunners(client, organization, of, query),
    );
    if (eventId !== of) return;
    if (search.value.trim() !== wanted || stateInAddress() !== (query.status ?? '')) return load(1);
    stateLoaded = stateInAddress();
    if (number === 1 && wanted === '' && !query.status) course.clear();
    const known = new Set(number === 1 ? [] : runners.map((one) => one.inscription_id));
    const loaded = answer.data.filter((one) => !known.has(one.inscription_id));
    runners = number === 1 ? loaded : [...runners, ...loaded];
    pagesShown = number;
    if (number === 1) isLate = false;
    found = answer.meta.total;
    more.hidden = number >= answer.meta.total_pages;
    render();
  }

  function render() {
    fillStates();
    const points = pointsOf(course, runners);
    keyed(
      list,
      items(),
      ({ id }) => id,
      () => copyOf('runner', text),
      (row, runner) => {
        fillRunner(row, runner, points(runner));
        details.get(row)?.fill(runner);
      },
    );
    list.hidden = runners.length === 0;
    const isNone = found === 0 && pagesShown > 0;
    say(
      byId('runner-count', HTMLElement),
      isNone || pagesShown === 0 ? '' : text('runnersFound', { count: found }),
    );
    say(
      byId('no-runners', HTMLElement),
      isNone ? text(search.value.trim() || stateLoaded ? 'noRunnerMatch' : 'noRunners') : '',
    );
  }

  /** Opens or closes the details of a runner. */
  async function toggle(runner: Runner, row: HTMLElement) {
    const of = eventId;
    const { createRunnerDetails } = await page.loadParts();
    if (eventId !== of || !row.isConnected) return;
    const isOpen = !row.classList.contains('open');
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    row.classList.toggle('open', isOpen);
    details.get(row)?.place.remove();
    details.delete(row);
    if (!isOpen) {
      if (isLate) await refresh();
      return;
    }
    const opened = createRunnerDetails(page, of, runner, {
      async own() {
        await reload(runner);
        details.get(row)?.show();
        await page.refresh();
      },
      others: () => reload(runner),
    });
    details.set(row, opened);
    row.append(opened.place);
    opened.show();
  }

  /** Loads what one runner is now. */
  async function reload(runner: Runner) {
    const of = eventId;
    const answer = await page.run(({ client, organization }) =>
      listOrganizationEventRunners(client, organization, of, {
        page: 1,
        search: runner.bib_number,
      }),
    );
    const now = answer.data.find((one) => one.inscription_id === runner.inscription_id);
    if (eventId === of && now) replace([now]);
  }

  /** Shows what runners of the list are now, where they stand. */
  function replace(changed: readonly Runner[]) {
    const now = new Map(changed.map((one) => [one.inscription_id, one]));
    runners = runners.map((one) => now.get(one.inscription_id) ?? one);
    render();
  }

  /** Loads the runners. Rows stay where they are while the reader works on one or has asked for more. */
  async function refresh() {
    const isOpen = list.querySelector('.open') !== null && stateLoaded === stateInAddress();
    isLate ||= isOpen;
    if (!isOpen && pagesShown <= 1) return load(1);
    const of = eventId;
    const pages = Math.ceil((pagesShown * PAGE_ROWS) / LARGE_PAGE_ROWS);
    const wanted = search.value.trim();
    for (let number = 1; number <= Math.min(pages, LARGE_PAGES_MAX); number++) {
      const answer = await page.run(({ client, organization }) =>
        listOrganizationEventRunners(client, organization, of, {
          ...runnersQuery(wanted, number),
          page_size: LARGE_PAGE_ROWS,
        }),
      );
      if (eventId !== of) return;
      replace(answer.data);
    }
    for (const row of list.querySelectorAll<HTMLElement>('.open')) {
      const runner = items().find(({ id }) => id === row.dataset['key']);
      if (runner) await reload(runner);
    }
  }

  return {
    render,
    /** Shows the runners of a race. */
    show(race: string) {
      if (race === eventId) return;
      clear();
      eventId = race;
    },
    refresh,
    /** The runners whose details are open. */
    open(): OpenRunner[] {
      return [...list.querySelectorAll<HTMLElement>('.open')].flatMap((row) => {
        const runner = items().find(({ id }) => id === row.dataset['key']);
        const typed = details.get(row)?.typed();
        return runner && typed ? [{ id: runner.id, bib: runner.bib_number, typed }] : [];
      });
    },
    /** Opens them again, with what was typed. */
    async reopen(opened: readonly OpenRunner[]) {
      clearTimeout(typing);
      if (search.value.trim() !== '') await load(1);
      for (const { id, bib, typed } of opened) {
        if (!items().some((one) => one.id === id)) {
          search.value = bib;
          await load(1);
        }
        const runner = items().find((one) => one.id === id);
        const row = [...list.children].find((one) => one.getAttribute('data-key') === id);
        if (!(runner && row instanceof HTMLElement)) continue;
        await toggle(runner, row);
        details.get(row)?.type(typed);
        row.scrollIntoView({ block: 'nearest' });
      }
    },
    clear,
  };

  function clear() {
    eventId = '';
    course.clear();
    search.value = '';
    stateLoaded = '';
    runners = [];
    pagesShown = 0;
    found = 0;
    isLate = false;
    more.hidden = true;
    tell('');
    render();
  }
}

/** Writes the states into their field. */
function fillStates() {
  const options = ['', ...RUNNER_STATES] as const;
  const names = options.map((one) =>
    text(one === '' ? 'allStates' : one === 'NONE' ? 'figure.missing' : `status.${one}`),
  );
  if (state.options[0]?.text !== names[0]) {
    state.replaceChildren(
      ...options.map((value, at) => element('option', { value }, names[at] ?? '')),
    );
  }
  state.value = stateInAddress();
}

/** A point of the course and the time there; null if the runner was not seen. */
type Point = readonly [name: string, time: string | null];

/** The points of each distance, and the earliest time at each. */
type Course = Map<string, Map<string, string>>;

/**
 * Answers the points of a runner. One that others of the distance have passed, and this runner has not, has no time if the
 * runner was seen later: the course may have been cut.
 * @param known gets the points that the runners have passed
 */
function pointsOf(known: Course, runners: readonly Runner[]): (runner: Runner) => Point[] {
  for (const { distance, splits } of runners) {
    const points = known.get(distance ?? '') ?? new Map<string, string>();
    known.set(distance ?? '', points);
    for (const [name, time] of Object.entries(splits)) {
      const earliest = points.get(name);
      if (earliest === undefined || time < earliest) points.set(name, time);
    }
  }
  return ({ distance, splits, result }) => {
    const points = [...(known.get(distance ?? '') ?? [])]
      .sort(([, one], [, other]) => (one < other ? -1 : 1))
      .map(([name]): Point => [name, splits[name] ?? null]);
    if (result?.status === 'FINISHED') return points;
    return points.slice(0, points.findLastIndex(([, time]) => time !== null) + 1);
  };
}

function fillRunner(item: HTMLElement, runner: Runner, points: readonly Point[]) {
  const { bib_number, distance, category, result, name_is_hidden, position_distance } = runner;
  const name = nameOf(runner);
  write(item, {
    '.place': position_distance === null ? '' : text('number', { value: position_distance }),
    '.bib': bib_number,
    strong: name,
    '.groups': [distance, category].filter(Boolean).join(DOT),
    '.outcome': outcomeOf(result),
  });
  keyed(
    part(item, '.points'),
    points,
    ([point]) => point,
    () => element('span', {}),
    (place, [point, time]) => {
      place.textContent = `${point} ${time === null ? text('notSeen') : briefTime(time)}`;
      place.className = time === null ? 'not-seen' : '';
    },
  );
  item.dataset['status'] = result?.status ?? 'none';
  part(item, '.pill').hidden = !name_is_hidden;
  part(item, '.toggle').setAttribute('aria-label', text('detailsOf', { name }));
}

/** `38:23` of `00:38:23.000`. */
const briefTime = (time: string) => shortTime(time).replace(/^00:/, '');
