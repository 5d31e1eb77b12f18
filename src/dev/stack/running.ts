import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { Demo } from './demo.ts';
import { errorCode, LOOPBACK } from './listen.ts';

/** The file in `folder` that says what runs. */
export const RUNNING = 'running.json';

/** What others need to know of the stack that a checkout runs. */
const Ready = z.object({ origin: z.string(), demo: Demo });
const Running = z.object({
  pid: z.int(),
  /** A port that the stack listens on, from when it does. */
  port: z.int().optional(),
  ready: Ready.optional(),
});

export type Ready = z.infer<typeof Ready>;
type Running = z.infer<typeof Running>;

export type Claim = {
  /** Tells the others what runs. `port` is one that the stack listens on. */
  tell(running: Omit<Running, 'pid'>): void;
  release(): void;
};

/**
 * Makes this process the only one whose stack has its state in `folder`: two embedded Postgres on one
 * folder lose rows silently.
 * @throws Error of one line when another stack runs
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
        `If that process is no stack, delete ${file}.`,
    );
  }
  // What a stack left behind that was killed.
  rmSync(file, { force: true });
  try {
    write({}, 'wx');
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error('Another stack of this checkout is starting. Stop it first.');
  }
  return { tell: (running) => write(running, 'w'), release: () => rmSync(file, { force: true }) };
}

/** The stack that runs with its state in `folder` and is ready, if there is one. */
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

/** Process ids are used again, above all in containers: the process has to listen as well. */
async function isAlive({ pid, port }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error says that the process exists and belongs to another user.
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
