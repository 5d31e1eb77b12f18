import { describe, expect, test, vi } from 'vitest';
import { createLeases } from './leases.ts';

test('holds bytes up to the total, and released bytes again', () => {
  const leases = createLeases({ total: 10 });
  const [first, second] = [{}, {}];
  expect(leases.hold(first, 'a', 6)).toBe(true);
  expect(leases.hold(second, 'b', 5)).toBe(false);
  expect(leases.hold(second, 'b', 4)).toBe(true);
  leases.release(first);
  leases.release(first);
  expect(leases.hold(second, 'b', 11)).toBe(false);
  expect(leases.hold(second, 'b', 10)).toBe(true);
});

test('counts what a holder holds once, however often it changes', () => {
  const leases = createLeases({ total: 10 });
  const holder = {};
  for (const bytes of [2, 4, 10, 10]) expect(leases.hold(holder, 'a', bytes)).toBe(true);
  expect(leases.hold(holder, 'a', 11)).toBe(false);
  expect(leases.hold({}, 'b', 1)).toBe(false);
});

test('leaves other senders what one sender may not hold', () => {
  const leases = createLeases({ total: 10, each: 5 });
  expect(leases.hold({}, 'a', 3)).toBe(true);
  expect(leases.hold({}, 'a', 3)).toBe(false);
  expect(leases.hold({}, 'a', 2)).toBe(true);
  expect(leases.hold({}, 'b', 5)).toBe(true);
  expect(leases.hold({}, 'c', 1)).toBe(false);
});

test('ends a holder two minutes after its last change', () => {
  let nowMs = 0;
  const leases = createLeases({ total: 10, now: () => nowMs });
  const [lasting, abandoned] = [{}, {}];
  expect(leases.hold(lasting, 'a', 5)).toBe(true);
  expect(leases.hold(abandoned, 'a', 5)).toBe(true);
  nowMs = 119_999;
  expect(leases.hold(lasting, 'a', 5)).toBe(true);
  expect(leases.hold({}, 'b', 1)).toBe(false);
  nowMs = 120_000;
  expect(leases.hold({}, 'b', 5)).toBe(true);
  expect(leases.hold({}, 'b', 1)).toBe(false);
});

describe('slow holders', () => {
  const slow = () => ({ isSlow: () => true, giveWay: vi.fn<() => void>() });

  test('give way to a holder that needs their lease, holders of its sender first', () => {
    const leases = createLeases({ total: 10, each: 6 });
    const [own, otherHolder] = [slow(), slow()];
    expect(leases.hold(otherHolder, 'b', 4)).toBe(true);
    expect(leases.hold(own, 'a', 4)).toBe(true);
    expect(leases.hold({}, 'a', 4)).toBe(true);
    expect(own.giveWay).toHaveBeenCalledOnce();
    expect(otherHolder.giveWay).not.toHaveBeenCalled();
    expect(leases.hold({}, 'c', 6)).toBe(true);
    expect(otherHolder.giveWay).toHaveBeenCalledOnce();
  });

  test('stay if that would not be enough', () => {
    const leases = createLeases({ total: 10, each: 6 });
    const holder = slow();
    expect(leases.hold(holder, 'b', 4)).toBe(true);
    expect(leases.hold({}, 'a', 6)).toBe(true);
    expect(leases.hold({}, 'a', 1)).toBe(false);
    expect(leases.hold({}, 'c', 5)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });

  test('do not give way to a slow one', () => {
    const leases = createLeases({ total: 10 });
    const holder = slow();
    expect(leases.hold(holder, 'a', 6)).toBe(true);
    expect(leases.hold(slow(), 'b', 6)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });
});
