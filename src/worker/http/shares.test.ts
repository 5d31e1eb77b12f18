import { describe, expect, test, vi } from 'vitest';
import { createShares } from './shares.ts';

test('holds bytes up to the total, and released bytes again', () => {
  const shares = createShares({ total: 10 });
  const [first, second] = [{}, {}];
  expect(shares.hold(first, 'a', 6)).toBe(true);
  expect(shares.hold(second, 'b', 5)).toBe(false);
  expect(shares.hold(second, 'b', 4)).toBe(true);
  shares.release(first);
  shares.release(first);
  expect(shares.hold(second, 'b', 11)).toBe(false);
  expect(shares.hold(second, 'b', 10)).toBe(true);
});

test('counts what a holder holds once, however often it changes', () => {
  const shares = createShares({ total: 10 });
  const holder = {};
  for (const bytes of [2, 4, 10, 10]) expect(shares.hold(holder, 'a', bytes)).toBe(true);
  expect(shares.hold(holder, 'a', 11)).toBe(false);
  expect(shares.hold({}, 'b', 1)).toBe(false);
});

test('leaves other owners what one owner may not hold', () => {
  const shares = createShares({ total: 10, each: 5 });
  expect(shares.hold({}, 'a', 3)).toBe(true);
  expect(shares.hold({}, 'a', 3)).toBe(false);
  expect(shares.hold({}, 'a', 2)).toBe(true);
  expect(shares.hold({}, 'b', 5)).toBe(true);
  expect(shares.hold({}, 'c', 1)).toBe(false);
});

test('ends a holder two minutes after its last change', () => {
  let nowMs = 0;
  const shares = createShares({ total: 10, now: () => nowMs });
  const [lasting, abandoned] = [{}, {}];
  expect(shares.hold(lasting, 'a', 5)).toBe(true);
  expect(shares.hold(abandoned, 'a', 5)).toBe(true);
  nowMs = 119_999;
  expect(shares.hold(lasting, 'a', 5)).toBe(true);
  expect(shares.hold({}, 'b', 1)).toBe(false);
  nowMs = 120_000;
  expect(shares.hold({}, 'b', 5)).toBe(true);
  expect(shares.hold({}, 'b', 1)).toBe(false);
});

describe('slow holders', () => {
  const slow = () => ({ isSlow: () => true, giveWay: vi.fn<() => void>() });

  test('give way to a holder that needs their share, those of its owner first', () => {
    const shares = createShares({ total: 10, each: 6 });
    const [own, other] = [slow(), slow()];
    expect(shares.hold(other, 'b', 4)).toBe(true);
    expect(shares.hold(own, 'a', 4)).toBe(true);
    expect(shares.hold({}, 'a', 4)).toBe(true);
    expect(own.giveWay).toHaveBeenCalledOnce();
    expect(other.giveWay).not.toHaveBeenCalled();
    expect(shares.hold({}, 'c', 6)).toBe(true);
    expect(other.giveWay).toHaveBeenCalledOnce();
  });

  test('stay if that would not be enough', () => {
    const shares = createShares({ total: 10, each: 6 });
    const holder = slow();
    expect(shares.hold(holder, 'b', 4)).toBe(true);
    expect(shares.hold({}, 'a', 6)).toBe(true);
    expect(shares.hold({}, 'a', 1)).toBe(false);
    expect(shares.hold({}, 'c', 5)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });

  test('do not give way to a slow one', () => {
    const shares = createShares({ total: 10 });
    const holder = slow();
    expect(shares.hold(holder, 'a', 6)).toBe(true);
    expect(shares.hold(slow(), 'b', 6)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });
});
