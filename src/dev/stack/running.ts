import * as z from 'zod';
import { askLocal, type LocalAddress, localAddress, openLocal } from '../../cli/queue/local.ts';

/** The API of a running stack, and the demo's key. */
const Ready = z.object({ origin: z.string(), apiKey: z.string() });

export type Ready = z.infer<typeof Ready>;

/** The stack of a state folder answers here. */
const addressOf = (folder: string): LocalAddress => localAddress('', 'local stack', folder);

/**
 * Claims `folder` for the stack of this process: two embedded Postgres on a folder lose rows silently.
 * @throws Error with a single line if another stack runs
 */
export async function claim(folder: string) {
  let ready: Ready | undefined;
  const server = await openLocal(addressOf(folder), { state: async () => ready });
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
  Ready.safeParse(await askLocal(addressOf(folder), '/state')).data;
