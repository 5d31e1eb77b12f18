/** Lets concurrent requests of the isolate go on, because a large file takes seconds. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The items of `items`. Concurrent requests go on between two items. */
export async function* inTurns<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let isFirst = true;
  for await (const item of items) {
    if (!isFirst) await giveWay();
    isFirst = false;
    yield item;
  }
}

/** Runs step after step. Concurrent requests go on between two steps. */
export async function stepByStep<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await giveWay();
  }
}

/** Items, and undefined where concurrent requests may go on. */
export type Paused<Item> = Iterable<Item | undefined>;

/** Takes each item, step by step. */
export function* eachOf<Item>(
  items: Paused<Item>,
  take: (item: Item) => void,
): Generator<void, void> {
  for (const item of items) {
    if (item === undefined) yield;
    else take(item);
  }
}

/** Does all steps at once. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
