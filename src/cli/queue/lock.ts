import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { CliError, EXIT } from '../exit-codes.ts';
import { codeOf, digestOf } from '../own-files.ts';
import { say } from '../words.ts';

const Holder = z.object({ pid: z.int(), startedAt: z.string(), name: z.string() });
export type Holder = z.infer<typeof Holder>;

/** Far more than it takes from finding an address dead to removing it. */
const TAKEOVER_MS = 50;
const ANSWER_MS = 2_000;

export type Lock = { release(): Promise<void> };

/**
 * Where the process listens that sends for an event from a folder. Only its user can listen there: the
 * address stands in a folder of the user, and on Windows its name has a secret of the user in it.
 */
export function lockAddress(user: { folder: string; secret: string }, event: string, at: string) {
  const name = digestOf(`${user.secret} ${event} ${at}`).slice(0, 16);
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\race-results-${name}`
    : join(user.folder, `${name}.sock`);
}

/** @throws CliError naming the process that has it. A process that has ended has it no longer */
export async function takeLock(address: string, name: string): Promise<Lock> {
  const me: Holder = { pid: process.pid, startedAt: new Date().toISOString(), name };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(me));
  });
  while (!(await listens(server, address))) {
    const holder = await lockHolder(address);
    if (holder) throw alreadyRunning(holder);
    if (process.platform !== 'win32') await rm(address, { force: true });
  }
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  // Another process may have found the same dead address, and may have removed this one for it.
  if (process.platform !== 'win32') await wait(TAKEOVER_MS);
  const holder = await lockHolder(address);
  if (holder?.startedAt === me.startedAt && holder.pid === me.pid) return { release };
  await release();
  throw alreadyRunning(holder ?? me);
}

/** The process that listens at an address. */
export function lockHolder(address: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address).setEncoding('utf8').setTimeout(ANSWER_MS);
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('timeout', () => socket.destroy()).on('error', () => resolve(undefined));
    socket.on('close', () => resolve(z.safeParse(Holder, parsed(text)).data));
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const alreadyRunning = ({ pid, startedAt, name }: Holder): CliError =>
  new CliError(EXIT.running, say('is_running_already_in_this', { pid, startedAt, name }));
