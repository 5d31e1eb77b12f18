import type { BoardResult, BoardSnapshot } from './answer-schemas.ts';

/** The first data of a board's page. `at` is the epoch ms when it was computed, `version` the ETag of the data. */
type FirstView = {
  at: number;
  version: string;
  snapshot: BoardSnapshot;
  runner: BoardResult | null;
};

/**
 * Writes into the page what it shows first, so that a phone on a slow network waits for no other request,
 * and the title that a link to the page has in a chat.
 */
export function fillPage(page: Response, first: FirstView): Response {
  const { event } = first.snapshot;
  const title = [first.runner && titleOf(first.runner), event.name].filter(Boolean).join(' · ');
  const json = JSON.stringify(first).replaceAll('<', '\\u003c');
  return new HTMLRewriter()
    .on('title', { element: (place) => void place.setInnerContent(title) })
    .on('#event-name', { element: (place) => void place.setInnerContent(event.name) })
    .on('meta[property="og:title"]', {
      element: (meta) => void meta.setAttribute('content', title),
    })
    .on('meta[property="og:description"]', {
      element: (meta) => void meta.setAttribute('content', aboutOf(first)),
    })
    .on('#first', { element: (place) => void place.setInnerContent(json, { html: true }) })
    .transform(page);
}

const titleOf = ({ bib_number, name }: BoardResult): string =>
  [bib_number, name].filter(Boolean).join(' · ');

/** It has no words, because the readers' language is unknown. */
function aboutOf({ snapshot: { event }, runner }: FirstView): string {
  const time = runner?.chip_time ?? runner?.gun_time;
  const place = runner?.overall && `${runner.overall.place}/${runner.overall.of}`;
  const parts = runner
    ? [runner.distance, time?.replace(/\.\d+$/, ''), place]
    : [event.city, event.event_date.slice(0, 10)];
  return parts.filter(Boolean).join(' · ');
}
