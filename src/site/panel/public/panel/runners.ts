import { listOrganizationEventRunners } from '../client/operations/list-organization-event-runners.ts';
import { byId, copyOf, keyed, part, write } from '../shared/dom.ts';
import type { Runner } from './api.ts';
import { outcomeOf, text } from './formats.ts';
import { wireActions } from './lists.ts';
import { attempt, type Page, type RunnerDetails, say } from './page.ts';

const SEARCH_DELAY_MS = 250;

const list = byId('runner-list', HTMLUListElement);
const search = byId('runner-search', HTMLInputElement);
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
  let pagesShown = 0;
  let found = 0;
  /** Whether results have changed while the reader worked on a runner. */
  let isLate = false;
  /** Those of the rows that are open. */
  const details = new WeakMap<HTMLElement, RunnerDetails>();
  let typing: ReturnType<typeof setTimeout> | undefined;

  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void attempt(list, tell, () => load(1)), SEARCH_DELAY_MS);
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
    const answer = await page.run(({ client, organization }) =>
      listOrganizationEventRunners(client, organization, of, { page: number, search: wanted }),
    );
    if (eventId !== of) return;
    if (search.value.trim() !== wanted) return load(1);
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
    keyed(
      list,
      items(),
      ({ id }) => id,
      () => copyOf('runner', text),
      (row, runner) => {
        fillRunner(row, runner);
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
      isNone ? text(search.value.trim() ? 'noRunnerMatch' : 'noRunners') : '',
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
    const opened = createRunnerDetails(page, of, runner, () => reload(runner, row));
    details.set(row, opened);
    row.append(opened.place);
    opened.show();
  }

  /** Loads what one runner is now. */
  async function reload(runner: Runner, row: HTMLElement) {
    const of = eventId;
    const answer = await page.run(({ client, organization }) =>
      listOrganizationEventRunners(client, organization, of, {
        page: 1,
        search: runner.bib_number,
      }),
    );
    const now = answer.data.find((one) => one.inscription_id === runner.inscription_id);
    if (!now) return;
    runners = runners.map((one) => (one.inscription_id === now.inscription_id ? now : one));
    render();
    details.get(row)?.show();
    await page.refresh();
  }

  /** Loads the runners, unless the reader works on one. */
  async function refresh() {
    isLate ||= list.querySelector('.open') !== null;
    if (list.querySelector('.open') || pagesShown > 1) return;
    await load(1);
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
    clear,
  };

  function clear() {
    eventId = '';
    search.value = '';
    runners = [];
    pagesShown = 0;
    found = 0;
    isLate = false;
    more.hidden = true;
    tell('');
    render();
  }
}

function fillRunner(item: HTMLElement, runner: Runner) {
  const { bib_number, distance, category, result, name_is_hidden } = runner;
  const name = nameOf(runner);
  write(item, {
    '.bib': bib_number,
    strong: name,
    '.groups': [distance, category].filter(Boolean).join(' · '),
    '.outcome': outcomeOf(result),
  });
  item.dataset['status'] = result?.status ?? 'none';
  part(item, '.pill').hidden = !name_is_hidden;
  part(item, '.toggle').setAttribute('aria-label', text('detailsOf', { name }));
}
