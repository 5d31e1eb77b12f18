const SAID_MS = 2_000;

export function startCopying() {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.copy') : null;
    const block = button?.parentElement?.querySelector('pre');
    if (button && block) void copy(block, button);
  });
}

/** @param {Element} block @param {Element} button */
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
