import {
  boundsBelow,
  columns,
  FOOT,
  fine,
  type Histogram,
  keepDrawn,
  showHistogram,
  sumOf,
  TOP,
  words,
} from '../shared/histogram.ts';
import { svg } from '../shared/svg.ts';
import { formatGroup, formatMinute, formatPace, formatSeconds, text } from './formats.ts';

/** A part of the course with the runner's pace: seconds a kilometre. */
export type Leg = { from: string; to: string; km: number; secondsPerKm: number };

const WORDS: Parameters<typeof showHistogram>[3] = {
  nameOf: (gender, groups) =>
    formatGroup({ gender, category: null }) || text(groups === 1 ? 'everybody' : 'gender.none'),
  mostBetween: (values) => text('mostBetween', values),
};

/** The finish times of a race by gender. */
export const showFinishTimes = (picture: SVGSVGElement, times: Histogram): void =>
  showHistogram(picture, times, (column) => formatSeconds(times.from + column * times.step), WORDS);

/** The arrivals of the last hour with arrivals, by gender. */
export const showArrivals = (picture: SVGSVGElement, arrivals: Histogram): void =>
  showHistogram(
    picture,
    arrivals,
    (column) => formatMinute(1_000 * (arrivals.from + column * arrivals.step)),
    WORDS,
  );

/** A finisher among the finishers of the gender. */
export function showHere(
  picture: SVGSVGElement,
  { from, step, groups }: Histogram,
  runner: { bib: string; gender: string | null; seconds: number },
): void {
  const own = groups.filter(({ gender }) => gender === runner.gender);
  const size = own[0]?.counts.length ?? 1;
  const column = Math.min(size - 1, Math.max(0, Math.floor((runner.seconds - from) / step)));
  keepDrawn(picture, (room) => {
    const { w, h } = room;
    const at = ((column + 0.5) / size) * w;
    const half = 0.5 + 0.3 * runner.bib.length;
    const left = Math.min(Math.max(0.1, at - half), w - 2 * half - 0.1);
    return [
      ...columns(own, room, column),
      svg('path', { class: 'own-stem', d: `M${fine(at)} 1.4V${fine(h - FOOT)}` }),
      svg('rect', {
        class: 'chip',
        x: fine(left),
        y: '0.1',
        width: fine(2 * half),
        height: '1.3',
        rx: '0.35',
      }),
      words('chip-text', left + half, 1.07, 'middle', runner.bib),
      ...boundsBelow(size, room, (at) => formatSeconds(from + at * step)),
    ];
  });
  const all = own.flatMap(({ counts }) => counts);
  picture.setAttribute(
    'aria-label',
    text('hereAmong', {
      bib: runner.bib,
      time: formatSeconds(runner.seconds),
      of: sumOf(all),
      faster: sumOf(all.slice(0, column)),
    }),
  );
}

/** The paces of a runner, a bar for each part of the course: a higher bar is faster. */
export function showPaces(picture: SVGSVGElement, legs: readonly Leg[]): void {
  const length = sumOf(legs.map(({ km }) => km));
  const speeds = legs.map(({ secondsPerKm }) => 1 / secondsPerKm);
  // In the seconds that people read. Equal paces have no fastest.
  const shown = legs.map(({ secondsPerKm }) => Math.floor(secondsPerKm));
  const fastest = Math.min(...shown);
  const hasFastest = shown.some((pace) => pace > fastest);
  const [slow, fast] = [Math.min(...speeds), Math.max(...speeds)];
  // Equal paces stand at equal heights, and small differences stay in sight.
  const low = Math.min(slow - (fast - slow) * 0.8, fast * 0.9);
  keepDrawn(picture, ({ w, h }) => {
    const floor = h - FOOT;
    let x = 0;
    return legs.flatMap(({ to, km, secondsPerKm }) => {
      const [from, width] = [x, (km / length) * w];
      x += width;
      const high = ((1 / secondsPerKm - low) / (fast - low)) * (floor - TOP);
      const isFastest = hasFastest && Math.floor(secondsPerKm) === fastest;
      const pace = formatPace(Math.floor(secondsPerKm)).replace(/ .*/, '');
      const isWide = width > 0.58 * Math.max(pace.length, to.length);
      return [
        svg('rect', {
          class: isFastest ? 'column g0' : 'column g1',
          x: fine(from + 0.1),
          y: fine(floor - high),
          width: fine(width - 0.2),
          height: fine(high),
          rx: '0.15',
        }),
        ...(isWide
          ? [
              words('pace-of-leg', from + width / 2, floor - high - 0.35, 'middle', pace),
              words('at', x - 0.1, h - 0.5, 'end', to),
            ]
          : []),
      ];
    });
  });
  const said = legs.map(({ from, to, secondsPerKm }) =>
    text('between', { from, to, runners: formatPace(Math.floor(secondsPerKm)) }),
  );
  picture.setAttribute('aria-label', `${text('paceProfile')}. ${said.join('. ')}.`);
}
