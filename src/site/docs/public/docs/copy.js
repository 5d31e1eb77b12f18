import { element } from '../shared/dom.js';

const SAID_MS = 2_000;

/** Adds a button to every block that a reader copies. */
export function startCopying() {
  for (const block of document.querySelectorAll('pre[data-copy]')) {
    const button = element('button', { type: 'button', class: 'button copy' }, 'Copy');
    button.addEventListener('click', () => void copy(block, button));
    const frame = element('div', { class: 'block' });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** @param {Element} block @param {HTMLButtonElement} button */
async function copy(block, button) {
  try {
    await navigator.clipboard.writeText(textOf(block).trimEnd());
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(block);
    button.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}

/** The text of a block, with the whole key in it: the page shows only its start. @param {Node} node */
function textOf(node) {
  if (node instanceof HTMLElement && node.dataset['value'] !== undefined) {
    return node.dataset['value'];
  }
  if (node.childNodes.length === 0) return node.textContent ?? '';
  /** @type {string} */
  let text = '';
  for (const child of node.childNodes) text += textOf(child);
  return text;
}
