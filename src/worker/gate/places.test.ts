import { describe, expect, test, vi } from 'vitest';
import { createPlaces } from './places.ts';

test('holds bytes up to the total, and released bytes again', () => {
  const places = createPlaces({ total: 10 });
  const [first, second] = [{}, {}];
  expect(places.hold(first, 'a', 6)).toBe(true);
  expect(places.hold(second, 'b', 5)).toBe(false);
  expect(places.hold(second, 'b', 4)).toBe(true);
  places.release(first);
  places.release(first);
  expect(places.hold(second, 'b', 11)).toBe(false);
  expect(places.hold(second, 'b', 10)).toBe(true);
});

test('counts what a holder holds once, however often it changes', () => {
  const places = createPlaces({ total: 10 });
  const holder = {};
  for (const bytes of [2, 4, 10, 10]) expect(places.hold(holder, 'a', bytes)).toBe(true);
  expect(places.hold(holder, 'a', 11)).toBe(false);
  expect(places.hold({}, 'b', 1)).toBe(false);
});

test('leaves other senders what one sender may not hold', () => {
  const places = createPlaces({ total: 10, each: 5 });
  expect(places.hold({}, 'a', 3)).toBe(true);
  expect(places.hold({}, 'a', 3)).toBe(false);
  expect(places.hold({}, 'a', 2)).toBe(true);
  expect(places.hold({}, 'b', 5)).toBe(true);
  expect(places.hold({}, 'c', 1)).toBe(false);
});

test('ends a holder two minutes after its last change', () => {
  let nowMs = 0;
  const places = createPlaces({ total: 10, now: () => nowMs });
  const [lasting, abandoned] = [{}, {}];
  expect(places.hold(lasting, 'a', 5)).toBe(true);
  expect(places.hold(abandoned, 'a', 5)).toBe(true);
  nowMs = 119_999;
  expect(places.hold(lasting, 'a', 5)).toBe(true);
  expect(places.hold({}, 'b', 1)).toBe(false);
  nowMs = 120_000;
  expect(places.hold({}, 'b', 5)).toBe(true);
  expect(places.hold({}, 'b', 1)).toBe(false);
});

describe('slow holders', () => {
  const slow = () => ({ isSlow: () => true, giveWay: vi.fn<() => void>() });

  test('give way to a holder that needs their place, those of its sender first', () => {
    const places = createPlaces({ total: 10, each: 6 });
    const [own, otherHolder] = [slow(), slow()];
    expect(places.hold(otherHolder, 'b', 4)).toBe(true);
    expect(places.hold(own, 'a', 4)).toBe(true);
    expect(places.hold({}, 'a', 4)).toBe(true);
    expect(own.giveWay).toHaveBeenCalledOnce();
    expect(otherHolder.giveWay).not.toHaveBeenCalled();
    expect(places.hold({}, 'c', 6)).toBe(true);
    expect(otherHolder.giveWay).toHaveBeenCalledOnce();
  });

  test('stay if that would not be enough', () => {
    const places = createPlaces({ total: 10, each: 6 });
    const holder = slow();
    expect(places.hold(holder, 'b', 4)).toBe(true);
    expect(places.hold({}, 'a', 6)).toBe(true);
    expect(places.hold({}, 'a', 1)).toBe(false);
    expect(places.hold({}, 'c', 5)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });

  test('do not give way to a slow one', () => {
    const places = createPlaces({ total: 10 });
    const holder = slow();
    expect(places.hold(holder, 'a', 6)).toBe(true);
    expect(places.hold(slow(), 'b', 6)).toBe(false);
    expect(holder.giveWay).not.toHaveBeenCalled();
  });
});
