import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { Demo } from './demo.ts';
import { errorCode, LOOPBACK } from './listen.ts';

/** The file in `folder` that describes the running stack. */
export const RUNNING = 'running.json';

/** The API and the demo of a running stack. */
const Ready = z.object({ origin: z.string(), demo: Demo });
const Running = z.object({
  pid: z.int(),
  /** A port of the stack. Absent until the stack listens. */
  port: z.int().optional(),
  ready: Ready.optional(),
});

export type Ready = z.infer<typeof Ready>;
type Running = z.infer<typeof Running>;

export type Claim = {
  /** Updates the file. `port` is one that the stack listens on. */
  update(running: Omit<Running, 'pid'>): void;
  release(): void;
};

/**
 * Claims `folder` for the stack of this process: two embedded Postgres on one folder lose rows silently.
 * @throws Error of one line if another stack runs
 */
export async function claim(folder: string): Promise<Claim> {
  const file = join(folder, RUNNING);
  const write = (running: Omit<Running, 'pid'>, flag: 'w' | 'wx') =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, ...running }), { flag, mode: 0o600 });
  mkdirSync(folder, { recursive: true });
  const before = read(folder);
  if (before && (await isAlive(before))) {
    throw new Error(
      `Another stack of this checkout is running (process ${before.pid}). Stop it first. ` +
        `If that process is not a stack, delete ${file}.`,
    );
  }
  // A stack that was killed left the file behind.
  rmSync(file, { force: true });
  try {
    write({}, 'wx');
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error('Another stack of this checkout is starting. Stop it first.');
  }
  return { update: (running) => write(running, 'w'), release: () => rmSync(file, { force: true }) };
}

/** Finds the stack that has claimed `folder`, if it is ready. */
export async function findRunning(folder: string): Promise<Ready | undefined> {
  const running = read(folder);
  return running && (await isAlive(running)) ? running.ready : undefined;
}

function read(folder: string): Running | undefined {
  try {
    return Running.parse(JSON.parse(readFileSync(join(folder, RUNNING), 'utf8')));
  } catch {
    return undefined;
  }
}

/** The system reuses process ids, especially in containers. So the process must also listen on its port. */
async function isAlive({ pid, port }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // With any other error the process exists and belongs to another user.
    if (errorCode(error) === 'ESRCH') return false;
  }
  return port === undefined ? pid !== process.pid : answers(port);
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
