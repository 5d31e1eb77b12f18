import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

test('holds bytes up to the total, and released bytes again', () => {
  const budget = createByteBudget({ totalBytes: 10 });
  const [first, second] = [{}, {}];
  expect(budget.hold(first, 'a', 6)).toBe(true);
  expect(budget.hold(second, 'b', 5)).toBe(false);
  expect(budget.hold(second, 'b', 4)).toBe(true);
  budget.release(first);
  budget.release(first);
  expect(budget.hold(second, 'b', 11)).toBe(false);
  expect(budget.hold(second, 'b', 10)).toBe(true);
});

test('counts what a holder holds once, however often it changes', () => {
  const budget = createByteBudget({ totalBytes: 10 });
  const holder = {};
  for (const bytes of [2, 4, 10, 10]) expect(budget.hold(holder, 'a', bytes)).toBe(true);
  expect(budget.hold(holder, 'a', 11)).toBe(false);
  expect(budget.hold({}, 'b', 1)).toBe(false);
});

test('leaves other owners what one owner may not hold', () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 5 });
  expect(budget.hold({}, 'a', 3)).toBe(true);
  expect(budget.hold({}, 'a', 3)).toBe(false);
  expect(budget.hold({}, 'a', 2)).toBe(true);
  expect(budget.hold({}, 'b', 5)).toBe(true);
  expect(budget.hold({}, 'c', 1)).toBe(false);
});

test('ends a holder two minutes after its last change', () => {
  let nowMs = 0;
  const budget = createByteBudget({ totalBytes: 10, now: () => nowMs });
  const [lasting, abandoned] = [{}, {}];
  expect(budget.hold(lasting, 'a', 5)).toBe(true);
  expect(budget.hold(abandoned, 'a', 5)).toBe(true);
  nowMs = 119_999;
  expect(budget.hold(lasting, 'a', 5)).toBe(true);
  expect(budget.hold({}, 'b', 1)).toBe(false);
  nowMs = 120_000;
  expect(budget.hold({}, 'b', 5)).toBe(true);
  expect(budget.hold({}, 'b', 1)).toBe(false);
});
