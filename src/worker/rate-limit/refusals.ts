import { ApiError } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { keepNewest } from './newest.ts';

/** Seconds in which the binding counts. */
const PERIOD_SECONDS = 10;
/** The name that was kept longest ago is forgotten first. */
const NAMES_MAX = 10_000;

/** Keys of one network that wait for the same look-up. */
const WAITING_MAX = 100;
const LOOK_UP_EVERY_MS = 1_000;
/** A look-up that takes longer may never end, because the runtime has ended its request. */
const PATIENCE_MS = 5_000;

/** A request that other requests may wait for. */
type Waiting = { waitUntil(work: Promise<unknown>): void; logFields: { trips: number } };

/** Reads which of these keys are live. */
type FindLive = (keyHashes: string[]) => Promise<ReadonlySet<string>>;

type LookUp = { keyHashes: Set<string>; live: Promise<ReadonlySet<string>>; endsAtMs: number };

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Counts what cost a trip and was refused, for each network: dead keys, and boards that do not exist. A sender without a
 * live key then costs few trips. Other answers do not count, because thousands of spectators may share one address.
 * @param counter counts its calls over all isolates of a data center. Without one, nothing is counted.
 */
export function createRefusals(counter: RateLimit | undefined, findLive: FindLive) {
  const overUntilMs = createMemory();
  const failedUntilMs = createMemory();
  const lookedUpUntilMs = createMemory();
  const lookUps = new Map<string, LookUp>();

  async function count(name: string): Promise<void> {
    const { success = true } = (await counter?.limit({ key: name })) ?? {};
    if (!success) overUntilMs.keep(name, 1_000 * PERIOD_SECONDS);
  }

  /** The next look-up of a network's keys. Each begins a second after the one before. */
  function nextLookUp(network: string, { waitUntil, logFields }: Waiting): LookUp {
    const next = lookUps.get(network);
    if (next && Date.now() < next.endsAtMs) return next;
    const waitMs = lookedUpUntilMs.leftMs(network);
    lookedUpUntilMs.keep(network, waitMs + LOOK_UP_EVERY_MS);
    const keyHashes = new Set<string>();
    const live = new Promise((resolve) => setTimeout(resolve, waitMs)).then(() => {
      lookUps.delete(network);
      logFields.trips += 1;
      return findLive([...keyHashes]);
    });
    // Other requests wait for it too: it goes on if this client leaves.
    waitUntil(live.catch(() => {}));
    const lookUp = { keyHashes, live, endsAtMs: Date.now() + PATIENCE_MS };
    lookUps.set(network, lookUp);
    return lookUp;
  }

  return {
    isBoardOver: (request: Request) => overUntilMs.leftMs(boardsOf(request)) > 0,
    addBoard: (request: Request) => count(boardsOf(request)),

    isKeyOver: (request: Request, prefix: string) =>
      [keysOf(request), keysOf(request, prefix)].some((name) => overUntilMs.leftMs(name) > 0),

    /** Counts a dead key. A program that repeats one counts once for its network. */
    async addKey(request: Request, prefix: string): Promise<void> {
      const own = keysOf(request, prefix);
      const isRepeated = failedUntilMs.leftMs(own) > 0;
      failedUntilMs.keep(own, 1_000 * PERIOD_SECONDS);
      await Promise.all([count(own), isRepeated || count(keysOf(request))]);
    },

    /**
     * Whether a key is live whose network has sent too many dead ones. All such keys of a network are looked up
     * together, once a second.
     * @throws ApiError RATE_LIMITED if too many of them wait
     */
    async isLive(request: Request, keyHash: string, waiting: Waiting): Promise<boolean> {
      const { keyHashes, live } = nextLookUp(keysOf(request), waiting);
      if (keyHashes.size >= WAITING_MAX) throw tooManyRefusals();
      keyHashes.add(keyHash);
      return (await inTime(live, PATIENCE_MS, tooManyRefusals)).has(keyHash);
    },
  };
}

const boardsOf = (request: Request) => `boards ${networkOf(request)}`;
const keysOf = (request: Request, ...prefix: string[]) =>
  ['keys', networkOf(request), ...prefix].join(' ');

/** Keeps names for a time. */
function createMemory() {
  const untilMs = new Map<string, number>();
  return {
    leftMs: (name: string) => Math.max(0, (untilMs.get(name) ?? 0) - Date.now()),
    keep: (name: string, forMs: number) => keepNewest(untilMs, name, Date.now() + forMs, NAMES_MAX),
  };
}

export const tooManyRefusals = () =>
  new ApiError('RATE_LIMITED', 'Too many requests from this address were refused.', {
    retryAfterSeconds: PERIOD_SECONDS,
  });

/** The client's address. One client has a whole IPv6 /64, so its first four groups count. */
export function networkOf({ headers }: Request): string | undefined {
  const address = headers.get('CF-Connecting-IP') ?? undefined;
  if (!address?.includes(':')) return address;
  const [start = '', end] = address.split('::', 2);
  const groups = start.split(':');
  if (end !== undefined) {
    const last = end.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16))
    .join(':');
}
