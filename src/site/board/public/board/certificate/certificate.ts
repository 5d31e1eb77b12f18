import { paceSeconds, secondsOf } from '../../../../../timing-files/read/pace.ts';
import type { BoardResult, BoardSnapshot } from '../../../../../worker/board/answer-schemas.ts';
import { DOT, element } from '../../shared/dom.ts';
import { seal } from '../../shared/seal.ts';
import { svg } from '../../shared/svg.ts';
import { formatDate, formatGroup, formatPace, formatTime, text, unbroken } from '../formats.ts';
import { qrCode } from '../qr-code.ts';

/** The white modules around a QR code. The sheet adds white. */
const QUIET_MODULES = 1;
/** The picture of the splits, in its own units. */
const WIDE = 1_000;
const EDGE = 60;
/** Labels of points stand at least so far apart. */
const APART = 130;

type Certified = { snapshot: BoardSnapshot; result: BoardResult; time: string };

/** The page leaves out a font that came late. The certificate waits for the font, and does without if the font is lost. */
async function loadFigures(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[as="font"]');
  if (!link) return;
  const figures = new FontFace('Sofia Sans Semi Condensed', `url("${link.href}")`, {
    weight: '600',
  });
  await figures.load().then(
    () => document.fonts.add(figures),
    () => undefined,
  );
}

/** Prints the certificate of a finisher, or else the page. */
export async function printCard(
  snapshot: BoardSnapshot | undefined,
  result: BoardResult | undefined,
  time: string | null,
): Promise<void> {
  if (!snapshot || !time || result?.status !== 'FINISHED') {
    print();
    return;
  }
  await loadFigures();
  const sheet = sheetOf({ snapshot, result, time });
  document.body.append(sheet);
  document.body.classList.add('certifies');
  addEventListener(
    'afterprint',
    () => {
      document.body.classList.remove('certifies');
      sheet.remove();
    },
    { once: true },
  );
  print();
}

function sheetOf({ snapshot, result, time }: Certified): HTMLElement {
  const { event } = snapshot;
  const { bib_number: bib, distance, name } = result;
  const seconds = paceSeconds(time, distance);
  const byGun = result.rank_by !== 'chip' || result.chip_time === null;
  const role = [
    name && bib && text('bibIs', { bib }),
    unbroken(distance ?? ''),
    formatGroup(result),
  ];
  return element(
    'article',
    { id: 'certificate', hidden: '' },
    element(
      'header',
      {},
      element('h1', { dir: 'auto' }, event.name),
      lineOf([formatDate(event.event_date), event.city]),
    ),
    element('p', { class: 'kicker' }, text('certificate')),
    element('h2', { dir: 'auto' }, unbroken(name ?? (bib === null ? '' : text('bibIs', { bib })))),
    lineOf(role),
    element('p', { class: 'clock' }, formatTime(time)),
    lineOf([
      text(byGun ? 'gunTime' : 'chipTime'),
      seconds === undefined ? '' : formatPace(seconds),
    ]),
    placesOf(result),
    ...(result.splits.length > 0 ? [courseOf(result, time)] : []),
    footerOf(snapshot, bib),
  );
}

const lineOf = (parts: readonly (string | null | undefined)[]) =>
  element('p', { class: 'line', dir: 'auto' }, parts.filter(Boolean).join(DOT));

/** The places, each with its number large. */
function placesOf({ gender, category, ...result }: BoardResult): HTMLElement {
  const places = [
    [text('overall'), result.overall],
    [formatGroup({ gender, category: null }), result.in_gender],
    [formatGroup({ gender, category }), result.in_category],
  ] as const;
  return element(
    'dl',
    {},
    ...places.flatMap(([label, standing]) =>
      standing
        ? [
            element(
              'div',
              {},
              element('dt', { dir: 'auto' }, label),
              element(
                'dd',
                {},
                element('b', {}, String(standing.place)),
                ` ${text('certificateOf', { of: standing.of })}`,
              ),
            ),
          ]
        : [],
    ),
  );
}

/** The way from the start to the finish with the splits, each at its part of the time. */
function courseOf({ splits }: BoardResult, time: string): SVGElement {
  const whole = secondsOf(time);
  const way = WIDE - 2 * EDGE;
  const points = splits
    .map((split) => ({ ...split, x: EDGE + (way * secondsOf(split.time)) / whole }))
    .filter(({ x }) => x < WIDE - EDGE);
  let last = -APART;
  const labels = points.filter(({ x }) => {
    const hasRoom = x - last >= APART;
    if (hasRoom) last = x;
    return hasRoom;
  });
  return svg(
    'svg',
    { class: 'way', viewBox: `0 0 ${WIDE} 90`, 'aria-hidden': 'true' },
    svg('path', { d: `M${EDGE} 45H${WIDE - EDGE}` }),
    ...[EDGE, WIDE - EDGE].map((x) => svg('circle', { class: 'end', cx: x, cy: 45, r: 11 })),
    ...points.map(({ x }) => svg('circle', { cx: x, cy: 45, r: 8 })),
    ...labels.flatMap(({ x, name, time: at }) => [
      svg('text', { x, y: 22 }, name.length > 12 ? `${name.slice(0, 11)}…` : name),
      svg('text', { class: 'at', x, y: 82 }, formatTime(at)),
    ]),
  );
}

/** The address as a QR code, whether the result is official, and the seal of an official result. */
function footerOf({ event, official }: BoardSnapshot, bib: string | null): HTMLElement {
  const { origin, host, pathname } = location;
  const short = event.board_code && `/b/${event.board_code}`;
  const query = bib === null ? '' : `?bib=${encodeURIComponent(bib)}`;
  const said = official
    ? text(`certified.${official.state}`, {
        version: official.version,
        date: formatDate(official.made_at),
      })
    : text('certified.provisional', { date: formatDate(new Date().toISOString()) });
  return element(
    'footer',
    {},
    element(
      'div',
      { class: 'address' },
      qrCode(`${origin}${short ?? pathname}${query}`, QUIET_MODULES),
      element(
        'p',
        {},
        element('span', {}, text('certificateAddress')),
        element('b', {}, short ? `${host}${short}` : host),
      ),
    ),
    element('p', { class: 'worth' }, said),
    official?.state === 'official'
      ? seal(
          svg('text', { x: 100, y: 132 }, text('seal')),
          svg('text', { class: 'small', x: 100, y: 150 }, text('sealOf')),
        )
      : element('span', {}),
  );
}
