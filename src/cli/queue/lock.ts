import { rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { CliError, EXIT } from '../exit-codes.ts';
import { codeOf, digestOf, parsedJson } from '../own-files.ts';
import { say } from '../words.ts';

const Holder = z.object({ pid: z.int(), startedAt: z.string(), name: z.string() });
export type Holder = z.infer<typeof Holder>;

const ANSWER_MS = 2_000;
/** A process that takes an address over needs far less time, unless it was killed. */
const CLAIM_MS = 10_000;

export type Lock = { release(): Promise<void> };

/**
 * Where the process listens that sends for an event from a folder. Only its user can listen there: the
 * address stands in a folder of the user, and on Windows its name has a secret of the user in it.
 */
export function lockAddress(user: { folder: string; secret: string }, event: string, at: string) {
  const name = digestOf(`${user.secret} ${event} ${at}`).slice(0, 16);
  const isWindows = process.platform === 'win32';
  return isWindows ? `\\\\.\\pipe\\race-results-${name}` : join(user.folder, `${name}.sock`);
}

/** @throws CliError naming the process that has it. A process that has ended has it no longer */
export async function takeLock(address: string, name: string): Promise<Lock> {
  const me: Holder = { pid: process.pid, startedAt: new Date().toISOString(), name };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).end(JSON.stringify(me));
  });
  if (!(await listens(server, address))) await takeOver(server, address);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Listens at the address of a process that was killed. One process at a time may try. */
async function takeOver(server: Server, address: string): Promise<void> {
  const claim = `${address}.claim`;
  while (process.platform !== 'win32' && !(await isCreated(claim))) {
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > CLAIM_MS) await rm(claim, { force: true });
    await wait(10);
  }
  try {
    const holder = await lockHolder(address);
    if (holder) throw alreadyRunning(holder);
    if (process.platform !== 'win32') await rm(address, { force: true });
    if (!(await listens(server, address))) throw alreadyRunning(await lockHolder(address));
  } finally {
    if (process.platform !== 'win32') await rm(claim, { force: true });
  }
}

const isCreated = (path: string): Promise<boolean> =>
  writeFile(path, '', { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    },
  );

/** The process that listens at an address. */
export function lockHolder(address: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address).setEncoding('utf8').setTimeout(ANSWER_MS);
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('timeout', () => socket.destroy()).on('error', () => resolve(undefined));
    socket.on('close', () => resolve(z.safeParse(Holder, parsedJson(text)).data));
  });
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      codeOf(error) === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    // It must not keep a command running that is done.
    server.listen(address, () => resolve(true)).unref();
  });
}

const alreadyRunning = (holder: Holder | undefined): CliError => {
  const { pid = '-', startedAt = '-', name = '-' } = holder ?? {};
  return new CliError(EXIT.running, say('is_running_already_in_this', { pid, startedAt, name }));
};
