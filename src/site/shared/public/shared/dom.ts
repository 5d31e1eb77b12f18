/** Finds an element by id and checks the element's class. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is not a ${type.name}`);
  return found;
}

/**
 * Copies the element in a template.
 * @param id of the template
 * @param text gives the texts named in the template
 */
export function copyOf<Name extends string>(id: string, text?: (name: Name) => string) {
  const made = byId(id, HTMLTemplateElement).content.firstElementChild;
  const copy = made && document.importNode(made, true);
  if (!(copy instanceof HTMLElement)) throw new Error(`#${id} has no element`);
  if (text) writeTexts(copy, text);
  return copy;
}

/** The first element for a selector within an element. */
export function part(within: ParentNode, selector: string) {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`nothing is ${selector}`);
  return found;
}

/** Creates an element. A string child becomes text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Parts two facts. No line begins or ends with the dot. */
export const DOT = '\u00a0·\u00a0';

/** Sets a text only on a change, so that a selection in the text survives. */
export function setText(element: Element, text: string) {
  if (element.textContent !== text) element.textContent = text;
}

/** Writes the texts of parts, by their selectors. */
export function write(within: ParentNode, texts: Readonly<Record<string, string>>) {
  for (const [selector, text] of Object.entries(texts)) setText(part(within, selector), text);
}

/**
 * Writes the texts named in the HTML: `data-text` is a content, `data-label` the name of a control and
 * `data-placeholder` the hint in a field.
 */
export function writeTexts<Name extends string>(within: ParentNode, text: (name: Name) => string) {
  for (const [element, said] of named('data-text')) setText(element, said);
  for (const [element, said] of named('data-placeholder'))
    element.setAttribute('placeholder', said);
  for (const [element, said] of named('data-label')) {
    element.setAttribute('aria-label', said);
    if (element instanceof HTMLButtonElement) element.title = said;
  }

  function named(attribute: string): [Element, string][] {
    return [...within.querySelectorAll(`[${attribute}]`)].map((element) => {
      const name = (element.getAttribute(attribute) ?? '') as Name;
      return [element, text(name)];
    });
  }
}

/** Hides or shows parts of the page, by their selectors. */
export function hide(parts: Readonly<Record<string, boolean>>) {
  for (const [selector, isHidden] of Object.entries(parts)) {
    part(document, selector).hidden = isHidden;
  }
}

/**
 * Makes the children of a parent match the items, by key. An item that stays keeps its element; the element moves only
 * if the order requires the move. So focus, selection and scroll position survive.
 * @param keyOf unique among the items
 */
export function keyed<Item>(
  parent: Element,
  items: readonly Item[],
  keyOf: (item: Item, index: number) => string,
  make: (item: Item) => HTMLElement,
  fill: (child: HTMLElement, item: Item, index: number) => void,
) {
  const present: Map<string, HTMLElement> = new Map();
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
  // Runs from the end, so that new rows above do not move rows with an unchanged order.
  let next = null;
  for (const child of children.toReversed()) {
    if (child.parentNode !== parent || child.nextSibling !== next) parent.insertBefore(child, next);
    next = child;
  }
}
