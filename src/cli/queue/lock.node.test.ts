import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, lockAddress, takeLock } from './lock.ts';

function userOf() {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, secret: 'synthetic' };
}

const take = async (address: string, name: string) => {
  const lock = await takeLock(address, async (question) => ({ name, question }));
  onTestFinished(() => void lock?.close());
  return lock;
};

const release = (lock: Server | undefined) => new Promise((resolve) => lock?.close(resolve));

test('lets one process at a time have an address, and answers others there', async () => {
  const user = userOf();
  const address = lockAddress(user, 'e1', '/race');
  expect(await ask(address, 1)).toBeUndefined();
  const first = await take(address, '/r.csv');
  expect(await take(address, '/other.csv')).toBeUndefined();
  expect(await ask(address, { bib: '1' })).toEqual({ name: '/r.csv', question: { bib: '1' } });
  expect(await take(lockAddress(user, 'e2', '/race'), '')).toBeDefined();
  expect(await take(lockAddress(user, 'e1', '/other'), '')).toBeDefined();
  await release(first);
  expect(await ask(address, 1)).toBeUndefined();
  expect(await take(address, '/other.csv')).toBeDefined();
});

test('takes over the lock of a process that was killed', async () => {
  const address = lockAddress(userOf(), 'e4', '/race');
  const script = `
    const { takeLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    const lock = await takeLock(${JSON.stringify(address)}, async () => process.pid);
    lock.ref();
    console.log('taken');`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  expect(await take(address, '/r.csv')).toBeUndefined();
  expect(await ask(address, null)).toBe(other.pid);
  other.kill('SIGKILL');
  await once(other, 'close');
  expect(existsSync(address)).toBe(true);
  const tries = await Promise.all(Array.from({ length: 8 }, () => take(address, '')));
  expect(tries.filter((lock) => lock !== undefined)).toHaveLength(1);
});
