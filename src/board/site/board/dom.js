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
 * Says something else only where it is something else, so that a selection in it survives.
 * @param {Element} place
 * @param {string} text
 */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * Makes the children of a parent those of the items, by their keys: what stays is the same element,
 * moved only where the order asks for it, so focus, selection and scroll stay too.
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => string} keyOf unique among the items
 * @param {(item: Item) => HTMLElement} make
 * @param {(child: HTMLElement, item: Item, index: number) => void} fill
 * @returns {Item[]} those whose element was made
 */
export function keyed(parent, items, keyOf, make, fill) {
  /** @type {Map<string, HTMLElement>} */
  const present = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement) present.set(child.dataset['key'] ?? '', child);
  }
  /** @type {Item[]} */
  const made = [];
  const children = items.map((item, index) => {
    const key = keyOf(item, index);
    let child = present.get(key);
    present.delete(key);
    if (!child) {
      child = make(item);
      child.dataset['key'] = key;
      made.push(item);
    }
    fill(child, item, index);
    return child;
  });
  for (const gone of present.values()) gone.remove();
  // From the end on: rows that keep their order keep their place, however many come before them.
  let next = null;
  for (const child of children.toReversed()) {
    if (child.parentNode !== parent || child.nextSibling !== next) parent.insertBefore(child, next);
    next = child;
  }
  return made;
}
