import { RANKS } from '../../timing-files/read/ranking-rule.ts';
import { inWholeSeconds } from '../../timing-files/read/whole-seconds.ts';
import type { BoardResult, BoardSnapshot } from './answer-schemas.ts';

/** The first data of a board's page. `at` is the epoch ms when it was computed, `version` the ETag of the data. */
type FirstView = {
  at: number;
  version: string;
  snapshot: BoardSnapshot;
  /** Those that the address asks for. Null for a bib that nobody has. */
  runners: (BoardResult | null)[];
};

/**
 * Writes into the page what it shows first, so that a phone on a slow network waits for no other request,
 * and what a link to the page says in a chat.
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
    .on('title', { element: (place) => void place.setInnerContent(title) })
    .on('#event-name', { element: (place) => void place.setInnerContent(event.name) })
    .on('#first', { element: (place) => void place.setInnerContent(json, { html: true }) });
  for (const [name, content] of Object.entries(shared)) {
    filled = filled.on(`meta[property="og:${name}"]`, {
      element: (meta) => void meta.setAttribute('content', content),
    });
  }
  return filled.transform(page);
}

const titleOf = ({ bib_number, name }: BoardResult): string =>
  [bib_number, name].filter(Boolean).join(' ');

/** It has no words, because the readers' language is unknown. */
function aboutOf(event: BoardSnapshot['event'], [runner, ...others]: BoardResult[]): string {
  if (!runner || others.length > 0) return `${event.city} · ${event.event_date.slice(0, 10)}`;
  const { chip_time, gun_time } = runner;
  const time =
    RANKS[event.rank_by].overall === 'gun' ? (gun_time ?? chip_time) : (chip_time ?? gun_time);
  const place = runner.overall && `${runner.overall.place}/${runner.overall.of}`;
  const parts = [runner.distance, time && inWholeSeconds(time), place];
  return parts.filter(Boolean).join(' · ');
}
