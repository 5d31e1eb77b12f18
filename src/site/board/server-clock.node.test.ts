import { expect, test } from 'vitest';
import { learnTime, serverNow } from './public/board/server-clock.ts';

const LATE_MS = 40;

/** The page's clock at the arrival of an answer that the server, 90 s ahead, wrote at an instant. */
const pageAt = (server: number) => server - 90_000 + LATE_MS;

test('follows the server, and does not jump with the fractions that its dates leave out', () => {
  expect(serverNow(5_000)).toBe(5_000);
  const start = 1_700_000_000_000;
  const shown: number[] = [];
  for (const server of [900, 5_000, 10_100, 15_700, 20_999, 25_300].map((ms) => start + ms)) {
    learnTime(Math.floor(server / 1_000) * 1_000, 0, pageAt(server));
    shown.push(serverNow(pageAt(server)) - server);
  }
  // Once an answer was written at the start of a second, the clock is right but for the way of the answer.
  expect(shown).toEqual([-900, 0, 0, 0, 0, 0]);
});

test('follows a clock of the page that is set right', () => {
  const start = 1_700_000_100_000;
  for (let poll = 0; poll < 12; poll++) learnTime(start + poll * 5_000, 0, start + poll * 5_000);
  expect(serverNow(start)).toBe(start);
});
