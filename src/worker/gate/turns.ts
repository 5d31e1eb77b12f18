import { unavailable } from '../errors.ts';
import { createLeases, type Holder, type LeasesOptions } from './leases.ts';

/** The right of a request to do heavy work. The turn ends when the client leaves, and with the lease. */
export type Turn = {
  /**
   * Counts the turn for another sender from now on: a caller is known after the first trip.
   * @returns false, and changes nothing, if the new sender has no turn left
   */
  moveTo(sender: string): boolean;
  /**
   * Keeps the turn beyond the end of the handler: for an answer that its client reads, or a body that arrives slowly.
   */
  keepFor(holder: Holder): void;
  /** Whether a holder keeps the turn. */
  isKept(): boolean;
  end(): void;
};

export type Turns = ReturnType<typeof createTurns>;

type Waiter = { sender: string; untilMs: number; turn?: Turn; wake: () => void };

type Waiting = {
  /** How long a request waits for its turn. */
  patienceMs?: number;
  /** A request is refused at once if this many requests of its sender wait. */
  queueMax?: number;
  /** The client's signal: a client that leaves neither waits nor has a turn. */
  signal?: AbortSignal | undefined;
};

/** How long a request waits for its turn. */
export const PATIENCE_MS = 10_000;
/** How often a waiting request looks for an ended lease or a slow reader. */
const LOOK_AGAIN_MS = 500;
const BUSY_RETRY_AFTER_SECONDS = 5;

/**
 * The turns of heavy work in an isolate. Each sender has its own queue. The next turn goes to the waiting sender whose
 * last turn began first.
 */
export function createTurns({ now = Date.now, ...options }: LeasesOptions) {
  const leases = createLeases({ now, ...options });
  /** First come, first in the list. */
  let waiting: Waiter[] = [];
  /** The order in which the last turns of senders began. */
  const begun = new Map<string, number>();
  let beginnings = 0;

  /** A turn at once, if a turn is free. */
  function take(sender: string): Turn | undefined {
    let kept: Holder | undefined;
    const holder: Holder = {
      isSlow: () => kept?.isSlow?.() === true,
      giveWay: () => kept?.giveWay?.(),
    };
    if (!leases.hold(holder, sender, 1)) return undefined;
    begun.set(sender, ++beginnings);
    function end() {
      leases.release(holder);
      admit();
    }
    return {
      moveTo: (other) => other === sender || leases.hold(holder, other, 1),
      keepFor(reader) {
        kept = reader;
      },
      isKept: () => kept !== undefined,
      end,
    };
  }

  /** Begins the turns that are free. */
  function admit(): void {
    waiting = waiting.filter(({ untilMs }) => untilMs > now());
    const full = new Set<string>();
    for (let next = nextOf(full); next; next = nextOf(full)) {
      const turn = take(next.sender);
      if (!turn) full.add(next.sender);
      else {
        leave(next);
        next.turn = turn;
        next.wake();
      }
    }
    if (waiting.length === 0) begun.clear();
  }

  /** The first waiter of the sender whose last turn began first. */
  function nextOf(full: ReadonlySet<string>): Waiter | undefined {
    const firsts = new Map<string, Waiter>();
    for (const waiter of waiting) {
      if (!firsts.has(waiter.sender)) firsts.set(waiter.sender, waiter);
    }
    const lastTurn = ({ sender }: Waiter) => begun.get(sender) ?? 0;
    return [...firsts.values()]
      .filter(({ sender }) => !full.has(sender))
      .reduce<Waiter | undefined>(
        (first, waiter) => (first && lastTurn(first) <= lastTurn(waiter) ? first : waiter),
        undefined,
      );
  }

  function leave(waiter: Waiter): void {
    waiting = waiting.filter((other) => other !== waiter);
  }

  /** @throws ApiError SERVICE_UNAVAILABLE if too many wait, or the turn does not come in time */
  async function wait(
    sender: string,
    { patienceMs = PATIENCE_MS, queueMax = Number.POSITIVE_INFINITY, signal }: Waiting = {},
  ): Promise<Turn> {
    if (waiting.filter((waiter) => waiter.sender === sender).length >= queueMax) throw busy();
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const waiter: Waiter = { sender, untilMs: now() + patienceMs, wake };
    waiting.push(waiter);
    // After the client has gone, no other code of a request is sure to run.
    signal?.addEventListener('abort', () => {
      leave(waiter);
      waiter.turn?.end();
    });
    admit();
    for (;;) {
      // The first waiter looks for all waiters.
      if (waiting[0] === waiter) admit();
      if (waiter.turn) return waiter.turn;
      const leftMs = waiter.untilMs - now();
      if (leftMs <= 0) throw busy();
      await atMost(woken, Math.min(leftMs, LOOK_AGAIN_MS));
    }
  }

  return { take, wait, isIdle: leases.isEmpty };
}

async function atMost(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: later, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, later]);
  clearTimeout(timer);
}

export const busy = () =>
  unavailable(
    'Other work of this sender, such as an export or a file, has not ended. Try again.',
    BUSY_RETRY_AFTER_SECONDS,
  );
