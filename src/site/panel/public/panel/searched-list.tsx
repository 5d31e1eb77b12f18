import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { searching } from './formats.ts';

/** A list with fewer items needs no search. */
const SEARCHED_FROM = 6;

/** Items of a group. With a title the items are folded. */
interface Group<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly title?: (count: number) => string;
  readonly isOpen?: boolean;
}

/** A list with a search, in groups. A search opens the folded groups. */
export function SearchedList<Item>({
  label,
  items,
  groups,
  textsOf,
  search,
  tools,
  row,
  noMatch,
  none,
}: {
  label: string;
  /** Undefined before the loading. */
  items: readonly Item[] | undefined;
  groups: readonly Group<Item>[];
  /** The texts for the search. */
  textsOf: (item: Item) => string[];
  search: string;
  /** The field of the search. */
  tools: ComponentChildren;
  row: (item: Item) => ComponentChildren;
  noMatch: string;
  none: ComponentChildren;
}) {
  const all = items ?? [];
  const isWanted = searching(search);
  const shown = groups
    .map((group) => ({ ...group, items: group.items.filter((one) => isWanted(...textsOf(one))) }))
    .filter(({ items: found }) => found.length > 0);
  const listOf = (found: readonly Item[]) => (
    <ul class="card" aria-label={label}>
      {found.map(row)}
    </ul>
  );
  return (
    <>
      {all.length >= SEARCHED_FROM && <div class="tools row">{tools}</div>}
      {shown.map(({ name, title, isOpen = false, items: found }) => {
        return title ? (
          <Fold key={name} title={title(found.length)} isOpen={isOpen || search !== ''}>
            {listOf(found)}
          </Fold>
        ) : (
          <Fragment key={name}>{listOf(found)}</Fragment>
        );
      })}
      {all.length > 0 && shown.length === 0 && <p class="card empty">{noMatch}</p>}
      {items?.length === 0 && none}
    </>
  );
}

/** A group that opens. @param isOpen opens or closes the group at each change of the value */
function Fold({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(isOpen);
  useEffect(() => setOpen(isOpen), [isOpen]);
  return (
    <details class="fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="strong">{title}</summary>
      {children}
    </details>
  );
}
