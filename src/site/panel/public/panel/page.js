import { byId, copyOf as copyOfTemplate } from '../shared/dom.js';
import { writeTexts } from '../shared/texts.js';
import { Failure } from './api.js';
import { text } from './formats.js';

/** @typedef {import('./api.js').Api} Api */
/**
 * The page around a view.
 * @typedef {object} Page
 * @property {() => string} userId the reader, in the panel of the organization
 * @property {<Answer>(request: (api: Api) => Promise<Answer>) => Promise<Answer | undefined>} run runs a
 *   request of the session; undefined if the session has ended meanwhile; throws a Failure
 * @property {() => Promise<void>} refresh loads what the view shows
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
export function failureIn(error) {
  if (error instanceof Failure) return error;
  throw error;
}

/** Copies the element in a template, with its texts. @param {string} id of the template */
export function copyOf(id) {
  const copy = copyOfTemplate(id);
  writeTexts(copy, text);
  return copy;
}

/**
 * Shows a message in a paragraph. Without a message, hides the paragraph.
 * @param {HTMLElement} place
 * @param {string} [message]
 */
export function say(place, message = '') {
  if (place.textContent !== message) place.textContent = message;
  place.hidden = message === '';
}

/**
 * Runs the request of a control once at a time. The busy control stays focusable.
 * @param {Element} control
 * @param {() => Promise<void>} work
 */
export async function whileBusy(control, work) {
  if (control.getAttribute('aria-busy') === 'true') return;
  control.setAttribute('aria-busy', 'true');
  try {
    await work();
  } finally {
    control.removeAttribute('aria-busy');
  }
}

/**
 * Listens to the buttons of a list. A button names its action, and its row the item.
 * @param {HTMLElement} place
 * @param {Readonly<Record<string, (id: string, row: HTMLElement, button: HTMLElement) => void>>} actions by
 *   `data-action`
 */
export function wireActions(place, actions) {
  place.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest('[data-action]');
    const row = target.closest('[data-key]');
    if (!(button instanceof HTMLElement && row instanceof HTMLElement)) return;
    actions[button.dataset['action'] ?? '']?.(row.dataset['key'] ?? '', row, button);
  });
}
