import { copyOf, keyed, part, setText } from '../shared/dom.ts';
import { searching, text } from './formats.ts';

/** With fewer items than this, there is nothing to search. */
const SEARCHED_FROM = 6;

/** The function of each button of a row, by its `data-action`. */
type Actions<Item> = Readonly<
  Record<string, (item: Item, row: HTMLElement, button: HTMLElement) => void>
>;

/** A list that can be searched. Its items stand in the groups that the HTML names; groups may be folded. */
export function createList<Item extends { id: string }>({
  view,
  template,
  groupOf,
  order,
  textsOf,
  fill,
  actions,
}: {
  view: HTMLElement;
  /** The template of a row. */
  template: string;
  groupOf: (item: Item) => string;
  /** The order within a group. */
  order: (one: Item, other: Item) => number;
  /** What the search reads. */
  textsOf: (item: Item) => string[];
  fill: (row: HTMLElement, item: Item) => void;
  actions: Actions<Item>;
}) {
  /** Nothing until they are loaded. */
  let items: readonly Item[] | undefined;
  const search = part(view, '[type=search]') as HTMLInputElement;
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
      if (title) setText(title, text(`folded.${group}` as 'folded.past', { count: shown.length }));
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

  const show = (loaded: readonly Item[]) => {
    items = loaded;
  };

  return {
    render,
    items: () => items ?? [],
    isLoaded: () => items !== undefined,
    show,
    replace(changed: Item) {
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
 * @param names by the `data-action` of the button
 */
export function nameActions(row: HTMLElement, names: Readonly<Record<string, string>>) {
  for (const [action, name] of Object.entries(names)) {
    const button = part(row, `[data-action=${action}]`);
    button.setAttribute('aria-label', name);
    button.hidden = name === '';
  }
}

/** Listens to the buttons of a list. */
export function wireActions<Item extends { id: string }>(
  place: HTMLElement,
  items: () => readonly Item[],
  actions: Actions<Item>,
) {
  place.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-action]') : null;
    const row = button?.closest('[data-key]');
    if (!(button instanceof HTMLElement && row instanceof HTMLElement)) return;
    const item = items().find(({ id }) => id === row.dataset['key']);
    if (item) actions[button.dataset['action'] ?? '']?.(item, row, button);
  });
}
