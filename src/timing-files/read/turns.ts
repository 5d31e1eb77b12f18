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

/** Does all steps at once. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
