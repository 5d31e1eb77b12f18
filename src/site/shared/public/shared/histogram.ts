import type { BoardRace } from '../../../../worker/board/answer-schemas.ts';
import { setAll, svg } from './svg.ts';
import { formatNumber } from './texts.ts';

/** How many runners of each gender have a value in each column. */
export type Histogram = NonNullable<BoardRace['finish_times']>;
type Group = Histogram['groups'][number];

/** The words of a page. */
interface Words {
  /** The name of a group. A single group without a gender has all runners; beside others, the runners without a gender. */
  readonly nameOf: (gender: string | null, groups: number) => string;
  /** A sentence about the highest column of a group. */
  readonly mostBetween: (values: {
    group: string;
    runners: number;
    from: string;
    to: string;
  }) => string;
}

/** Above the columns is the legend. Sizes are in heights of the text. */
export const TOP = 1.8;
/** Below the columns are the bounds. */
export const FOOT = 1.6;
const FOOT_TEXT = 0.5;

/** A picture has so many heights of the text for each further bound. */
const ROOM_OF_BOUND = 9;

/** The size of a picture in heights of its text. */
type Size = { w: number; h: number };

/** Draws again when the room of a picture changes. */
const drawn = new WeakMap<SVGSVGElement, () => void>();
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof SVGSVGElement) drawn.get(target)?.();
});

/** @param draw makes the content of a picture of this size */
export function keepDrawn(picture: SVGSVGElement, draw: (size: Size) => SVGElement[]): void {
  const render = () => {
    const { width, height } = picture.getBoundingClientRect();
    if (width === 0) return;
    const unit = Number.parseFloat(getComputedStyle(picture).fontSize);
    const size = { w: width / unit, h: height / unit };
    setAll(picture, { viewBox: `0 0 ${fine(size.w)} ${fine(size.h)}` });
    picture.replaceChildren(...draw(size));
  };
  drawn.set(picture, render);
  sizes.observe(picture);
  render();
}

export const words = (name: string, x: number, y: number, anchor: string, said: string) =>
  svg('text', { class: name, x: fine(x), y: fine(y), 'text-anchor': anchor }, said);

export const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

export const fine = (number: number): string => number.toFixed(2);

/** Columns of counts, the groups above each other. @param marked a column that stands out */
export function columns(groups: readonly Group[], { w, h }: Size, marked?: number): SVGElement[] {
  const size = groups[0]?.counts.length ?? 0;
  const totals = Array.from({ length: size }, (_, at) =>
    sumOf(groups.map(({ counts }) => counts[at] ?? 0)),
  );
  const most = Math.max(1, ...totals);
  const width = w / size;
  return totals.flatMap((_, at) => {
    let floor = h - FOOT;
    return groups.flatMap(({ counts }, group) => {
      const count = counts[at] ?? 0;
      if (count === 0) return [];
      const high = (count / most) * (h - FOOT - TOP);
      floor -= high;
      const name = at === marked ? 'column here' : `column g${group % 3}`;
      const x = fine(at * width + width * 0.08);
      return [
        svg('rect', {
          class: name,
          x,
          y: fine(floor),
          width: fine(width * 0.84),
          height: fine(high),
        }),
      ];
    });
  });
}

/** The bounds of the columns below the picture: the first, the last, and as many between as have room. */
export function boundsBelow(
  size: number,
  { w, h }: Size,
  bounds: (column: number) => string,
): SVGElement[] {
  const parts = Math.max(1, Math.min(size, 4, Math.floor(w / ROOM_OF_BOUND)));
  return Array.from({ length: parts + 1 }, (_, part) => {
    const column = Math.round((part * size) / parts);
    const anchor = part === 0 ? 'start' : part === parts ? 'end' : 'middle';
    return words('at', (column / size) * w, h - FOOT_TEXT, anchor, bounds(column));
  });
}

/** The names and colours of the groups, in a line above. */
function legend(groups: readonly Group[], nameOf: Words['nameOf']): SVGElement[] {
  let x = 0;
  return groups.flatMap((group, at) => {
    const said = `${nameOf(group.gender, groups.length)} ${formatNumber(sumOf(group.counts))}`;
    const from = x;
    x += 0.56 * said.length + 2.2;
    return [
      svg('rect', {
        class: `column g${at % 3}`,
        x: fine(from),
        y: '0.25',
        width: '0.8',
        height: '0.8',
      }),
      words('at', from + 1.1, 1, 'start', said),
    ];
  });
}

/**
 * Draws the columns of each gender, and says where the most runners of a gender are.
 * @param bounds the text of a column's lower bound
 */
export function showHistogram(
  picture: SVGSVGElement,
  { groups }: Histogram,
  bounds: (column: number) => string,
  { nameOf, mostBetween }: Words,
): void {
  const size = groups[0]?.counts.length ?? 0;
  keepDrawn(picture, (room) => [
    ...legend(groups, nameOf),
    ...columns(groups, room),
    ...boundsBelow(size, room, bounds),
  ]);
  const said = groups.map((group) => {
    const most = group.counts.indexOf(Math.max(...group.counts));
    return mostBetween({
      group: nameOf(group.gender, groups.length),
      runners: sumOf(group.counts),
      from: bounds(most),
      to: bounds(most + 1),
    });
  });
  picture.setAttribute('aria-label', said.join(' '));
}
