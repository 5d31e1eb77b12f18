import { fork } from 'node:child_process';
import { once } from 'node:events';
import { endGroupAtExit } from '../testing/runtime/at-exit.ts';

type Sent = { url: string; headers: Record<string, string> };
type Received = { status: number; bytes: number; lines: number };

/**
 * Starts a client in a separate process, so that reading a long answer does not slow the gateways, which run in the
 * bench's process.
 */
export function startClient() {
  const child = fork(import.meta.filename, { detached: true });
  endGroupAtExit(child);
  return {
    /** Reads an answer to its end. @throws if the status is not 200 */
    async read(asked: Sent): Promise<Received> {
      child.send(asked);
      const [received]: Received[] = await once(child, 'message');
      if (received?.status !== 200) throw new Error(`${asked.url}: ${received?.status}`);
      return received;
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

const LINE_END = 0x0a;

async function readWhole({ url, headers }: Sent): Promise<Received> {
  const { status, body } = await fetch(url, { headers });
  let [bytes, lines] = [0, 0];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    for (const byte of piece) if (byte === LINE_END) lines += 1;
  }
  return { status, bytes, lines };
}

// A child process serves its parent.
if (process.argv[1] === import.meta.filename) {
  process.on('message', (asked: Sent) =>
    readWhole(asked).then((received) => process.send?.(received)),
  );
}
