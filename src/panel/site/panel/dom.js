/**
 * The element of this id, as the class it must have; a page that lacks it is broken.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is no ${type.name}`);
  return found;
}

/**
 * An element; children that are strings become text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {...(string | Node)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Shows a message in a paragraph that is hidden while there is none.
 * @param {HTMLElement} place
 * @param {...(string | Node)} message
 */
export function say(place, ...message) {
  place.replaceChildren(...message);
  place.hidden = message.length === 0;
}

/**
 * Marks a field wrong and says why beneath it; without a reason, clears both.
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
 * Runs a request once at a time for a button, which stays focusable and says that it is busy.
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
