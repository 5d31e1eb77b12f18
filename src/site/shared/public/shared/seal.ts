import { svg } from './svg.ts';

const TEETH = 40;

/** The seal of what is official: a disc with teeth, two rings and a tick. */
export function seal(...words: SVGElement[]): SVGElement {
  const edge = Array.from({ length: 2 * TEETH }, (_, at) => {
    const angle = (Math.PI * at) / TEETH;
    const radius = at % 2 ? 92 : 98;
    return [Math.cos(angle), Math.sin(angle)].map((part) => (100 + radius * part).toFixed(1));
  });
  // Words stand below a tick that has moved up.
  const top = words.length > 0 ? 78 : 102;
  return svg(
    'svg',
    { class: 'seal', viewBox: '0 0 200 200', 'aria-hidden': 'true' },
    svg('path', { class: 'disc', d: `M${edge.map((point) => point.join(' ')).join('L')}Z` }),
    svg('circle', { class: 'ring', cx: 100, cy: 100, r: 80 }),
    svg('circle', { class: 'ring', cx: 100, cy: 100, r: 75 }),
    svg('path', { class: 'mark', d: `M72 ${top}l19 19 38-42` }),
    ...words,
  );
}
