/** Waits for the promise. @throws the error of `onTimeout` if the promise takes longer than `budgetMs` */
export async function inTime<T>(
  promise: Promise<T>,
  budgetMs: number,
  onTimeout: () => Error,
): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(onTimeout()), budgetMs);
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
