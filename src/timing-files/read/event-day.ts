/** Midnight in UTC stands for a day without a time. @param instant ISO 8601 */
export const isDay = (instant: string) => /T00:00:00(\.0+)?Z$/.test(instant);
