import { expect, test } from 'vitest';
import { createQueue, createSharedQueue } from './waiting.ts';

const waiting = { waitUntil() {}, logFields: { trips: 0 } };

test('runs tasks one after the other, also after one that fails', async () => {
  const queue = createQueue();
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(`${name} ends`);
    if (name === 'first') throw new Error('fails');
  };
  await Promise.allSettled(['first', 'second'].map((name) => queue(waiting, task(name))));
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('begins the next task if one never ends', async () => {
  const queue = createQueue(20);
  void queue(waiting, () => new Promise(() => {}));
  expect(await queue(waiting, async () => 'second')).toBe('second');
});

test('lets an owner wait for one task of each other owner', async () => {
  const queue = createSharedQueue(1);
  const order: string[] = [];
  const task = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(name);
  };
  const many = Array.from({ length: 5 }, () => queue('busy', waiting, task('busy')));
  await queue('other', waiting, task('other'));
  expect(order).toEqual(['busy', 'other']);
  await Promise.all(many);
});
