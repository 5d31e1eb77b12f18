import { listOrganizationEvents } from '../client/operations/list-organization-events.ts';
import { byId, part, write } from '../shared/dom.ts';
import { addressOf } from './address.ts';
import { all, type OrganizationEvent } from './api.ts';
import { text, timeInZone } from './formats.ts';
import { createList } from './lists.ts';
import type { Page } from './page.ts';
import { latestOf, stateOf } from './race-state.ts';

/** In every time zone an event is of today from its eve to the morning after. */
const TODAY_MS = 18 * 3_600_000;

const view = byId('events', HTMLElement);
const past = byId('past-events', HTMLDetailsElement);

const dateOf = ({ event_date }: OrganizationEvent) => Date.parse(event_date);

const isToday = (event: OrganizationEvent) => Math.abs(dateOf(event) - Date.now()) < TODAY_MS;

const isNext = (event: OrganizationEvent) => isToday(event) || dateOf(event) > Date.now();

/** The view of the races. */
export function createEventsView(page: Page) {
  /** How many events were replaced. A list that was asked for before is out of date. */
  let changes = 0;
  const list = createList({
    view,
    template: 'event',
    groupOf: (event) => (isNext(event) ? 'next' : 'past'),
    // The next event and the latest past one stand first.
    order: (one, other) => (isNext(one) ? 1 : -1) * (dateOf(one) - dateOf(other)),
    textsOf: ({ name, city, event_date, time_zone }) => [
      name,
      city,
      event_date,
      timeInZone(event_date, time_zone),
    ],
    fill: fillEvent,
    actions: {},
  });

  return {
    render: list.render,
    async refresh() {
      const asked = changes;
      const isFirst = !list.isLoaded();
      const loaded = await page.run(({ client, organization }) =>
        all(listOrganizationEvents(client, organization)),
      );
      if (asked === changes) list.show(loaded);
      if (isFirst) past.open = !loaded.some(isNext);
    },
    items: list.items,
    isLoaded: list.isLoaded,
    replace(changed: OrganizationEvent) {
      if (!list.isLoaded()) return;
      changes += 1;
      const others = list.items().filter(({ id }) => id !== changed.id);
      list.show([...others, changed]);
    },
    clear: list.clear,
  };
}

function fillEvent(item: HTMLElement, event: OrganizationEvent) {
  const { id, name, city, event_date, time_zone } = event;
  const state = stateOf(event);
  item.classList.toggle('today', isToday(event));
  write(item, {
    'h2 a': name,
    time: timeInZone(event_date, time_zone),
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
