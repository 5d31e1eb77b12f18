import { byId } from '../shared/dom.js';
import { Failure } from './api.js';

/** @typedef {import('./api.js').FailureKind} FailureKind */
/** @typedef {{ api: import('./api.js').Api, userId: string }} Session */
/**
 * What a view needs from the page around it.
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
 * Replaces the items of a list. The focused control keeps the focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} items
 */
export function replaceItems(list, items) {
  const focused = list.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-focus')
    : undefined;
  list.replaceChildren(...items);
  if (focused) focusable(list, focused)?.focus();
}

/**
 * Shows why a view is out of date, with a button that tries again.
 * @param {HTMLElement} place
 * @param {string | undefined} message
 */
export function showTrouble(place, message) {
  place.hidden = message === undefined;
  place.querySelector('p')?.replaceChildren(message ?? '');
}
