import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, listen } from './listen.ts';
import { claim, findRunning, RUNNING } from './running.ts';

const READY = {
  origin: 'http://localhost:8788',
  demo: {
    organizationId: '3f0e1d3c-4f0a-4f0e-9d58-0d7a9c0a6f11',
    ownerId: 'owner',
    eventId: '7b9d8a70-90cf-4e1e-8f80-5c6f0a0d2a22',
    apiKey: 'demo-key',
  },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const leave = (running: object) =>
  writeFileSync(join(folder, RUNNING), JSON.stringify({ ready: READY, ...running }));

async function listening() {
  const server = createServer();
  const port = await listen(server, 0, 'test');
  return { port, stop: () => new Promise((resolve) => server.close(resolve)) };
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('says where the stack runs until it is released', async () => {
  const { port, stop } = await listening();
  const claimed = await claim(folder);
  expect(await findRunning(folder)).toBeUndefined();
  claimed.update({ port, ready: READY });
  expect(await findRunning(folder)).toEqual(READY);
  claimed.release();
  expect(await findRunning(folder)).toBeUndefined();
  expect(existsSync(join(folder, RUNNING))).toBe(false);
  await stop();
});

test('refuses a second stack in the same folder but not in another', async () => {
  const { port, stop } = await listening();
  const other = mkdtempSync(join(tmpdir(), 'running-'));
  leave({ pid: process.ppid, port });
  await expect(claim(folder)).rejects.toThrow(
    `Another stack of this checkout is running (process ${process.ppid}). Stop it first.`,
  );
  (await claim(other)).release();
  rmSync(other, { recursive: true });
  await stop();
});

test('refuses a second stack while the first one starts', async () => {
  leave({ pid: process.ppid });
  await expect(claim(folder)).rejects.toThrow('Another stack of this checkout is running');
});

test('takes over from a stack that was killed', async () => {
  leave({ pid: await endedPid() });
  expect(await findRunning(folder)).toBeUndefined();
  (await claim(folder)).release();
});

test('takes over when another process has the id of a stack that was killed', async () => {
  leave({ pid: process.ppid, port: await freePort(0, 'test') });
  expect(await findRunning(folder)).toBeUndefined();
  (await claim(folder)).release();
});

test('takes over from a file that it cannot read', async () => {
  writeFileSync(join(folder, RUNNING), '{"pid":');
  (await claim(folder)).release();
});
