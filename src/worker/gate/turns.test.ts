import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { busy, createTurns } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits for a turn, and notes its beginning. */
function queue(turns: ReturnType<typeof createTurns>, order: string[], sender: string) {
  return turns.wait(sender).then((turn) => {
    order.push(sender);
    return turn;
  });
}

const settled = () => vi.advanceTimersByTimeAsync(0);

test('gives a sender as many turns as it may have, and others theirs', () => {
  const turns = createTurns({ total: 3, each: 2 });
  expect([turns.take('a'), turns.take('a')]).not.toContain(undefined);
  expect(turns.take('a')).toBeUndefined();
  expect(turns.take('b')).toBeDefined();
  expect(turns.take('c')).toBeUndefined();
});

test('begins the turns of a sender in the order in which they were asked for', async () => {
  const turns = createTurns({ total: 1 });
  const first = turns.take('a');
  const order: number[] = [];
  for (const nth of [1, 2, 3]) {
    void turns.wait('a').then((turn) => {
      order.push(nth);
      turn.end();
    });
  }
  await settled();
  expect(order).toEqual([]);
  first?.end();
  await settled();
  expect(order).toEqual([1, 2, 3]);
});

test('begins a turn of each other sender before the next one of the same', async () => {
  const turns = createTurns({ total: 1 });
  const order: string[] = [];
  let turn = turns.take('a');
  for (const sender of ['a', 'a', 'a', 'b', 'c', 'b']) {
    void queue(turns, order, sender).then((begun) => {
      turn = begun;
    });
  }
  for (let ended = 0; ended < 6; ended++) {
    turn?.end();
    await settled();
  }
  expect(order).toEqual(['b', 'c', 'a', 'b', 'a', 'a']);
});

test('refuses a request that has waited for 10 s', async () => {
  const turns = createTurns({ total: 1 });
  turns.take('a');
  const refused = vi.fn<(error: unknown) => void>();
  void turns.wait('a').catch(refused);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(refused).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(refused).toHaveBeenCalledWith(busy());
});

test('refuses a request at once where as many of its sender wait as may, and no other sender', async () => {
  const turns = createTurns({ total: 1 });
  const turn = turns.take('a');
  const waits = [turns.wait('a', { queueMax: 1 })];
  await expect(turns.wait('a', { queueMax: 1 })).rejects.toThrow(busy());
  waits.push(turns.wait('b', { queueMax: 1 }));
  turn?.end();
  for (const wait of waits.toReversed()) (await wait).end();
});

test('does not begin a turn for a client that has left, and ends one that has begun', async () => {
  const turns = createTurns({ total: 1 });
  const turn = turns.take('a');
  const [left, leaves] = [new AbortController(), new AbortController()];
  void turns.wait('a', { signal: left.signal }).catch(() => {});
  void turns.wait('a', { signal: leaves.signal });
  left.abort();
  turn?.end();
  // The turn has begun, and the request does not run again.
  leaves.abort();
  expect(turns.take('a')).toBeDefined();
});

test('ends a turn with its lease, and begins the next one', async () => {
  const turns = createTurns({ total: 1, leaseMs: 5_000 });
  turns.take('a');
  const next = turns.wait('a');
  await vi.advanceTimersByTimeAsync(5_500);
  expect(await next).toBeDefined();
});

describe('what is slow', () => {
  const slow = () => ({ isSlow: () => true, giveWay: vi.fn<() => void>() });

  test('gives its turn to a request of its sender that waits', async () => {
    const turns = createTurns({ total: 4, each: 2 });
    const reader = slow();
    turns.take('a')?.keepFor(reader);
    turns.take('a');
    expect(reader.giveWay).not.toHaveBeenCalled();
    expect(await turns.wait('a')).toBeDefined();
    expect(reader.giveWay).toHaveBeenCalledOnce();
  });

  test('gives its turn up when it becomes slow while another request waits', async () => {
    const turns = createTurns({ total: 1 });
    let isSlow = false;
    const giveWay = vi.fn<() => void>();
    turns.take('a')?.keepFor({ isSlow: () => isSlow, giveWay });
    const next = turns.wait('a');
    await settled();
    expect(giveWay).not.toHaveBeenCalled();
    isSlow = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(await next).toBeDefined();
    expect(giveWay).toHaveBeenCalledOnce();
  });

  test('keeps its turn beside a sender that has as many as it may', () => {
    const turns = createTurns({ total: 4, each: 1 });
    const reader = slow();
    turns.take('a')?.keepFor(reader);
    turns.take('b');
    expect(turns.take('b')).toBeUndefined();
    expect(reader.giveWay).not.toHaveBeenCalled();
  });
});

test('counts a turn for the sender that it moves to', () => {
  const turns = createTurns({ total: 4, each: 1 });
  expect(turns.take('192.0.2.1')?.moveTo('a')).toBe(true);
  expect(turns.take('a')).toBeUndefined();
  const turn = turns.take('192.0.2.1');
  expect(turn?.moveTo('a')).toBe(false);
  turn?.end();
  expect(turns.take('192.0.2.1')).toBeDefined();
});
