import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const waiting = { waitUntil() {}, logFields: { trips: 0 } };

test('lets other events in between two turns', async () => {
  const turns = createTurns();
  let [others, isOver] = [0, false];
  const other = () => {
    others += 1;
    if (!isOver) setTimeout(other, 0);
  };
  setTimeout(other, 0);
  const before = await Promise.all(
    Array.from({ length: 40 }, async () => {
      await turns(waiting);
      return others;
    }),
  );
  isOver = true;
  expect(new Set(before).size).toBeGreaterThan(20);
});
