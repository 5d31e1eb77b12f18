import type { FetchImplementation } from 'jose';
import * as z from 'zod/mini';

type Pauses = {
  /** After an answer, requests share it for this long. */
  afterAnswerMs: number;
  /** After a failure, requests share it for this long. */
  afterFailureMs: number;
};

const KeySet = z.object({ keys: z.array(z.looseObject({})) });

/**
 * Fetches one set of keys at most once in each pause. All requests within the pause share one fetch,
 * whether it succeeded, failed or is still running.
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
      // The runtime cancels a fetch with the request that started it. Others must not wait forever.
      return new Response(await untilAborted(shared.text, init.signal));
    } catch (error) {
      shared.pauseMs = afterFailureMs;
      throw error;
    }
  };
}

/** @throws Error if the answer is not a set of keys */
async function keysOf(response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`The panel answered ${response.status}.`);
  const text = await response.text();
  if (!KeySet.safeParse(JSON.parse(text)).success)
    throw new Error('The panel did not answer a set of keys.');
  return text;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  return Promise.race([promise, aborted]);
}
