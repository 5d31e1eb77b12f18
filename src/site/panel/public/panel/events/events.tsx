import { addressOf } from '../address.ts';
import type { OrganizationEvent } from '../api.ts';
import { text, timeInZone } from '../formats.ts';
import { useEvery, useShown, useTitle, useWhenShown } from '../kit.tsx';
import { stateOf } from '../race/phase.ts';
import { latestOf } from '../race-state.ts';
import { SearchedList } from '../searched-list.tsx';
import { Trouble } from '../trouble.tsx';
import { useTyped } from '../typed.ts';
import type { Events } from './state.ts';

const REFRESH_MS = 30_000;

/** In every time zone an event counts as today's from its eve to the morning after. */
const TODAY_MS = 18 * 3_600_000;

const dateOf = ({ event_date }: OrganizationEvent) => Date.parse(event_date);

const awayMs = (event: OrganizationEvent) => Math.abs(dateOf(event) - Date.now());

const isToday = (event: OrganizationEvent) => awayMs(event) < TODAY_MS;

const isNext = (event: OrganizationEvent) => isToday(event) || dateOf(event) > Date.now();

/** The races of the organization. Today's race stands first, then the next races, then the latest past race. */
export function EventList({ events: { items, message, reload } }: { events: Events }) {
  const [search, setSearch] = useTyped('event-search', '');
  useShown(items !== undefined || message !== '');
  useWhenShown(reload, []);
  useTitle(text('eventsTitle'));
  useEvery(REFRESH_MS, reload);
  const sorted = (items ?? []).toSorted((one, other) => dateOf(one) - dateOf(other));
  const next = sorted.filter(isNext);
  const today = next.filter(isToday).toSorted((one, other) => awayMs(one) - awayMs(other));
  const past = sorted.filter((event) => !isNext(event)).toReversed();
  return (
    <>
      <Trouble message={message} retry={reload} />
      <section id="events" class="stack" aria-labelledby="events-title">
        <div class="title-row row spread">
          <div>
            <h1 id="events-title" tabIndex={-1}>
              {text('eventsTitle')}
            </h1>
            <p class="lead soft">{text('eventsLead')}</p>
          </div>
        </div>
        <SearchedList
          label={text('eventsTitle')}
          items={items}
          groups={[
            { name: 'next', items: [...today, ...next.filter((event) => !isToday(event))] },
            {
              name: 'past',
              items: past,
              title: (count) => text('folded.past', { count }),
              isOpen: next.length === 0,
            },
          ]}
          textsOf={({ name, city, event_date, time_zone }) => [
            ...[name, city, event_date],
            timeInZone(event_date, time_zone),
          ]}
          search={search}
          tools={
            <input
              class="input"
              type="search"
              aria-label={text('searchEvents')}
              placeholder={text('searchEvents')}
              autocomplete="off"
              spellcheck={false}
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          }
          row={(event) => <Row key={event.id} event={event} />}
          noMatch={text('noEventMatch')}
          none={
            <div class="card empty">
              <h2>{text('noEventsTitle')}</h2>
              <p>{text('noEventsLead')}</p>
            </div>
          }
        />
      </section>
    </>
  );
}

function Row({ event }: { event: OrganizationEvent }) {
  const { id, name, city, event_date, time_zone, board_enabled } = event;
  const counts = { results: event.total_results, registered: event.paid_inscriptions };
  return (
    <li class={`event ${isToday(event) ? 'today' : ''}`}>
      <div class="event-name">
        <h2>
          <a href={addressOf(id)}>{name}</a>
        </h2>
        <p class="dotted soft">
          <time dateTime={event_date}>{timeInZone(event_date, time_zone)}</time>
          <span>
            <bdi>{city}</bdi>
          </span>
        </p>
      </div>
      <div class="event-results">
        <p>
          {stateOf(event) === 'before'
            ? text('onlyRegistered', { count: counts.registered })
            : text('counts', counts)}
        </p>
        <p class="latest soft">{latestOf(event)}</p>
      </div>
      <p class="event-states row">
        {stateOf(event) === 'live' && (
          <span class="pill" data-state="live">
            {text('race.live')}
          </span>
        )}
        {board_enabled && <span class="pill">{text('boardOn')}</span>}
      </p>
    </li>
  );
}
