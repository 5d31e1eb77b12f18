import { encode } from 'uqr';
import { svg } from '../shared/svg.ts';

/**
 * Draws an address as a QR code.
 * @param border white modules around the code
 */
export function qrCode(address: string, border: number): SVGSVGElement {
  const { data, size } = encode(address, { ecc: 'M', border });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return svg(
    'svg',
    { class: 'code', viewBox: `0 0 ${size} ${size}`, 'shape-rendering': 'crispEdges' },
    svg('path', { d: dark.join('') }),
  );
}
