/**
 * How each field of an item is made. Fields of an answer and columns of a file follow the order here.
 * @typeParam Sources the values behind an item, such as a row
 */
export type ItemFields<Item, Sources extends unknown[]> = {
  [Name in keyof Item]: (...sources: Sources) => Item[Name];
};

export const fieldNames = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as (keyof Fields)[];

/** Makes items of all fields. */
export function itemsWith<Item extends object, Sources extends unknown[]>(
  fields: ItemFields<Item, Sources>,
): (...sources: Sources) => Item {
  // An export makes as many items as a race has runners: a list of functions is faster than a look-up for each.
  const makers = fieldNames(fields).map((name) => ({ name, make: fields[name] }));
  return (...sources) => {
    const item: Partial<Item> = {};
    for (const { name, make } of makers) item[name] = make(...sources);
    return item as Item;
  };
}

/** The fields of an item without `names`. */
export function fieldsWithout<Item, Sources extends unknown[], Name extends keyof Item>(
  fields: ItemFields<Item, Sources>,
  names: readonly Name[],
): ItemFields<Omit<Item, Name>, Sources> {
  const left: Partial<ItemFields<Item, Sources>> = { ...fields };
  for (const name of names) delete left[name];
  return left as ItemFields<Omit<Item, Name>, Sources>;
}

/** Makes the values of all fields, as the cells of a line. */
export function cellsWith<Item extends object, Sources extends unknown[]>(
  fields: ItemFields<Item, Sources>,
): (...sources: Sources) => Item[keyof Item][] {
  const makers = fieldNames(fields).map((name) => fields[name]);
  return (...sources) => makers.map((make) => make(...sources));
}
