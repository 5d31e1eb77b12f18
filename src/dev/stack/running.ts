import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode, LOOPBACK, listen } from './listen.ts';

/** The file in `folder` that describes the running stack. */
export const RUNNING = 'running.json';

/** The API of a running stack, and the demo's key. */
const Ready = z.object({ origin: z.string(), apiKey: z.string() });
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
  // A stack that was killed left the file behind.
  if (!(await findClaim(folder))) rmSync(file, { force: true });
  const server = createServer((socket) => socket.destroy()).unref();
  const port = await listen(server);
  const write = (flag: 'w' | 'wx', ready?: Ready) =>
    writeFileSync(file, JSON.stringify({ port, ready }), { flag, mode: 0o600 });
  try {
    write('wx');
  } catch (error) {
    server.close();
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error(
      `Another stack of this checkout is running. Stop it first. If there is none, delete ${file}.`,
    );
  }
  return {
    announce: (ready) => write('w', ready),
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
    const socket = connect(running.port, LOOPBACK);
    await once(socket, 'connect');
    socket.destroy();
    return running;
  } catch {
    // There is no file, it is not of this version, or its process has ended.
    return undefined;
  }
}
