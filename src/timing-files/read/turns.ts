/** Lets other requests of the isolate go on, because a large file takes seconds. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The same items. Other requests go on between two of them. */
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

/** Does one step after the other. Other requests go on between two of them. */
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
