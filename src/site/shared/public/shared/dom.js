/**
 * Finds an element by its id and checks its class.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is not a ${type.name}`);
  return found;
}

/**
 * Copies the element in a template.
 * @template {string} Name
 * @param {string} id of the template
 * @param {(name: Name) => string} [text] gives the texts that the template names
 */
export function copyOf(id, text) {
  const made = byId(id, HTMLTemplateElement).content.firstElementChild;
  const copy = made && document.importNode(made, true);
  if (!(copy instanceof HTMLElement)) throw new Error(`#${id} has no element`);
  if (text) writeTexts(copy, text);
  return copy;
}

/**
 * The first part of an element that a selector finds.
 * @param {ParentNode} within
 * @param {string} selector
 */
export function part(within, selector) {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`nothing is ${selector}`);
  return found;
}

/**
 * Creates an element. A string child becomes text, never markup.
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
 * Sets the text only if it changes, so that a selection in it survives.
 * @param {Element} place
 * @param {string} text
 */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * Writes the texts of parts, by their selectors.
 * @param {ParentNode} within
 * @param {Readonly<Record<string, string>>} texts
 */
export function write(within, texts) {
  for (const [selector, text] of Object.entries(texts)) setText(part(within, selector), text);
}

/**
 * Writes the texts that the HTML names: `data-text` is a content, `data-label` the name of a control and
 * `data-placeholder` the hint in a field. Places in `data-later` get theirs when their part is loaded.
 * @template {string} Name
 * @param {ParentNode} within
 * @param {(name: Name) => string} text
 */
export function writeTexts(within, text) {
  for (const [place, said] of named('data-text')) setText(place, said);
  for (const [place, said] of named('data-placeholder')) place.setAttribute('placeholder', said);
  for (const [place, said] of named('data-label')) {
    place.setAttribute('aria-label', said);
    if (place instanceof HTMLButtonElement) place.title = said;
  }

  /** @param {string} attribute @returns {[Element, string][]} */
  function named(attribute) {
    const places = [...within.querySelectorAll(`[${attribute}]`)];
    return places
      .filter((place) => !place.closest('[data-later]'))
      .map((place) => {
        const name = /** @type {Name} */ (place.getAttribute(attribute) ?? '');
        return [place, text(name)];
      });
  }
}

/**
 * Hides or shows parts of the page, by their selectors.
 * @param {Readonly<Record<string, boolean>>} parts
 */
export function hide(parts) {
  for (const [selector, isHidden] of Object.entries(parts)) {
    part(document, selector).hidden = isHidden;
  }
}

/**
 * Makes the children of a parent match the items, by key. An item that stays keeps its element, and the
 * element moves only if the order requires it. So focus, selection and scroll position survive.
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => string} keyOf unique among the items
 * @param {(item: Item) => HTMLElement} make
 * @param {(child: HTMLElement, item: Item, index: number) => void} fill
 */
export function keyed(parent, items, keyOf, make, fill) {
  /** @type {Map<string, HTMLElement>} */
  const present = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement) present.set(child.dataset['key'] ?? '', child);
  }
  const children = items.map((item, index) => {
    const key = keyOf(item, index);
    let child = present.get(key);
    present.delete(key);
    if (!child) {
      child = make(item);
      child.dataset['key'] = key;
    }
    fill(child, item, index);
    return child;
  });
  for (const gone of present.values()) gone.remove();
  // Runs from the end, so that rows with an unchanged order do not move when new rows precede them.
  let next = null;
  for (const child of children.toReversed()) {
    if (child.parentNode !== parent || child.nextSibling !== next) parent.insertBefore(child, next);
    next = child;
  }
}
