import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { Demo } from './demo.ts';
import { errorCode, LOOPBACK, listen } from './listen.ts';

/** The file in `folder` that describes the running stack. */
export const RUNNING = 'running.json';

/** The API and the demo of a running stack. */
const Ready = z.object({ origin: z.string(), demo: Demo });
/** The claim ends with its process, which listens on the port. */
const Running = z.object({ port: z.int(), ready: Ready.optional() });

export type Ready = z.infer<typeof Ready>;

export type Claim = {
  /** Says where the stack runs. */
  announce(ready: Ready): void;
  release(): void;
};

/**
 * Claims `folder` for the stack of this process: two embedded Postgres on one folder lose rows silently.
 * @throws Error of one line if another stack runs
 */
export async function claim(folder: string): Promise<Claim> {
  const file = join(folder, RUNNING);
  mkdirSync(folder, { recursive: true });
  const taken = `Another stack of this checkout is running. Stop it first. If there is none, delete ${file}.`;
  if (await findClaim(folder)) throw new Error(taken);
  // A stack that was killed left the file behind.
  rmSync(file, { force: true });
  const server = createServer((socket) => socket.destroy()).unref();
  const port = await listen(server);
  const write = (ready: Ready | undefined, flag: 'w' | 'wx') =>
    writeFileSync(file, JSON.stringify({ port, ready }), { flag, mode: 0o600 });
  try {
    write(undefined, 'wx');
  } catch (error) {
    server.close();
    throw errorCode(error) === 'EEXIST' ? new Error(taken) : error;
  }
  return {
    announce: (ready) => write(ready, 'w'),
    release() {
      rmSync(file, { force: true });
      server.close();
    },
  };
}

/** Finds the stack that has claimed `folder`, if it is ready. */
export const findRunning = async (folder: string): Promise<Ready | undefined> =>
  (await findClaim(folder))?.ready;

async function findClaim(folder: string): Promise<z.infer<typeof Running> | undefined> {
  try {
    const running = Running.parse(JSON.parse(readFileSync(join(folder, RUNNING), 'utf8')));
    return (await answers(running.port)) ? running : undefined;
  } catch {
    // There is no file, or it is not of this version.
    return undefined;
  }
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
