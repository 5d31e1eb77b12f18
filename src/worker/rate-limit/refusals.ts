import { ApiError } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { keepNewest } from './newest.ts';

/** Seconds in which the binding counts. */
const PERIOD_SECONDS = 10;
/** The oldest name is forgotten first. */
const NAMES_MAX = 10_000;

/** Keys or boards of a network waiting for the next look-up. */
const WAITING_MAX = 100;
const LOOK_UP_EVERY_MS = 1_000;
/** A slower look-up may never end, because the runtime has ended the request behind the look-up. */
const PATIENCE_MS = 5_000;

/** A request whose look-up serves waiting requests too. */
type Waiting = { waitUntil(work: Promise<unknown>): void; logFields: { trips: number } };

/** Reads which of these are in the database. */
type Find = (names: string[]) => Promise<ReadonlySet<string>>;

/** Counts the requests for missing boards, or for missing short addresses of boards. */
type Boards = {
  isOver: (request: Request) => boolean;
  add: (request: Request) => Promise<void>;
  /**
   * Whether a board is open, for a spectator whose network has asked for too many missing boards. All boards of such a
   * network are looked up together, once a second, and open ones are remembered.
   * @throws ApiError RATE_LIMITED if too many requests of the network wait
   */
  isOpen: (request: Request, name: string, waiting: Waiting) => Promise<boolean>;
};

type LookUp = { names: Set<string>; found: Promise<ReadonlySet<string>>; endsAtMs: number };

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Counts refused requests after a trip, for each network: dead keys, boards that do
 * not exist, and wrong short addresses. A sender without a
 * live key then costs few trips. Successful answers do not count, because thousands of spectators may share an address.
 * @param counter counts calls over all isolates of a data center. Without a counter, nothing is counted.
 * @param find reads which keys are live, by their hashes, and which boards are open, by the ids of their events and by
 *   their codes
 */
export function createRefusals(
  counter: RateLimit | undefined,
  find: { liveKeys: Find; openBoards: Find; openCodes: Find },
) {
  const overUntilMs = createMemory();
  const failedUntilMs = createMemory();
  const lookedUpUntilMs = createMemory();
  const openUntilMs = createMemory();
  const lookUps = new Map<string, LookUp>();

  async function count(name: string): Promise<void> {
    const { success = true } = (await counter?.limit({ key: name })) ?? {};
    if (!success) overUntilMs.keep(name, 1_000 * PERIOD_SECONDS);
  }

  /** The next look-up of a network's keys or boards. Each look-up begins a second after the look-up before. */
  function nextLookUp(of: string, read: Find, { waitUntil, logFields }: Waiting): LookUp {
    const next = lookUps.get(of);
    if (next && Date.now() < next.endsAtMs) return next;
    const waitMs = lookedUpUntilMs.leftMs(of);
    lookedUpUntilMs.keep(of, waitMs + LOOK_UP_EVERY_MS);
    const names = new Set<string>();
    const found = new Promise((resolve) => setTimeout(resolve, waitMs)).then(() => {
      lookUps.delete(of);
      logFields.trips += 1;
      return read([...names]);
    });
    // The look-up goes on if this client leaves, because more requests wait for the answer.
    waitUntil(found.catch(() => {}));
    const lookUp = { names, found, endsAtMs: Date.now() + PATIENCE_MS };
    lookUps.set(of, lookUp);
    return lookUp;
  }

  /** @throws ApiError RATE_LIMITED if too many names wait */
  async function isFound(of: string, read: Find, name: string, waiting: Waiting): Promise<boolean> {
    const { names, found } = nextLookUp(of, read, waiting);
    if (names.size >= WAITING_MAX && !names.has(name)) throw tooManyRefusals();
    names.add(name);
    return (await inTime(found, PATIENCE_MS, tooManyRefusals)).has(name);
  }

  function boardsBy(kind: 'boards' | 'codes', findOpen: Find): Boards {
    const nameOf = (request: Request) => `${kind} ${networkOf(request)}`;
    return {
      isOver: (request) => overUntilMs.leftMs(nameOf(request)) > 0,
      add: (request) => count(nameOf(request)),
      async isOpen(request, name, waiting) {
        if (openUntilMs.leftMs(name) > 0) return true;
        const isOpen = await isFound(nameOf(request), findOpen, name, waiting);
        if (isOpen) openUntilMs.keep(name, 1_000 * PERIOD_SECONDS);
        return isOpen;
      },
    };
  }

  return {
    /** Wrong codes do not count as missing boards, so no code stops a spectator with the whole address. */
    boards: boardsBy('boards', find.openBoards),
    codes: boardsBy('codes', find.openCodes),

    isKeyOver: (request: Request, prefix: string) =>
      [keysOf(request), keysOf(request, prefix)].some((name) => overUntilMs.leftMs(name) > 0),

    /** Counts a dead key. A repeated key counts once for its network. */
    async addKey(request: Request, prefix: string): Promise<void> {
      const own = keysOf(request, prefix);
      const isRepeated = failedUntilMs.leftMs(own) > 0;
      failedUntilMs.keep(own, 1_000 * PERIOD_SECONDS);
      await Promise.all([count(own), isRepeated || count(keysOf(request))]);
    },

    /**
     * Whether a key is live, for a network with too many dead keys. All such keys of a network are looked up together,
     * once a second.
     * @throws ApiError RATE_LIMITED if too many requests of the network wait
     */
    isLive: (request: Request, keyHash: string, waiting: Waiting): Promise<boolean> =>
      isFound(keysOf(request), find.liveKeys, keyHash, waiting),
  };
}

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

/** The client's address. A client has a whole IPv6 /64, so the first four groups count. */
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
