import { byId, part, setText, write } from '../shared/dom.js';
import { showBoard } from './dialogs.js';
import { absoluteTime, isolated, relativeTime, text } from './formats.js';
import { createList, nameActions } from './lists.js';
import { announce, attempt } from './page.js';
import { createUploads, nameOfBatch } from './uploads.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {typeof SWITCHES[number]} Switch */

const SWITCHES = /** @type {const} */ (['board_enabled', 'board_shows_names']);
/** In every time zone an event is of today from its eve to the morning after. */
const TODAY_MS = 18 * 3_600_000;

const view = byId('events', HTMLElement);
const past = byId('past-events', HTMLDetailsElement);

/** @param {OrganizationEvent} event */
const dateOf = ({ event_date }) => Date.parse(event_date);

/** @param {OrganizationEvent} event */
const isToday = (event) => Math.abs(dateOf(event) - Date.now()) < TODAY_MS;

/** @param {OrganizationEvent} event */
const isNext = (event) => isToday(event) || dateOf(event) > Date.now();

/**
 * The view of the events, their boards and their results.
 * @param {import('./page.js').Page} page
 */
export function createEventsView(page) {
  /** How many changes were sent. A list that was asked for before a change is out of date. */
  let changes = 0;
  const uploads = createUploads(page);
  const list = createList({
    view,
    template: 'event',
    groupOf: (event) => (isNext(event) ? 'next' : 'past'),
    // The next event and the latest past one stand first.
    order: (one, other) => (isNext(one) ? 1 : -1) * (dateOf(one) - dateOf(other)),
    textsOf: ({ name, city, event_date }) => [
      name,
      city,
      event_date,
      absoluteTime(new Date(event_date)),
    ],
    fill: fillEvent,
    actions: {
      board: (event) => void showBoard(event),
      uploads: (event) => void uploads.show(event),
      download: (event, _, button) => void attempt(button, announce, () => download(event)),
    },
  });

  view.addEventListener('change', ({ target }) => {
    const name = SWITCHES.find((one) => target instanceof HTMLInputElement && one === target.name);
    if (!(name && target instanceof HTMLInputElement)) return;
    const isOn = target.checked;
    // It stays where it was until the API has answered.
    target.checked = !isOn;
    const row = /** @type {HTMLElement} */ (target.closest('li'));
    const problem = part(row, `div:has([name=${name}]) > .problem`);
    const tell = (/** @type {string} */ words) => setText(problem, words);
    void attempt(target, tell, () => move(row.dataset['key'] ?? '', name, isOn));
  });

  /**
   * Moves a switch.
   * @param {string} id
   * @param {Switch} name
   * @param {boolean} isOn
   */
  async function move(id, name, isOn) {
    changes += 1;
    try {
      const changed = await page.run((api) => api.switchBoard(id, { [name]: isOn }));
      const values = { name: isolated(changed.name) };
      announce(changed[name] ? text(`toastOn.${name}`, values) : text(`toastOff.${name}`, values));
      list.replace(changed);
    } finally {
      changes += 1;
    }
  }

  /** Saves the results as a file. @param {OrganizationEvent} event */
  async function download({ id, name }) {
    const file = await page.run((api) => api.results(id));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').slice(0, 100)}.csv`;
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    announce(text('downloaded', { name: isolated(name) }));
  }

  return {
    render: list.render,
    async refresh() {
      const asked = changes;
      const loaded = await page.run((api) => api.events());
      if (asked === changes) list.show(loaded);
    },
    /** @param {OrganizationEvent[]} loaded latest first */
    show(loaded) {
      list.show(loaded);
      past.open = !loaded.some(isNext);
    },
    items: list.items,
    clear() {
      uploads.close();
      list.clear();
    },
  };
}

/** @param {HTMLElement} item @param {OrganizationEvent} event */
function fillEvent(item, event) {
  const { id, name, city, event_date, latest_batch: latest } = event;
  item.classList.toggle('today', isToday(event));
  const upload = latest && {
    what: isolated(nameOfBatch(latest)),
    ago: relativeTime(new Date(latest.received_at)),
  };
  write(item, {
    h2: name,
    time: absoluteTime(new Date(event_date)),
    '.city': city,
    '.counts': text('counts', {
      results: event.total_results,
      registered: event.paid_inscriptions,
    }),
    '.latest': upload ? text('latest', upload) : text('noUpload'),
  });
  part(item, 'time').setAttribute('datetime', event_date);
  part(item, 'fieldset').setAttribute('aria-label', text('boardOf', { name }));
  for (const one of SWITCHES) {
    const input = /** @type {HTMLInputElement} */ (part(item, `[name=${one}]`));
    const place = /** @type {HTMLElement} */ (input.closest('div'));
    const hint = part(place, '.unseen');
    hint.id = `${one}-${id}`;
    input.setAttribute('role', 'switch');
    input.setAttribute('aria-describedby', hint.id);
    input.checked = event[one];
    setText(hint, event[one] ? text(`on.${one}`) : text(`off.${one}`));
    part(place, 'label').title = hint.textContent;
  }
  const hasResults = latest !== null || event.total_results > 0;
  nameActions(item, {
    board: text('boardNamed', { name }),
    uploads: hasResults ? text('uploadsOf', { name }) : '',
    download: hasResults ? text('downloadOf', { name }) : '',
  });
}
