const DAY_MS = 24 * 3_600_000;

/** Midnight in UTC stands for a day without a time. @param instant ISO 8601 */
export const isDay = (instant: string): boolean => Date.parse(instant) % DAY_MS === 0;
