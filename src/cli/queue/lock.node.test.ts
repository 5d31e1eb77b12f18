import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockAddress, lockHolder, takeLock } from './lock.ts';

function userOf() {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, secret: 'synthetic' };
}

const take = async (address: string, name: string) => {
  const lock = await takeLock(address, name);
  onTestFinished(lock.release);
  return lock;
};

test('lets one process at a time send for an event from a folder, and names it', async () => {
  const user = userOf();
  const address = lockAddress(user, 'e1', '/race');
  const first = await take(address, '/r.csv');
  await expect(take(address, '/other.csv')).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(`process ${process.pid}, started at 20.*, /r.csv`),
  });
  expect(await lockHolder(address)).toMatchObject({ pid: process.pid, name: '/r.csv' });
  await take(lockAddress(user, 'e2', '/race'), '');
  await take(lockAddress(user, 'e1', '/other'), '');
  await first.release();
  expect(await lockHolder(address)).toBeUndefined();
  await take(address, '/other.csv');
});

test('takes over the lock of a process that was killed', async () => {
  const address = lockAddress(userOf(), 'e4', '/race');
  const script = `
    const { takeLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    await takeLock(${JSON.stringify(address)}, '/r.csv');
    console.log('taken');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  await expect(take(address, '/r.csv')).rejects.toMatchObject({
    message: expect.stringContaining(`process ${other.pid},`),
  });
  other.kill('SIGKILL');
  await once(other, 'close');
  expect(existsSync(address)).toBe(true);
  expect(await lockHolder(address)).toBeUndefined();
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => take(address, '')));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
