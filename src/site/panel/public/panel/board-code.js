import { byId } from '../shared/dom.js';
import { texts } from './texts.js';

const SVG = 'http://www.w3.org/2000/svg';
/** White modules around the code. Readers need four. */
const QUIET_MODULES = 4;

const dialog = byId('code-dialog', HTMLDialogElement);

export function wireBoardCode() {
  byId('code-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
  byId('code-print', HTMLButtonElement).addEventListener('click', () => window.print());
}

/**
 * Shows the QR code of a board's address, ready to print.
 * @param {string} name the event
 * @param {string} address
 * @param {string} short the address for people who type
 */
export async function showBoardCode(name, address, short) {
  const { encode } = await import('uqr');
  const { data, size } = encode(address, { ecc: 'M', border: QUIET_MODULES });
  const svg = shape('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img' });
  svg.setAttribute('aria-label', texts.codeOf(name));
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  svg.append(
    shape('rect', { width: `${size}`, height: `${size}`, fill: '#fff' }),
    shape('path', { d: dark.join(''), fill: '#000', 'shape-rendering': 'crispEdges' }),
  );
  byId('code', HTMLElement).replaceChildren(svg);
  const file = byId('code-file', HTMLAnchorElement);
  URL.revokeObjectURL(file.href);
  const text = new XMLSerializer().serializeToString(svg);
  file.href = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  file.download = `board-${address.split('/').at(-1)}.svg`;
  byId('code-title', HTMLElement).textContent = name;
  byId('code-address', HTMLElement).textContent = short;
  dialog.showModal();
  byId('code-print', HTMLButtonElement).focus();
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
