import { copyOf, keyed, part, setText } from '../shared/dom.js';
import { searching, text } from './formats.js';

/** With fewer items than this, there is nothing to search. */
const SEARCHED_FROM = 6;

/**
 * The function of each button of a row, by its `data-action`.
 * @template Item
 * @typedef {Readonly<Record<string, (item: Item, row: HTMLElement, button: HTMLElement) => void>>} Actions
 */

/**
 * A list that can be searched. Its items stand in the groups that the HTML names; groups may be folded.
 * @template {{ id: string }} Item
 * @param {object} options
 * @param {HTMLElement} options.view
 * @param {string} options.template of a row
 * @param {(item: Item) => string} options.groupOf
 * @param {(one: Item, other: Item) => number} options.order within a group
 * @param {(item: Item) => string[]} options.textsOf what the search reads
 * @param {(row: HTMLElement, item: Item) => void} options.fill
 * @param {Actions<Item>} options.actions
 */
export function createList({ view, template, groupOf, order, textsOf, fill, actions }) {
  /** Nothing until they are loaded. @type {readonly Item[] | undefined} */
  let items;
  const search = /** @type {HTMLInputElement} */ (part(view, '[type=search]'));
  const folds = [...view.querySelectorAll('details[data-group]')];

  search.addEventListener('input', () => {
    for (const fold of folds) fold.toggleAttribute('open', search.value !== '');
    render();
  });
  wireActions(view, () => items ?? [], actions);

  function render() {
    const isWanted = searching(search.value);
    const all = items ?? [];
    const found = all.filter((item) => isWanted(...textsOf(item))).toSorted(order);
    for (const place of view.querySelectorAll('[data-group]')) {
      const group = place.getAttribute('data-group') ?? '';
      const shown = found.filter((item) => groupOf(item) === group);
      const title = place.querySelector('summary');
      if (title)
        setText(
          title,
          text(/** @type {'folded.past'} */ (`folded.${group}`), { count: shown.length }),
        );
      place.toggleAttribute('hidden', shown.length === 0);
      keyed(
        part(place, 'ul'),
        shown,
        ({ id }) => id,
        () => copyOf(template, text),
        fill,
      );
    }
    part(view, '.tools').hidden = all.length < SEARCHED_FROM;
    part(view, '.no-match').hidden = all.length === 0 || found.length > 0;
    part(view, '.none').hidden = items?.length !== 0;
  }

  /** @param {readonly Item[]} loaded */
  const show = (loaded) => {
    items = loaded;
  };

  return {
    render,
    items: () => items ?? [],
    isLoaded: () => items !== undefined,
    show,
    /** @param {Item} changed */
    replace(changed) {
      items = items?.map((item) => (item.id === changed.id ? changed : item));
      render();
    },
    clear() {
      search.value = '';
      for (const fold of folds) fold.toggleAttribute('open', false);
      items = undefined;
      render();
    },
  };
}

/**
 * Names the buttons of a row. One without a name has nothing to do now.
 * @param {HTMLElement} row
 * @param {Readonly<Record<string, string>>} names by the `data-action` of the button
 */
export function nameActions(row, names) {
  for (const [action, name] of Object.entries(names)) {
    const button = part(row, `[data-action=${action}]`);
    button.setAttribute('aria-label', name);
    button.hidden = name === '';
  }
}

/**
 * Listens to the buttons of a list.
 * @template {{ id: string }} Item
 * @param {HTMLElement} place
 * @param {() => readonly Item[]} items
 * @param {Actions<Item>} actions
 */
export function wireActions(place, items, actions) {
  place.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-action]') : null;
    const row = button?.closest('[data-key]');
    if (!(button instanceof HTMLElement && row instanceof HTMLElement)) return;
    const item = items().find(({ id }) => id === row.dataset['key']);
    if (item) actions[button.dataset['action'] ?? '']?.(item, row, button);
  });
}
