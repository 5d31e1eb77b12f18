/**
 * Makes a value when it is first asked for, and keeps it. Schemas are made so: to build all of them took a seventh of the
 * start of an isolate, and a request needs a few.
 */
export function later<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
