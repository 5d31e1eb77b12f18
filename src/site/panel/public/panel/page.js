import { byId } from '../shared/dom.js';
import { Failure, SessionEnded } from './api.js';
import { text } from './formats.js';

/** @typedef {import('./api.js').Api} Api */
/**
 * The page around a view.
 * @typedef {object} Page
 * @property {() => string} userId the reader, in the panel of the organization
 * @property {<Answer>(request: (api: Api) => Promise<Answer>) => Promise<Answer>} run runs a request of the
 *   session; throws a Failure or SessionEnded
 * @property {() => Promise<void>} refresh loads what the view shows
 * @property {() => import('./parts.js').Parts | undefined} parts those that are loaded
 * @property {() => Promise<import('./parts.js').Parts>} loadParts throws a Failure
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

/**
 * Why a request of the session failed.
 * @param {Failure} failure
 * @param {string} [unsure] what it means that no answer came
 * @param {string} [refused] what it means that the API refused, before its sentence
 */
function wordsOf({ kind, detail }, unsure, refused = text('refusedWith')) {
  if (kind === 'unreachable' && unsure) return unsure;
  if (kind === 'refused' && detail) return `${refused} ${detail}`;
  return kind === 'notFound' ? text('gone') : text(`failures.${kind}`);
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
 * Runs the request of a control, one at a time, and says why it failed. The busy control stays focusable.
 * @param {Element} control
 * @param {(message: string) => void} tell
 * @param {() => Promise<void>} work
 * @param {string} [unsure] what it means that no answer came
 * @param {string} [refused] what it means that the API refused, before its sentence
 */
export async function attempt(control, tell, work, unsure, refused) {
  if (control.getAttribute('aria-busy') === 'true') return;
  control.setAttribute('aria-busy', 'true');
  tell('');
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SessionEnded)) tell(wordsOf(failureIn(error), unsure, refused));
  } finally {
    control.removeAttribute('aria-busy');
  }
}
