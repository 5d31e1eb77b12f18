import { texts } from './words.ts';

const SAID_MS = 2_000;

/** Places where the page shows less than the copied text: the start of a key. */
const HIDDEN = '[data-value]';

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('.copy') : null;
  const block = [...(button?.closest('.block')?.querySelectorAll('pre') ?? [])].find((pre) =>
    pre.checkVisibility(),
  );
  if (button && block) void copy(block, button);
});

// A sample selected by hand is copied with the whole key, too.
document.addEventListener('copy', (event) => {
  const selected = String(getSelection());
  const whole = withValues(selected, document.querySelectorAll(HIDDEN));
  if (whole === selected) return;
  event.clipboardData?.setData('text/plain', whole);
  event.preventDefault();
});

async function copy(block: HTMLElement, button: Element) {
  try {
    const shown = String(block.textContent).trimEnd();
    await navigator.clipboard.writeText(withValues(shown, block.querySelectorAll(HIDDEN)));
    button.textContent = texts.copied;
  } catch {
    getSelection()?.selectAllChildren(block);
    button.textContent = texts.copyByHand;
  }
  setTimeout(() => {
    button.textContent = texts.copy;
  }, SAID_MS);
}

function withValues(text: string, places: Iterable<Element>) {
  return [...places].reduce(
    (whole, place) =>
      whole.replaceAll(String(place.textContent), place.getAttribute('data-value') ?? ''),
    text,
  );
}
