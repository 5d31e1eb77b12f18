/**
 * Makes a value at the first use, and keeps the value. Schemas are made this way: building all schemas took a seventh
 * of an isolate's start, and a request needs a few.
 */
export function later<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
