import { byId, keyed, part, setText } from '../shared/dom.js';
import { showBoard, wordsOf } from './dialogs.js';
import { absoluteTime, isolated, relativeTime, searching, text } from './formats.js';
import { announce, copyOf, failureIn, whileBusy, wireActions } from './page.js';
import { createUploads, nameOfBatch } from './uploads.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {typeof SWITCHES[number]} Switch */

const SWITCHES = /** @type {const} */ (['board_enabled', 'board_shows_names']);
/** With fewer events than this, there is nothing to search. */
const SEARCHED_FROM = 6;
/** In every time zone an event is of today from its eve to the morning after. */
const TODAY_MS = 18 * 3_600_000;

const view = byId('events', HTMLElement);
const search = byId('event-search', HTMLInputElement);
const next = byId('event-list', HTMLUListElement);
const past = byId('past-events', HTMLDetailsElement);

/** @param {OrganizationEvent} event */
const dateOf = ({ event_date }) => Date.parse(event_date);

/** @param {OrganizationEvent} event */
const isToday = (event) => Math.abs(dateOf(event) - Date.now()) < TODAY_MS;

/**
 * The view of the events, their boards and their results.
 * @param {import('./page.js').Page} page
 */
export function createEventsView(page) {
  /** Latest first. @type {OrganizationEvent[]} */
  let events = [];
  /** How many changes were sent. A list that was asked for before a change is out of date. */
  let changes = 0;
  const uploads = createUploads(page);

  search.addEventListener('input', () => {
    past.open = search.value !== '';
    render();
  });
  wireActions(view, {
    board: (id) => void withEvent(id, showBoard),
    uploads: (id) => void withEvent(id, uploads.show),
    download: (id, _, button) =>
      void withEvent(id, (event) => whileBusy(button, () => download(event))),
  });
  view.addEventListener('change', ({ target }) => {
    const name = SWITCHES.find((one) => target instanceof HTMLInputElement && one === target.name);
    if (!(name && target instanceof HTMLInputElement)) return;
    const isOn = target.checked;
    // It stays where it was until the API has answered.
    target.checked = !isOn;
    const row = /** @type {HTMLElement} */ (target.closest('li'));
    void whileBusy(target, () => move(row, name, isOn));
  });

  /** @param {string} id @param {(event: OrganizationEvent) => Promise<void>} work */
  async function withEvent(id, work) {
    const event = events.find((one) => one.id === id);
    if (event) await work(event);
  }

  /**
   * Moves a switch. A failure is said beside it.
   * @param {HTMLElement} row
   * @param {Switch} name
   * @param {boolean} isOn
   */
  async function move(row, name, isOn) {
    const id = row.dataset['key'] ?? '';
    const problem = part(row, `div:has([name=${name}]) > .problem`);
    changes += 1;
    setText(problem, '');
    try {
      const changed = await page.run((api) => api.switchBoard(id, { [name]: isOn }));
      if (!changed) return;
      events = events.map((one) => (one.id === id ? changed : one));
      const values = { name: isolated(changed.name) };
      announce(changed[name] ? text(`toastOn.${name}`, values) : text(`toastOff.${name}`, values));
    } catch (error) {
      setText(problem, wordsOf(failureIn(error)));
    }
    changes += 1;
    render();
  }

  /** Saves the results as a file. @param {OrganizationEvent} event */
  async function download({ id, name }) {
    try {
      const file = await page.run((api) => api.results(id));
      if (!file) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(file);
      link.download = `${name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').slice(0, 100)}.csv`;
      link.click();
      // The browser reads the file after the click.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      announce(text('downloaded', { name: isolated(name) }));
    } catch (error) {
      announce(wordsOf(failureIn(error)));
    }
  }

  function render() {
    const isWanted = searching(search.value);
    const found = events.filter(({ name, city, event_date }) =>
      isWanted(name, city, event_date, absoluteTime(new Date(event_date))),
    );
    const isNext = (/** @type {OrganizationEvent} */ event) =>
      isToday(event) || dateOf(event) > Date.now();
    const coming = found.filter(isNext).toSorted((a, b) => dateOf(a) - dateOf(b));
    const over = found.filter((event) => !isNext(event));
    showList(next, coming);
    showList(part(past, 'ul'), over);
    next.hidden = coming.length === 0;
    past.hidden = over.length === 0;
    setText(part(past, 'summary'), text('pastEvents', { count: over.length }));
    search.hidden = events.length < SEARCHED_FROM;
    byId('no-event-match', HTMLElement).hidden = events.length === 0 || found.length > 0;
    byId('no-events', HTMLElement).hidden = events.length > 0;
  }

  /** @param {HTMLElement} list @param {OrganizationEvent[]} shown */
  const showList = (list, shown) =>
    keyed(
      list,
      shown,
      ({ id }) => id,
      () => copyOf('event'),
      fillEvent,
    );

  return {
    render,
    async refresh() {
      const asked = changes;
      const loaded = await page.run((api) => api.events());
      if (loaded && asked === changes) events = loaded;
    },
    /** @param {OrganizationEvent[]} loaded */
    show(loaded) {
      events = loaded;
      past.open = !loaded.some((event) => isToday(event) || dateOf(event) > Date.now());
    },
    clear() {
      events = [];
      search.value = '';
      uploads.close();
      render();
    },
  };
}

/** @param {HTMLElement} item @param {OrganizationEvent} event */
function fillEvent(item, event) {
  const { id, name, city, event_date, latest_batch: latest } = event;
  item.classList.toggle('today', isToday(event));
  setText(part(item, 'h2'), name);
  part(item, 'h2').title = name;
  const time = part(item, 'time');
  time.setAttribute('datetime', event_date);
  setText(time, absoluteTime(new Date(event_date)));
  setText(part(item, '.city'), city);
  setText(
    part(item, '.counts'),
    text('counts', { results: event.total_results, registered: event.paid_inscriptions }),
  );
  const ago = latest && relativeTime(new Date(latest.received_at));
  const what = latest && isolated(nameOfBatch(latest));
  setText(part(item, '.latest'), ago && what ? text('latest', { what, ago }) : text('noUpload'));
  part(item, 'fieldset').setAttribute('aria-label', text('boardOf', { name }));
  for (const one of SWITCHES) {
    const input = item.querySelector(`[name=${one}]`);
    if (!(input instanceof HTMLInputElement)) continue;
    const place = /** @type {HTMLElement} */ (input.closest('div'));
    const hint = part(place, '.unseen');
    hint.id = `${one}-${id}`;
    input.setAttribute('role', 'switch');
    input.setAttribute('aria-describedby', hint.id);
    input.checked = event[one];
    setText(hint, event[one] ? text(`on.${one}`) : text(`off.${one}`));
    part(place, 'label').title = hint.textContent;
  }
  for (const [action, label] of /** @type {const} */ ([
    ['board', 'boardNamed'],
    ['uploads', 'uploadsOf'],
    ['download', 'downloadOf'],
  ])) {
    const button = part(item, `[data-action=${action}]`);
    button.setAttribute('aria-label', text(label, { name }));
    button.hidden = action !== 'board' && latest === null && event.total_results === 0;
  }
}
