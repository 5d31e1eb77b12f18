/**
 * Requests an answer again and again. Each request sends the page's version, so an unchanged answer is an empty 304. A
 * cache can answer such requests: the number of viewers does not change the number of database queries.
 */

import { isAsleep, waitMs } from './interval.ts';
import { findKept, keep } from './kept.ts';
import { learnTime, serverNow } from './server-clock.ts';

/** Without an answer for this time, the server does not answer. */
const ANSWER_BUDGET_MS = 10_000;
/** An answer older than this comes from a cache, because the API does not answer. */
const AGE_MAX_MS = 30_000;
/**
 * The first answer comes with the page. The browser stores the first answer after this time, when the page is drawn.
 */
const KEEP_FIRST_MS = 1_000;
/** An unchanged answer is stored again after this time, so that its stored time stays fresh. */
const KEEP_AGAIN_MS = 60_000;

/**
 * `current`: the body is current. `offline` and `failing`: the body is as of `asOf`, because there is no
 * connection or the server does not answer. `none`: the server has none. `tooLarge`: the event is too large.
 */
export type Polled<Body> = {
  state: 'connecting' | 'current' | 'offline' | 'failing' | 'none' | 'tooLarge';
  body: Body | undefined;
  /** Epoch ms by the server's clock. */
  asOf: number | undefined;
};

/** The data that came with the page. `at` is epoch ms. */
export type First<Body> = { body: Body; at: number; version?: string };

/** The server was reached and cannot answer. Every other failure is a failure of the connection. */
class ServerFailure extends Error {}

/**
 * @param interval milliseconds from an answer to the next request. Infinity asks again only after a failure
 * @param changed called after each answer and each failure
 */
export function poll<Body>(
  url: string,
  interval: () => number,
  first: First<Body> | undefined,
  changed: (polled: Polled<Body>) => void,
) {
  const stopped = new AbortController();
  let [isAsking, isWanted] = [false, false];
  let version = first?.version;
  let failures = 0;
  let keptAt = Number.NEGATIVE_INFINITY;
  let next: ReturnType<typeof setTimeout> | undefined;
  let polled: Polled<Body> = { state: 'connecting', body: first?.body, asOf: first?.at };

  async function ask() {
    // An answer under way may be older than the caller needs.
    isWanted = isAsking;
    if (isAsking) return;
    isAsking = true;
    clearTimeout(next);
    try {
      await send();
      failures = 0;
    } catch (error) {
      failures += 1;
      const state = error instanceof ServerFailure ? 'failing' : 'offline';
      polled = { ...polled, ...(polled.body ? {} : await findKept<Body>(url)), state };
    }
    isAsking = false;
    if (stopped.signal.aborted) return;
    changed(polled);
    if (isWanted) void ask();
    else wait();
  }

  function wait() {
    const { hidden } = document;
    const ms = waitMs(interval(), { failures, isHidden: hidden, random: Math.random() });
    // A timer that has ended still says that the page may ask.
    next = ms < Infinity ? setTimeout(() => isAsleep(hiddenMs()) || ask(), ms) : undefined;
  }

  async function send() {
    const [{ status, headers }, body] = await answerTo<Body>(url, version, stopped.signal);
    const ageMs = Number(headers.get('Age') ?? 0) * 1_000;
    const writtenAt = Date.parse(headers.get('Date') ?? '');
    if (!Number.isNaN(writtenAt)) learnTime(writtenAt, ageMs);
    if (status !== 304) version = headers.get('ETag') ?? undefined;
    polled =
      status === 404 || status === 413
        ? { state: status === 404 ? 'none' : 'tooLarge', body: undefined, asOf: undefined }
        : {
            state: ageMs > AGE_MAX_MS ? 'failing' : 'current',
            body: body ?? polled.body,
            asOf: serverNow() - ageMs,
          };
    keepPolled(status === 304);
  }

  function keepPolled(isUnchanged: boolean) {
    const { state, body, asOf } = polled;
    if (isUnchanged && serverNow() - keptAt < KEEP_AGAIN_MS) return;
    keptAt = serverNow();
    if (state === 'current' && body && asOf) void keep(url, { body, asOf });
    else if (state === 'none') void keep(url, undefined);
  }

  let hiddenAt = Date.now();
  const hiddenMs = () => (document.hidden ? Date.now() - hiddenAt : 0);
  // Requests at once when the viewer or the connection comes back.
  const again = () => {
    if (next !== undefined) void ask();
  };
  const { signal } = stopped;
  const turned = () => {
    if (document.hidden) hiddenAt = Date.now();
    else again();
  };
  document.addEventListener('visibilitychange', turned, { signal });
  addEventListener('online', again, { signal });
  addEventListener('offline', () => changed({ ...polled, state: 'offline' }), { signal });
  // A restored tab shows an old page: an old page asks at once.
  if (first && Math.abs(Date.now() - first.at) < AGE_MAX_MS) polled.state = 'current';
  // The caller first takes the return value, and the browser can answer the reader before the first rendering.
  if (first) setTimeout(() => stopped.signal.aborted || changed(polled));
  // A reader may lose the connection before the next answer.
  if (polled.state === 'current') setTimeout(() => keepPolled(false), KEEP_FIRST_MS);
  if (polled.state === 'current') wait();
  else void ask();

  return {
    ask: () => void ask(),
    stop() {
      stopped.abort();
      clearTimeout(next);
    },
  };
}

/**
 * Asks for an answer, and for its body if the version is not the latest.
 * @throws ServerFailure if the server answers with an error or not in time
 */
async function answerTo<Body>(
  url: string,
  version: string | undefined,
  stopped: AbortSignal,
): Promise<[Response, Body | undefined]> {
  const tooLate = AbortSignal.timeout(ANSWER_BUDGET_MS);
  try {
    const answer = await fetch(url, {
      // The page compares versions. The browser's cache would store answers without readers.
      cache: 'no-store',
      credentials: 'omit',
      headers: version === undefined ? {} : { 'If-None-Match': version },
      signal: AbortSignal.any([stopped, tooLate]),
    });
    if (![200, 304, 404, 413].includes(answer.status)) throw new ServerFailure(`${answer.status}`);
    return [answer, answer.status === 200 ? await answer.json() : undefined];
  } catch (cause) {
    if (tooLate.aborted) throw new ServerFailure(`${url} did not answer`, { cause });
    throw cause;
  }
}

/** Polls a single address at a time, and forgets the answers of earlier addresses. */
export class Follower<Body> {
  /** The last answer of the followed address. */
  answer: Polled<Body> | undefined;
  /** Called after each answer and each failure. */
  changed: (before: Polled<Body> | undefined) => void = () => {};
  readonly #intervalMs: number;
  #url: string | undefined;
  #polling: ReturnType<typeof poll> | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** @returns false if the address is followed already */
  follow(url: string | undefined, first?: First<Body>): boolean {
    if (url === this.#url) return false;
    this.#polling?.stop();
    this.#url = url;
    this.answer = url ? { state: 'connecting', body: first?.body, asOf: first?.at } : undefined;
    const take = (now: Polled<Body>) => {
      const before = this.answer;
      this.answer = now;
      this.changed(before);
    };
    this.#polling = url ? poll(url, () => this.#intervalMs, first, take) : undefined;
    return true;
  }

  ask(): void {
    this.#polling?.ask();
  }
}
