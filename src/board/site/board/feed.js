import { ask } from './ask.js';

/**
 * How the page stays current: it asks for the snapshot every few seconds and names the version that
 * it has, so that an answer is 304 and empty unless something changed. Asking, rather than being
 * told, is what a cache can answer: however many watch, the database is asked once an interval.
 */

/** Between two questions; each waits a little more or less, so that crowds do not ask in step. */
const INTERVAL_MS = 5_000;
const JITTER = 0.2;
/** Of a page that nobody looks at, and of a board that is switched off. */
const IDLE_INTERVAL_MS = 30_000;
const BACKOFF_MAX_MS = 30_000;
/** An older answer is what a cache kept while what stands behind it does not answer. */
const AGE_MAX_MS = 30_000;

/**
 * `live`: what is shown is so now. `lost`: it was so at `asOf`. `closed`: there is no such board.
 * @typedef {{ state: 'connecting' | 'live' | 'lost' | 'closed', asOf: number | undefined }} Connection
 */

/**
 * @param {string} url
 * @param {object} listeners
 * @param {(snapshot: import('../../schemas.ts').BoardSnapshot) => void} listeners.changed
 * @param {(connection: Connection) => void} listeners.connection
 */
export function startFeed(url, { changed, connection }) {
  /** @type {string | undefined} */
  let version;
  /** @type {number | undefined} */
  let asOf;
  let failures = 0;
  let asking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;

  async function turn() {
    if (asking) return;
    asking = true;
    clearTimeout(next);
    try {
      tell(await ask(url, version));
      failures = 0;
    } catch {
      // Whatever it was, the next question finds out whether it is over.
      failures += 1;
      connection({ state: 'lost', asOf });
    }
    asking = false;
    const interval = asOf === undefined && failures === 0 ? IDLE_INTERVAL_MS : INTERVAL_MS;
    const patient = Math.min(interval * 1.5 ** Math.max(failures - 1, 0), BACKOFF_MAX_MS);
    const wait = document.hidden ? IDLE_INTERVAL_MS : patient;
    next = setTimeout(turn, wait * (1 + JITTER * (2 * Math.random() - 1)));
  }

  /** @param {import('./ask.js').Answer} answer */
  function tell(answer) {
    if (answer.kind === 'none') {
      version = undefined;
      asOf = undefined;
      connection({ state: 'closed', asOf });
      return;
    }
    if (answer.kind === 'new') {
      version = answer.version;
      changed(/** @type {import('../../schemas.ts').BoardSnapshot} */ (answer.body));
    }
    asOf = Date.now() - answer.ageMs;
    connection({ state: answer.ageMs > AGE_MAX_MS ? 'lost' : 'live', asOf });
  }

  // Whoever comes back, or whose connection does, need not wait for the next turn.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void turn();
  });
  addEventListener('online', () => void turn());
  addEventListener('offline', () => connection({ state: 'lost', asOf }));
  void turn();
}
