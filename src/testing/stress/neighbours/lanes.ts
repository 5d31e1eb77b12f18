import { fork } from 'node:child_process';
import { once } from 'node:events';
import { endGroupAtExit } from '../../runtime/at-exit.ts';

/** A request in the form on the network. */
export type WireForm = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
};

/** The work of lanes: each form in turns, with the headers of the next caller. */
type LaneWork = {
  lanes: number;
  forms: readonly WireForm[];
  callers: readonly Record<string, string>[];
};

/** The number of answers with each status. */
export type Statuses = Record<string, number>;

/**
 * Starts a process for lanes, each of which sends its next request after the last answer. So a measurement beside the
 * lanes does not read the lanes' answers, which may be long.
 */
export function startLanes() {
  const child = fork(import.meta.filename, { detached: true, serialization: 'advanced' });
  endGroupAtExit(child);
  return {
    start: (work: LaneWork) => void child.send(work),
    /** Waits until all lanes have their last answers. */
    async end(): Promise<Statuses> {
      const ended = once(child, 'message');
      child.send('end');
      const [statuses]: Statuses[] = await ended;
      return statuses ?? {};
    },
    async stop(): Promise<void> {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** How Node names the cause when the server has closed a connection. */
const CLOSED = /EPIPE|ECONNRESET|other side closed/;

async function statusOf({ url, ...form }: WireForm, caller: Record<string, string>) {
  try {
    const response = await fetch(url, { ...form, headers: { ...form.headers, ...caller } });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    // A refusal does not read the body, so the connection closes, sometimes before the next request has left.
    const cause = error instanceof Error ? String(error.cause) : '';
    if (CLOSED.test(cause)) return 'closed';
    throw error;
  }
}

function run({ lanes, forms, callers }: LaneWork) {
  const statuses: Statuses = {};
  let [isOver, sent] = [false, 0];
  const all = Array.from({ length: lanes }, async () => {
    while (!isOver) {
      const [form, caller] = [forms[sent % forms.length], callers[sent % callers.length]];
      sent += 1;
      if (!(form && caller)) throw new Error('The lanes have nothing to send.');
      const status = await statusOf(form, caller);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  return async (): Promise<Statuses> => {
    isOver = true;
    await Promise.all(all);
    return statuses;
  };
}

// A child process serves its parent.
if (process.argv[1] === import.meta.filename) {
  let end: (() => Promise<Statuses>) | undefined;
  process.on('message', async (asked: LaneWork | 'end') => {
    if (asked !== 'end') end = run(asked);
    else process.send?.((await end?.()) ?? {});
  });
}
