import { escaped } from './page.ts';

/** The first three in the order of a podium, from the left: the second, the winner, the third. */
const PODIUM = [
  { x: 28, top: 150, medal: 'silver', place: 2, name: 'José M.', bib: '981', time: '1:12:40' },
  { x: 112, top: 132, medal: 'gold', place: 1, name: 'Zoë E.', bib: '17', time: '1:11:58' },
  { x: 196, top: 168, medal: 'bronze', place: 3, name: 'Ana P.', bib: '305', time: '1:13:06' },
];

const ARRIVALS = [
  { place: 42, name: 'Lucía M.', bib: '224', time: '1:31:20' },
  { place: 41, name: 'Bo F.', bib: '58', time: '1:31:04' },
  { place: 40, name: 'Iker D.', bib: '610', time: '1:30:47' },
  { place: 39, name: 'Sofía E.', bib: '133', time: '1:30:31' },
];

const BOTTOM = 282;

/** The picture has the defaults: size 14, the colour of ink, and a text that begins at its place. */
type Look = { size?: number; fill?: string; anchor?: 'middle' | 'end'; bold?: boolean };

const text = (x: number, y: number, words: string, { size, fill, anchor, bold }: Look = {}) => {
  const look = [
    ...(size ? [` font-size="${size}"`] : []),
    ...(fill ? [` fill="var(--${fill})"`] : []),
    ...(anchor ? [` text-anchor="${anchor}"`] : []),
    ...(bold ? [' font-weight="600"'] : []),
  ];
  return `<text x="${x}" y="${y}"${look.join('')}>${escaped(words)}</text>`;
};

const box = (x: number, y: number, width: number, height: number, fill: string, rx = 8) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}" fill="var(--${fill})"/>`;

const card = (x: number) =>
  `<rect x="${x}" y="96" width="276" height="192" rx="10" fill="var(--surface)" stroke="var(--line)"/>`;

const chip = (x: number, distance: string, isChosen: boolean) =>
  box(x, 56, 56, 28, isChosen ? 'accent' : 'well') +
  text(x + 28, 75, distance, {
    ...(isChosen && { fill: 'on-accent' }),
    anchor: 'middle',
    bold: true,
  });

const bib = (x: number, y: number, number: string) =>
  box(x - 20, y - 13, 40, 18, 'well', 9) + text(x, y, number, { size: 12, anchor: 'middle' });

/**
 * A picture of the live board. The picture takes the colours of the page, so it is light or dark as the page, and loads
 * nothing.
 */
export function boardPicture(): string {
  const podium = PODIUM.map(({ x, top, medal, place, name, bib: number, time }) => {
    const middle = x + 42;
    return [
      `<rect x="${x}" y="${top}" width="84" height="${BOTTOM - top}" fill="var(--${medal})" fill-opacity="0.2"/>`,
      `<rect x="${x}" y="${top}" width="84" height="4" fill="var(--${medal})"/>`,
      text(middle, top + 34, String(place), {
        size: 26,
        fill: medal,
        anchor: 'middle',
        bold: true,
      }),
      text(middle, top + 56, name, { anchor: 'middle', bold: true }),
      bib(middle, top + 76, number),
      text(middle, top + 98, time, { size: 15, anchor: 'middle', bold: true }),
    ].join('');
  });
  const arrivals = ARRIVALS.map(({ place, name, bib: number, time }, at) => {
    const y = 158 + at * 38;
    return [
      at > 0 ? `<path d="M322 ${y - 24}h248" stroke="var(--line)"/>` : '',
      text(352, y, String(place), { fill: 'soft', anchor: 'end' }),
      text(364, y, name, { bold: true }),
      bib(462, y, number),
      text(570, y, time, { size: 15, anchor: 'end', bold: true }),
    ].join('');
  });
  return [
    '<a class="picture" href="/docs/board">',
    '<svg viewBox="0 0 600 304" width="600" height="304" font-size="14" fill="var(--ink)" role="img" aria-label="The live board: the first three on a podium, and the latest arrivals.">',
    box(0, 0, 600, 304, 'ground', 12),
    text(16, 36, 'Harbour Half', { size: 22, bold: true }),
    box(516, 17, 68, 26, 'tint', 13),
    '<circle cx="534" cy="30" r="4" fill="var(--accent)"/>',
    text(544, 35, 'Live', { fill: 'accent', bold: true }),
    chip(16, '10K', false),
    chip(80, '21K', true),
    chip(144, '42K', false),
    card(16),
    text(30, 120, 'Overall', { bold: true }),
    ...podium,
    card(308),
    text(322, 120, 'Latest arrivals', { bold: true }),
    ...arrivals,
    '</svg></a>',
  ].join('');
}
