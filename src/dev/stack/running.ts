import { tmpdir } from 'node:os';
import * as z from 'zod';
import { ask, lockAddress, takeLock } from '../../cli/queue/lock.ts';

/** The API of a running stack, and the demo's key. */
const Ready = z.object({ origin: z.string(), apiKey: z.string() });

export type Ready = z.infer<typeof Ready>;

/** The stack of a state folder answers here. The path of that folder may be too long for a socket. */
const addressOf = (folder: string): string =>
  lockAddress({ folder: tmpdir(), secret: '' }, 'local stack', folder);

/**
 * Claims `folder` for the stack of this process: two embedded Postgres on one folder lose rows silently.
 * @throws Error of one line if another stack runs
 */
export async function claim(folder: string) {
  let ready: Ready | undefined;
  const server = await takeLock(addressOf(folder), async () => ready);
  if (!server) throw new Error('Another stack of this checkout is running. Stop it first.');
  return {
    /** Says where the stack runs. */
    announce(where: Ready): void {
      ready = where;
    },
    release: () => void server.close(),
  };
}

/** Finds the stack that has claimed `folder`, if it is ready. */
export const findRunning = async (folder: string): Promise<Ready | undefined> =>
  Ready.safeParse(await ask(addressOf(folder), null)).data;
