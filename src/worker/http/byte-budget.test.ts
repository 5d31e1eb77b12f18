import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

test('reserves bytes up to the total, and released bytes again', () => {
  const budget = createByteBudget({ totalBytes: 10 });
  const first = budget.reserve(6);
  expect(first).toBeDefined();
  expect(budget.reserve(5)).toBeUndefined();
  expect(budget.reserve(4)).toBeDefined();
  first?.release();
  first?.release();
  expect(budget.reserve(7)).toBeUndefined();
  expect(budget.reserve(6)).toBeDefined();
});

test('keeps bytes for small bodies', () => {
  const budget = createByteBudget({ totalBytes: 10, keptForSmallBytes: 4, smallBytes: 2 });
  expect(budget.reserve(7)).toBeUndefined();
  expect(budget.reserve(6)).toBeDefined();
  expect(budget.reserve(3)).toBeUndefined();
  expect(budget.reserve(2)).toBeDefined();
  expect(budget.reserve(2)).toBeDefined();
  expect(budget.reserve(1)).toBeUndefined();
});

test('ends a reservation two minutes after its last renewal', () => {
  let nowMs = 0;
  const budget = createByteBudget({ totalBytes: 10, now: () => nowMs });
  const lasting = budget.reserve(5);
  const abandoned = budget.reserve(5);
  nowMs = 119_999;
  lasting?.renew();
  expect(budget.reserve(1)).toBeUndefined();
  nowMs = 120_000;
  expect(budget.reserve(5)).toBeDefined();
  abandoned?.release();
  expect(budget.reserve(1)).toBeUndefined();
});
