import { expect, test } from 'vitest';
import { createPurges } from './purges.ts';

const [RUNNERS, OTHERS] = [
  '10000000-0000-4000-8000-000000000001',
  '10000000-0000-4000-8000-000000000002',
];

/** Purges of a cache that refuses every purge while `isOpen` is false. Time stands still until `pass`. */
function startPurges() {
  const cache = { isOpen: false, asked: [] as string[] };
  const logged: string[] = [];
  const sleepers: (() => void)[] = [];
  const purgeBoard = createPurges({
    async purge(eventId) {
      cache.asked.push(eventId);
      return cache.isOpen;
    },
    log: { info() {}, error: (message, _, line) => logged.push(`${message}: ${line?.event_id}`) },
    wait: () => new Promise((resolve) => sleepers.push(resolve)),
  });
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve));
  /** Waits until all purges wait, lets them go on, and waits again. */
  async function pass() {
    await settle();
    for (const wake of sleepers.splice(0)) wake();
    await settle();
  }
  return { cache, logged, purgeBoard, pass };
}

test('tries a purge again that Cloudflare refused, and logs the refusal', async () => {
  const { cache, logged, purgeBoard, pass } = startPurges();
  const purged = purgeBoard(RUNNERS);
  await pass();
  expect(cache.asked).toEqual([RUNNERS, RUNNERS]);
  cache.isOpen = true;
  await pass();
  await purged;
  expect(cache.asked).toEqual([RUNNERS, RUNNERS, RUNNERS]);
  expect(logged).toEqual(Array(2).fill(`The purge of a board was refused: ${RUNNERS}`));
});

test('gives a purge up before its Worker must end, and says so', async () => {
  const { cache, logged, purgeBoard, pass } = startPurges();
  const purged = purgeBoard(RUNNERS);
  for (let turn = 0; turn < 3; turn += 1) await pass();
  await purged;
  expect(cache.asked).toHaveLength(4);
  expect(logged.at(-1)).toBe(`A board was given up: ${RUNNERS}`);
});

test('purges the board of a hidden name before boards that wait', async () => {
  const { cache, purgeBoard, pass } = startPurges();
  const purges = [purgeBoard(OTHERS), purgeBoard(RUNNERS, true)];
  await pass();
  expect(cache.asked).toEqual([OTHERS, RUNNERS, RUNNERS]);
  cache.isOpen = true;
  await pass();
  await pass();
  await Promise.all(purges);
  expect(cache.asked).toEqual([OTHERS, RUNNERS, RUNNERS, RUNNERS, OTHERS]);
});

test('serves all changes of a board with one purge', async () => {
  const { cache, purgeBoard, pass } = startPurges();
  const purges = [purgeBoard(RUNNERS), purgeBoard(RUNNERS), purgeBoard(RUNNERS)];
  await pass();
  cache.isOpen = true;
  await pass();
  await Promise.all(purges);
  // A purge for each change, and then a single purge for all changes at each try.
  expect(cache.asked).toEqual(Array(5).fill(RUNNERS));
});
