/** Answers of about a minute. */
const MEASURES = 12;

/** How far the server's clock is ahead of the browser's clock, by each of the last answers, in ms. */
let measures: readonly number[] = [];

/**
 * Learns the server's time from an answer. A measure is too low by the date's missing fraction of a second, and by the
 * answer's travel time. So the highest of the last measures counts, and a clock on the page does not jump.
 * @param writtenAt epoch ms of the header Date
 * @param ageMs how long a cache has had the answer
 */
export function learnTime(writtenAt: number, ageMs: number, now = Date.now()): void {
  measures = [...measures, writtenAt + ageMs - now].slice(-MEASURES);
}

/** The server's clock, in epoch ms. */
export const serverNow = (now = Date.now()): number =>
  now + (measures.length === 0 ? 0 : Math.max(...measures));
