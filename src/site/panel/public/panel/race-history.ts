import { listEventChanges } from '../client/operations/list-event-changes.ts';
import { byId, DOT, element } from '../shared/dom.ts';
import type { EventChange, OrganizationEvent } from './api.ts';
import { isolated, raceTime, textOfParts as text } from './formats.ts';
import { attempt, type Page, say } from './page.ts';

const place = byId('race-history', HTMLDetailsElement);
const list = byId('race-history-list', HTMLOListElement);
const more = byId('more-race-history', HTMLButtonElement);

const tell = (words: string) => say(byId('race-history-message', HTMLElement), words);

/** What users changed about a race, latest first. It loads when it opens. */
export function createRaceHistory(page: Page) {
  let eventId = '';
  let changes: EventChange[] = [];
  let pagesShown = 0;

  place.addEventListener('toggle', () => {
    if (place.open) void attempt(place, tell, () => load(1));
  });
  more.addEventListener('click', () => void attempt(more, tell, () => load(pagesShown + 1)));

  /** Loads a page of the history. */
  async function load(number: number) {
    const of = eventId;
    if (!of) return;
    const { data, meta } = await page.run(({ client, organization }) =>
      listEventChanges(client, organization, of, { page: number }),
    );
    if (of !== eventId) return;
    // What was changed meanwhile moves the others to the next page.
    const known = new Set(number === 1 ? [] : changes.map((one) => JSON.stringify(one)));
    const loaded = data.filter((one) => !known.has(JSON.stringify(one)));
    changes = number === 1 ? loaded : [...changes, ...loaded];
    pagesShown = number;
    more.hidden = number >= meta.total_pages;
    render();
  }

  function render() {
    byId('no-race-history', HTMLElement).hidden = changes.length > 0 || pagesShown === 0;
    list.replaceChildren(...changes.map((change) => changeItem(change, page.userId())));
  }

  function clear() {
    eventId = '';
    changes = [];
    pagesShown = 0;
    more.hidden = true;
    place.open = false;
    tell('');
    render();
  }

  return {
    render({ id }: OrganizationEvent) {
      if (id !== eventId) {
        clear();
        eventId = id;
      }
      render();
    },
    /** Loads what is new, if the reader sees it. */
    async load(race: string) {
      if (race === eventId && place.open) await load(1);
    },
    clear,
  };
}

type Words = (change: EventChange) => string;

const turned = (value: string | null) => text(value === 'true' ? 'turned.true' : 'turned.false');

const ranked = (value: string | null) =>
  text(value === 'gun' || value === 'gun_overall' ? `ranked.${value}` : 'ranked.chip');

const nameIs = (bib: string | null) => text(bib === null ? 'nameIs.shown' : 'nameIs.hidden');

/** What each kind of change says. */
const WORDS: Readonly<Record<EventChange['kind'], Words>> = {
  ranking_rule: ({ before, after }) =>
    text('changed.ranking_rule', { before: ranked(before), after: ranked(after) }),
  board_enabled: ({ before, after }) =>
    text('changed.board_enabled', { before: turned(before), after: turned(after) }),
  board_shows_names: ({ before, after }) =>
    text('changed.board_shows_names', { before: turned(before), after: turned(after) }),
  hidden_name: ({ before, after }) =>
    text('changed.hidden_name', {
      bib: isolated(after ?? before ?? ''),
      before: nameIs(before),
      after: nameIs(after),
    }),
  official_version: ({ after }) => text('changed.official_version', { after: after ?? '' }),
};

/** @param userId the reader */
const changeItem = (change: EventChange, userId: string) =>
  element(
    'li',
    {},
    element('strong', {}, WORDS[change.kind](change)),
    DOT,
    element(
      'span',
      { class: 'soft' },
      [
        raceTime(change.changed_at),
        text('by', { actor: change.user_id === userId ? text('you') : change.user_id }),
        ...(change.reason ? [isolated(change.reason)] : []),
      ].join(DOT),
    ),
  );
