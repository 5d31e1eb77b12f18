import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claim, findRunning } from './running.ts';

const READY = { origin: 'http://localhost:8788', apiKey: 'demo-key' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('says where the stack runs until it is released', async () => {
  const claimed = await claim(folder);
  expect(await findRunning(folder)).toBeUndefined();
  claimed.announce(READY);
  expect(await findRunning(folder)).toEqual(READY);
  claimed.release();
  expect(await findRunning(folder)).toBeUndefined();
});

test('refuses a second stack in the same folder but not in another', async () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'running-'));
  const claimed = await claim(folder);
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running.');
  claimed.announce(READY);
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running.');
  (await claim(otherFolder)).release();
  rmSync(otherFolder, { recursive: true });
  claimed.release();
});

test('takes over from a stack that was killed', async () => {
  const script = `const { claim } = await import(${JSON.stringify(join(import.meta.dirname, 'running.ts'))});
    await claim(${JSON.stringify(folder)});
    console.log('claimed');
    setInterval(() => {}, 1_000);`;
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(killed.stdout, 'data');
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running.');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await findRunning(folder)).toBeUndefined();
  (await claim(folder)).release();
});
