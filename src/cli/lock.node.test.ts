import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockHolder, takeLock } from './lock.ts';

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const take = async (folder: string, event: string, name?: string) => {
  const lock = await takeLock(folder, { event, name });
  onTestFinished(lock.release);
  return lock;
};

test('lets one process at a time have a state folder, and names it', async () => {
  const folder = stateFolder();
  const first = await take(folder, 'e1', '/r.csv');
  await expect(take(folder, 'e1', '/other.csv')).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(`process ${process.pid}, started at 20.* sends /r.csv`),
  });
  expect(await lockHolder(folder)).toMatchObject({ pid: process.pid, name: '/r.csv' });
  await first.release();
  expect(await lockHolder(folder)).toBeUndefined();
  await take(folder, 'e1', '/other.csv');
});

test('lets one process at a time send a file to an event, whatever their state folders', async () => {
  const name = join(stateFolder(), 'r.csv');
  await take(stateFolder(), 'e2', name);
  await expect(take(stateFolder(), 'e2', name)).rejects.toMatchObject({ exitCode: 7 });
  await take(stateFolder(), 'e3', name);
  await take(stateFolder(), 'e2', `${name}.other`);
});

test('takes over the lock of a process that was killed, even if its id lives on', async () => {
  const folder = stateFolder();
  const script = `
    const { takeLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    await takeLock(${JSON.stringify(folder)}, { event: 'e4', name: '/r.csv' });
    console.log('taken');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  await expect(take(folder, 'e4', '/r.csv')).rejects.toMatchObject({
    message: expect.stringContaining(`process ${other.pid},`),
  });
  other.kill('SIGKILL');
  await once(other, 'close');
  // As after a restart, when this process has got the old id.
  const path = join(folder, 'lock.json');
  const holder = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...holder, pid: process.pid }));
  expect(await lockHolder(folder)).toBeUndefined();
  await take(folder, 'e4', '/r.csv');
  expect(existsSync(holder.address)).toBe(false);
});

test('lets one of many that find a stale lock have it', async () => {
  const folder = stateFolder();
  const path = join(folder, 'lock.json');
  const stale = {
    pid: 1,
    startedAt: '',
    event: 'e5',
    name: '',
    host: hostname(),
    address: '/nowhere',
  };
  writeFileSync(path, JSON.stringify(stale));
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => take(folder, 'e5')));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('takes no lock from another computer, and says how to remove it', async () => {
  const folder = stateFolder();
  const other = { pid: 7, startedAt: 'noon', event: 'e', name: '', host: 'other', address: '/x' };
  writeFileSync(join(folder, 'lock.json'), JSON.stringify(other));
  await expect(take(folder, 'e')).rejects.toThrow(
    /on the computer other: process 7.*remove .*lock.json/,
  );
});
