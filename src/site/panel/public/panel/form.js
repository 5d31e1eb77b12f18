import { byId } from '../shared/dom.js';

/**
 * Shows a message in a paragraph. Without a message, hides the paragraph.
 * @param {HTMLElement} place
 * @param {...(string | Node)} message
 */
export function say(place, ...message) {
  place.replaceChildren(...message);
  place.hidden = message.length === 0;
}

/**
 * Marks a field as wrong and shows the reason below it. Without a reason, clears both.
 * @param {HTMLElement} field
 * @param {string} [reason]
 */
export function mark(field, reason) {
  const place = byId(`${field.id}-error`, HTMLElement);
  if (reason === undefined) {
    field.removeAttribute('aria-invalid');
    say(place);
  } else {
    field.setAttribute('aria-invalid', 'true');
    say(place, reason);
  }
}

/**
 * Runs the request of a button once at a time. The busy button stays focusable.
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
export async function whileBusy(button, work) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await work();
  } finally {
    button.removeAttribute('aria-busy');
  }
}
