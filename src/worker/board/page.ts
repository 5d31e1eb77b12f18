import { isDay } from '../../timing-files/read/event-day.ts';
import { isZone } from '../../timing-files/read/race-clock.ts';
import { RANKS } from '../../timing-files/read/ranking-rule.ts';
import { inWholeSeconds } from '../../timing-files/write/whole-seconds.ts';
import type { BoardResult, BoardSnapshot } from './answer-schemas.ts';

/** The first data of a board's page. `at` is the epoch ms of the computation, `version` the ETag of the data. */
type FirstView = {
  at: number;
  version: string;
  snapshot: BoardSnapshot;
  /** The runners in the address. Null for a bib without a runner. */
  runners: (BoardResult | null)[];
};

type Event = BoardSnapshot['event'];

/**
 * Writes the first view into the page, so that a phone on a slow network waits for no second request, and the texts for
 * a link to the page in a chat.
 * @param address of the page, in its canonical form
 */
export function fillPage(page: Response, address: string, first: FirstView): Response {
  const { event } = first.snapshot;
  const runners = first.runners.filter((runner) => runner !== null);
  const title = [...runners.map(titleOf), event.name].join(' · ');
  const json = JSON.stringify(first).replaceAll('<', '\\u003c');
  const shared = {
    title,
    description: aboutOf(event, runners),
    url: address,
    image: new URL('/board/share.png', address).href,
  };
  let filled = new HTMLRewriter()
    .on('title', { element: (shown) => void shown.setInnerContent(title) })
    .on('#event-name', { element: (shown) => void shown.setInnerContent(event.name) })
    .on('#first', { element: (shown) => void shown.setInnerContent(json, { html: true }) });
  const [runner] = first.runners;
  if (runner) filled = withCard(filled, event, runner);
  if (new URL(address).searchParams.has('screen')) filled = asWall(filled);
  for (const [name, content] of Object.entries(shared)) {
    filled = filled.on(`meta[property="og:${name}"]`, {
      element: (meta) => void meta.setAttribute('content', content),
    });
  }
  return filled.transform(page);
}

/** Shows a runner before the scripts arrive: the numbers of the card, without words. */
function withCard(page: HTMLRewriter, event: Event, runner: BoardResult): HTMLRewriter {
  const shown = runner.status === null ? runner.splits.at(-1)?.time : timeOf(event, runner);
  const texts = {
    '.bib': runner.bib_number ?? '–',
    h2: runner.name ?? runner.distance ?? '',
    '.role': runner.name ? (runner.distance ?? '') : '',
    '.clock': shown ? inWholeSeconds(shown).replace(/^00:(?=\d\d:)|^0(?=\d:)/, '') : '',
  };
  let filled = page.on('#early', { element: (card) => void card.removeAttribute('hidden') });
  for (const [selector, text] of Object.entries(texts)) {
    filled = filled.on(`#early ${selector}`, {
      element: (shown) => void shown.setInnerContent(text),
    });
  }
  return filled;
}

/** The first paint of a wall waits for the styles of the wall. */
const asWall = (page: HTMLRewriter): HTMLRewriter =>
  page
    .on('html', { element: (html) => void html.setAttribute('class', 'screen') })
    .on('#wall-styles', { element: (link) => void link.setAttribute('rel', 'stylesheet') });

const titleOf = ({ bib_number, name }: BoardResult): string =>
  [bib_number, name].filter(Boolean).join(' ');

/** The time behind the rank. Without a chip time, a runner is ranked by gun time, and vice versa. */
function timeOf(event: Event, { chip_time, gun_time }: BoardResult): string | null {
  return RANKS[event.rank_by].overall === 'gun' ? (gun_time ?? chip_time) : (chip_time ?? gun_time);
}

/** The day by the clocks of the place. Sweden writes dates as `2027-05-09`. */
function dayOf({ event_date, time_zone }: Event): string {
  const isInPlace = time_zone !== null && isZone(time_zone) && !isDay(event_date);
  const timeZone = isInPlace ? time_zone : 'UTC';
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(event_date));
}

/** The text has no words, because the readers' language is unknown. */
function aboutOf(event: Event, [runner, ...others]: BoardResult[]): string {
  if (!runner || others.length > 0) return `${event.city} · ${dayOf(event)}`;
  const time = timeOf(event, runner);
  const place = runner.overall && `${runner.overall.place}/${runner.overall.of}`;
  const parts = [runner.distance, time && inWholeSeconds(time), place];
  return parts.filter(Boolean).join(' · ');
}
