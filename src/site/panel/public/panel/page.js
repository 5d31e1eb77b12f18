import { byId } from '../shared/dom.js';
import { Failure } from './api.js';
import { texts } from './texts.js';

/** @typedef {import('./api.js').FailureKind} FailureKind */
/** @typedef {{ api: import('./api.js').Api, userId: string }} Session */
/**
 * The page around a view.
 * @typedef {object} PageOfViews
 * @property {() => Session | undefined} session
 * @property {(kind: FailureKind) => boolean} endIfRefused ends the session if the API refuses it
 */

const TOAST_MS = 8_000;

const toast = byId('toast', HTMLElement);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastEnd;

/** @param {string} message */
export function announce(message) {
  toast.textContent = message;
  clearTimeout(toastEnd);
  toastEnd = setTimeout(() => toast.replaceChildren(), TOAST_MS);
}

/** @param {unknown} error */
export function kindOf(error) {
  if (error instanceof Failure) return error.kind;
  throw error;
}

/**
 * Finds the control that renderings name alike.
 * @param {HTMLElement} within
 * @param {string} name
 */
export const focusable = (within, name) =>
  [...within.querySelectorAll('[data-focus]')]
    .filter((candidate) => candidate instanceof HTMLElement)
    .find((candidate) => candidate.dataset['focus'] === name);

/**
 * Makes a list have these items. One that looks as before stays in its place, with what the reader has selected
 * in it. The focused control keeps the focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} items each with its own `data-item`
 */
export function replaceItems(list, items) {
  const focused = list.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-focus')
    : undefined;
  const known = new Map(
    [...list.children].map((child) => [child.getAttribute('data-item'), child]),
  );
  const next = items.map((item) => {
    const before = known.get(item.getAttribute('data-item'));
    return before?.isEqualNode(item) ? before : item;
  });
  const staying = new Set(next);
  for (const child of [...list.children]) if (!staying.has(child)) child.remove();
  next.forEach((child, at) => {
    const there = list.children[at] ?? null;
    if (there !== child) list.insertBefore(child, there);
  });
  if (focused && !list.contains(document.activeElement)) focusable(list, focused)?.focus();
}

/**
 * The requests of a view. The view stays as it is while it waits, and says why it is out of date.
 * @param {PageOfViews} page
 * @param {HTMLElement} trouble where the view says it, with a button that tries again
 * @param {{ load: () => void, render: () => void }} view
 */
export function createRequests(page, trouble, view) {
  /** The reason if the last request failed. @type {FailureKind | undefined} */
  let failed;
  trouble.querySelector('button')?.addEventListener('click', view.load);

  return {
    /**
     * @template Answer
     * @param {HTMLElement} waiting
     * @param {(api: import('./api.js').Api) => Promise<Answer>} request
     * @param {(answer: Answer) => void} take
     */
    async run(waiting, request, take) {
      const asked = page.session();
      if (!asked) return;
      waiting.setAttribute('aria-busy', 'true');
      try {
        const answer = await request(asked.api);
        // The reader has signed out meanwhile.
        if (page.session() !== asked) return;
        failed = undefined;
        take(answer);
      } catch (error) {
        if (page.session() !== asked) return;
        const kind = kindOf(error);
        if (!page.endIfRefused(kind)) failed = kind;
      } finally {
        waiting.removeAttribute('aria-busy');
        view.render();
      }
    },
    showTrouble() {
      trouble.hidden = failed === undefined;
      trouble.querySelector('p')?.replaceChildren(failed ? texts.failures[failed] : '');
    },
    forgetTrouble() {
      failed = undefined;
    },
  };
}
