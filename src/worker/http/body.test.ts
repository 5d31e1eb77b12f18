import { expect, test } from 'vitest';
import { createGate, type Gate, withoutLarge } from '../gate/gate.ts';
import { createLeases } from '../gate/leases.ts';
import { openBody } from './body.ts';

const KIB = 1_024;
const TOTAL = 1_024 * KIB;

function openGrowing() {
  const limits = {
    ...createGate(),
    small: createLeases({ total: TOTAL }),
    large: createLeases({ total: TOTAL }),
  };
  const request = new Request('https://api.test/', { method: 'POST' });
  const body = openBody(request, { maxBytes: TOTAL, roomPerByte: 1 }, limits, 'sender');
  /** Whether nobody holds any of this memory. */
  const hasAll = (kind: 'small' | 'large') => {
    const other = {};
    const isFree = limits[kind].hold(other, 'other', TOTAL);
    limits[kind].release(other);
    return isFree;
  };
  return { body, limits, hasAll };
}

test('gives the memory of small bodies back when it becomes a large one', () => {
  const { body, hasAll } = openGrowing();
  body.grow(100 * KIB);
  expect([hasAll('small'), hasAll('large')]).toEqual([false, true]);
  body.grow(200 * KIB);
  expect([hasAll('small'), hasAll('large')]).toEqual([true, false]);
  body.release();
  expect([hasAll('small'), hasAll('large')]).toEqual([true, true]);
});

test('gives the memory of large bodies back when it fits among the small ones', () => {
  const { body, limits, hasAll } = openGrowing();
  const otherBody = {};
  expect(limits.small.hold(otherBody, 'other', TOTAL)).toBe(true);
  body.grow(100 * KIB);
  expect(hasAll('large')).toBe(false);
  limits.small.release(otherBody);
  body.grow(1);
  expect([hasAll('small'), hasAll('large')]).toEqual([false, true]);
});

test('leaves the memory of large bodies to organizations, however many networks hold bodies', () => {
  const gate = createGate();
  const sending = (bytes: number, limits: Gate, sender: string) => () => {
    const request = new Request('https://api.test/', { method: 'POST' });
    openBody(request, { maxBytes: TOTAL, roomPerByte: 2 }, limits, sender).grow(bytes);
  };
  const strangers = Array.from({ length: 400 }, (_, at) =>
    sending(64 * KIB, withoutLarge(gate), `192.0.2.${at % 20}`),
  );
  for (const send of strangers.slice(0, 32)) send();
  for (const send of strangers.slice(32)) expect(send).toThrow('Other uploads');
  expect(sending(300 * KIB, gate, 'organization')).not.toThrow();
});
