import { ask, ServerFailure } from './ask.js';

/**
 * Keeps the page current. It requests the snapshot every few seconds and sends the version that it has, so
 * an unchanged answer is an empty 304. A cache can answer such requests: the number of viewers does not
 * change the number of database queries.
 */

/** The time between two requests. It varies randomly, so that viewers do not send them all at once. */
const INTERVAL_MS = 5_000;
const JITTER = 0.2;
/** The interval of a hidden page and of a board that is switched off. */
const IDLE_INTERVAL_MS = 30_000;
const BACKOFF_MAX_MS = 30_000;
/** An answer older than this comes from a cache, because the API does not answer. */
const AGE_MAX_MS = 30_000;

/**
 * `current`: the page is current. `offline` and `failing`: the page shows the state at `asOf`, because
 * there is no connection or the server does not answer. `closed`: the board is off. `now` is the server's
 * clock.
 * @typedef {object} Connection
 * @property {'connecting' | 'current' | 'offline' | 'failing' | 'closed'} state
 * @property {number | undefined} asOf
 * @property {() => number} now
 */

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardSnapshot} Snapshot */

/**
 * @param {string} url
 * @param {{ at: number, snapshot: Snapshot } | undefined} first what came with the page
 * @param {object} listeners
 * @param {(snapshot: Snapshot) => void} listeners.changed
 * @param {(connection: Connection) => void} listeners.connection
 */
export function startFeed(url, first, { changed, connection }) {
  /** @type {string | undefined} */
  let version;
  /** @type {number | undefined} */
  let asOf;
  /** Milliseconds that the server's clock is ahead of this one. */
  let aheadMs = 0;
  let failures = 0;
  let asking = false;
  const now = () => Date.now() + aheadMs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;

  async function turn() {
    if (asking) return;
    asking = true;
    clearTimeout(next);
    try {
      tell(await ask(url, version));
      failures = 0;
    } catch (error) {
      // The next request finds out whether the failure is over.
      failures += 1;
      connection({ state: error instanceof ServerFailure ? 'failing' : 'offline', asOf, now });
    }
    asking = false;
    wait();
  }

  function wait() {
    const interval = asOf === undefined && failures === 0 ? IDLE_INTERVAL_MS : INTERVAL_MS;
    const patient = Math.min(interval * 1.5 ** Math.max(failures - 1, 0), BACKOFF_MAX_MS);
    const ms = document.hidden ? IDLE_INTERVAL_MS : patient;
    next = setTimeout(turn, ms * (1 + JITTER * (2 * Math.random() - 1)));
  }

  /** @param {import('./ask.js').Answer} answer */
  function tell(answer) {
    if (answer.kind === 'none') {
      version = undefined;
      asOf = undefined;
      connection({ state: 'closed', asOf, now });
      return;
    }
    aheadMs = answer.at - Date.now();
    asOf = now() - answer.ageMs;
    if (answer.kind === 'new') {
      version = answer.version;
      changed(/** @type {Snapshot} */ (answer.body));
    }
    connection({ state: answer.ageMs > AGE_MAX_MS ? 'failing' : 'current', asOf, now });
  }

  // Requests at once when the viewer or the connection comes back.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void turn();
  });
  addEventListener('online', () => void turn());
  addEventListener('offline', () => connection({ state: 'offline', asOf, now }));
  if (!first) {
    void turn();
    return;
  }
  changed(first.snapshot);
  // A browser that restores a tab shows a page of long ago: that one asks at once.
  const isFresh = Math.abs(Date.now() - first.at) < AGE_MAX_MS;
  asOf = first.at;
  connection({ state: isFresh ? 'current' : 'connecting', asOf, now });
  if (isFresh) wait();
  else void turn();
}
