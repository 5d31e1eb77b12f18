import { byId, part, write } from '../shared/dom.js';
import { addressOf } from './address.js';
import { absoluteTime, text } from './formats.js';
import { createList } from './lists.js';
import { latestOf, stateOf } from './race-state.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */

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
 * The view of the races.
 * @param {import('./page.js').Page} page
 */
export function createEventsView(page) {
  /** How many events were replaced. A list that was asked for before is out of date. */
  let changes = 0;
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
    actions: {},
  });

  return {
    render: list.render,
    async refresh() {
      const asked = changes;
      const isFirst = !list.isLoaded();
      const loaded = await page.run((api) => api.events());
      if (asked === changes) list.show(loaded);
      if (isFirst) past.open = !loaded.some(isNext);
    },
    items: list.items,
    isLoaded: list.isLoaded,
    /** @param {OrganizationEvent} changed */
    replace(changed) {
      if (!list.isLoaded()) return;
      changes += 1;
      const others = list.items().filter(({ id }) => id !== changed.id);
      list.show([...others, changed]);
    },
    clear: list.clear,
  };
}

/** @param {HTMLElement} item @param {OrganizationEvent} event */
function fillEvent(item, event) {
  const { id, name, city, event_date } = event;
  const state = stateOf(event);
  item.classList.toggle('today', isToday(event));
  write(item, {
    'h2 a': name,
    time: absoluteTime(new Date(event_date)),
    '.city': city,
    '.counts': text('counts', {
      results: event.total_results,
      registered: event.paid_inscriptions,
    }),
    '.latest': latestOf(event),
    '.state': text(`race.${state}`),
    '.board': text('boardOn'),
  });
  part(item, 'a').setAttribute('href', addressOf(id));
  part(item, 'time').setAttribute('datetime', event_date);
  part(item, '.state').dataset['state'] = state;
  part(item, '.state').hidden = state !== 'live';
  part(item, '.board').hidden = !event.board_enabled;
}
