import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from './listen.ts';
import { claim, findRunning, RUNNING } from './running.ts';

const READY = { origin: 'http://localhost:8788', apiKey: 'demo-key' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const leave = (running: object) =>
  writeFileSync(join(folder, RUNNING), JSON.stringify({ ready: READY, ...running }));

test('says where the stack runs until it is released', async () => {
  const claimed = await claim(folder);
  expect(await findRunning(folder)).toBeUndefined();
  claimed.announce(READY);
  expect(await findRunning(folder)).toEqual(READY);
  claimed.release();
  expect(await findRunning(folder)).toBeUndefined();
  expect(existsSync(join(folder, RUNNING))).toBe(false);
});

test('refuses a second stack in the same folder but not in another', async () => {
  const other = mkdtempSync(join(tmpdir(), 'running-'));
  const claimed = await claim(folder);
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running.');
  claimed.announce(READY);
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running.');
  (await claim(other)).release();
  rmSync(other, { recursive: true });
  claimed.release();
});

test('takes over from a stack that was killed', async () => {
  leave({ port: await freePort() });
  expect(await findRunning(folder)).toBeUndefined();
  (await claim(folder)).release();
});

test('takes over from a file that it cannot read', async () => {
  writeFileSync(join(folder, RUNNING), '{"port":');
  (await claim(folder)).release();
});
