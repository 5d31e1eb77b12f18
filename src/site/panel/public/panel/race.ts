import { getOrganizationEvent } from '../client/operations/get-organization-event.ts';
import { byId, element, hide, part, write } from '../shared/dom.ts';
import {
  addressOf,
  partInAddress,
  RACE_PARTS,
  type RacePart,
  raceInAddress,
  stateInAddress,
} from './address.ts';
import type { OrganizationEvent } from './api.ts';
import type { createEventsView } from './events.ts';
import { fillFigures } from './figures.ts';
import { raceTime, setZone, text } from './formats.ts';
import { createOfficial } from './official.ts';
import { failureIn, type Page } from './page.ts';
import { latestOf, stateOf } from './race-state.ts';
import { createRunners } from './runners.ts';

const view = byId('race', HTMLElement);

// A phone has no room for it above the list.
if (matchMedia('(max-width: 40rem)').matches) byId('race-more', HTMLDetailsElement).open = false;

/** The page of a race: its state and counts, its results, its uploads and its board. */
export function createRaceView(page: Page, events: ReturnType<typeof createEventsView>) {
  /** The race that was loaded last. */
  let last: OrganizationEvent | undefined;
  /** The race that is gone, or was never the organization's. */
  let goneId = '';
  /** What the part was loaded for, and the latest upload and change then. */
  let loaded = '';
  /** The tag of the race that was loaded last. */
  let known: { id: string; etag: string | undefined } | undefined;
  const runners = createRunners(page);
  const official = createOfficial(page);
  /** How many switches were moved. What was asked for before is out of date. */
  let changes = 0;

  function race() {
    const isShown = ({ id }: OrganizationEvent) => id === raceInAddress();
    return last && isShown(last) ? last : events.items().find(isShown);
  }

  function replace(changed: OrganizationEvent) {
    if (changed.id === raceInAddress()) last = changed;
    events.replace(changed);
  }

  function render() {
    const shown = race();
    const id = raceInAddress();
    const shownPart = partInAddress();
    hide({
      '#race-gone': goneId !== id,
      '#race-page': goneId === id || shown === undefined,
    });
    for (const one of RACE_PARTS) {
      const link = part(view, `[data-part=${one}]`) as HTMLAnchorElement;
      link.href = addressOf(id, one);
      if (one === shownPart) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
      byId(`part-${one}`, HTMLElement).hidden = one !== shownPart;
    }
    if (!shown) return;
    setZone(shown.time_zone);
    runners.show(id);
    fillHead(shown);
    official.render(shown);
    runners.render();
    page.parts()?.race.render(shown);
  }

  const loadPart = async (shownPart: RacePart) =>
    shownPart === 'results' ? runners.refresh() : void (await page.loadParts());

  /** Loads the head, shows it, and loads what the part shows. */
  async function refresh(showHead: () => void) {
    const id = raceInAddress();
    const shownPart = partInAddress();
    const asked = changes;
    try {
      const ifNoneMatch = known?.id === id && last?.id === id ? known.etag : undefined;
      const answer = await page.run(({ client, organization }) =>
        getOrganizationEvent(client, organization, id, { ifNoneMatch }),
      );
      // The reader may have opened another race meanwhile.
      if (id !== raceInAddress()) return;
      const found = answer === 'not modified' ? last : answer;
      if (!found) return;
      if (answer !== 'not modified') known = { id, etag: answer.etag };
      goneId = '';
      const { latest_batch, latest_change_at } = found;
      const state = [
        ...[id, shownPart, stateInAddress()],
        ...[latest_batch?.received_at, latest_change_at, found.ranking_rule],
      ].join();
      // A page that waits for results asks for one row, again and again.
      const isNew = state !== loaded;
      runners.show(id);
      const head = async () => {
        if (asked === changes && answer !== 'not modified') replace(found);
        showHead();
        if (isNew) await official.load(id);
      };
      await Promise.all([head(), isNew && loadPart(shownPart)]);
      loaded = state;
    } catch (error) {
      if (failureIn(error).kind !== 'notFound') throw error;
      goneId = id;
    }
  }

  return {
    render,
    refresh,
    openRunners: runners.open,
    reopenRunners: runners.reopen,
    lastOfficial: official.last,
    title: () => race()?.name ?? text('race'),
    /** Shows a race that another part has changed. */
    change(changed: OrganizationEvent) {
      changes += 1;
      replace(changed);
      render();
    },
    clear() {
      last = undefined;
      known = undefined;
      loaded = '';
      goneId = '';
      runners.clear();
      official.clear();
      page.parts()?.race.clear();
    },
  };
}

function fillHead(event: OrganizationEvent) {
  const {
    id,
    name,
    city,
    event_date,
    total_results: results,
    paid_inscriptions: registered,
  } = event;
  const head = part(view, '.race-head');
  const state = stateOf(event);
  write(head, {
    h1: name,
    time: raceTime(event_date),
    '.city': city,
    '.pill': text(`race.${state}`),
    '.latest': latestOf(event),
    '#ranking-rule': text(`ranked.${event.ranking_rule}`),
  });
  part(head, 'time').setAttribute('datetime', event_date);
  part(head, '.pill').dataset['state'] = state;
  const missing = Math.max(0, registered - results);
  fillFigures(part(head, '.figures'), [
    [text('figure.registered'), registered],
    [text('figure.results'), results],
    [text('figure.missing'), missing],
  ]);
  linkMissing(part(head, '.figures > :last-child dd'), addressOf(id, 'results', 'NONE'), missing);
}

/** The number of runners without a result opens the list of these. */
function linkMissing(place: HTMLElement, href: string, missing: number) {
  if (missing === 0 || place.querySelector('a')) {
    place.querySelector('a')?.setAttribute('href', href);
    return;
  }
  const link = element('a', { href, 'aria-label': text('showMissing', { count: missing }) });
  link.append(...place.childNodes);
  link.addEventListener('click', () => byId('runner-state', HTMLSelectElement).focus());
  place.append(link);
}
