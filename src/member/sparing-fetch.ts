import type { FetchImplementation } from 'jose';
import * as z from 'zod';

type Pauses = {
  /** How long an answer is given again before it is asked for anew. */
  afterAnswerMs: number;
  /** The same of a failure. */
  afterFailureMs: number;
};

const KeySet = z.object({ keys: z.array(z.looseObject({})) });

/**
 * A fetch of one set of keys, asked for at most once in a pause: by however many requests at a time,
 * and also while it fails. Who comes within the pause shares what came of the last, or is to come.
 */
export function fetchSparingly(
  fetchOnce: FetchImplementation,
  { afterAnswerMs, afterFailureMs }: Pauses,
): FetchImplementation {
  let last: { startedAtMs: number; pauseMs: number; text: Promise<string> } | undefined;

  return async (url, init) => {
    const now = Date.now();
    if (!last || now >= last.startedAtMs + last.pauseMs) {
      const text = fetchOnce(url, init).then(keysOf);
      last = { startedAtMs: now, pauseMs: afterAnswerMs, text };
    }
    const shared = last;
    try {
      // An answer that another request waits for never comes if that request is broken off.
      return new Response(await untilAborted(shared.text, init.signal));
    } catch (error) {
      shared.pauseMs = afterFailureMs;
      throw error;
    }
  };
}

/** @throws where the answer is no set of keys: that is a failure too. */
async function keysOf(response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`The panel answers with ${response.status}.`);
  const text = await response.text();
  if (!KeySet.safeParse(JSON.parse(text)).success) throw new Error('The panel answers no keys.');
  return text;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  return Promise.race([promise, aborted]);
}
