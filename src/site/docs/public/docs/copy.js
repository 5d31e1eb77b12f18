const SAID_MS = 2_000;

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('.copy') : null;
  const block = button?.parentElement?.querySelector('pre');
  if (button && block) void copy(block, button);
});

/** @param {HTMLElement} block @param {Element} button */
async function copy(block, button) {
  const whole = /** @type {HTMLElement} */ (block.cloneNode(true));
  // The page shows only the start of the key.
  for (const place of whole.querySelectorAll('[data-value]')) {
    place.textContent = place.getAttribute('data-value');
  }
  try {
    await navigator.clipboard.writeText(String(whole.textContent).trimEnd());
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(block);
    button.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}

export {};
