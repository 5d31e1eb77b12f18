/** A holder without a change for so long has ended: no request waits for longer. */
const LEASE_MS = 120_000;

export type Leases = ReturnType<typeof createLeases>;

/** The way in which a request holds a lease. */
export type Holder = {
  /** Whether the holder gives way to a request in need of the amount. */
  isSlow?(): boolean;
  /** Called when a new request has taken the amount. */
  giveWay?(): void;
};

type Lease = { holder: Holder; sender: string; amount: number; endsAtMs: number };

export type LeasesOptions = {
  total: number;
  /** The part of a sender, for all its holders together. By default all. */
  each?: number;
  leaseMs?: number;
  now?: () => number;
};

/**
 * Shares out a limit between the requests of an isolate, such as bytes of memory. Holds end without a call: when a
 * client disconnects, the runtime may drop the request without running its `finally` blocks.
 */
export function createLeases({
  total,
  each = total,
  leaseMs = LEASE_MS,
  now = Date.now,
}: LeasesOptions) {
  let leases: Lease[] = [];
  const sum = (of: readonly Lease[]) => of.reduce((held, { amount }) => held + amount, 0);
  const isSlow = ({ holder }: Pick<Lease, 'holder'>) => holder.isSlow?.() === true;

  return {
    /**
     * Sets how much a holder holds. Slow holders give way, holders of the sender first.
     * @returns false, and changes nothing, if the amount does not fit now
     */
    hold(holder: Holder, sender: string, amount: number): boolean {
      const isOwn = (lease: Lease) => lease.sender === sender;
      const fits = (others: readonly Lease[]) =>
        sum(others) + amount <= total && sum(others.filter(isOwn)) + amount <= each;

      let others = leases.filter((lease) => lease.holder !== holder && lease.endsAtMs > now());
      const slow = fits(others) || isSlow({ holder }) ? [] : others.filter(isSlow);
      if (!fits(others.filter((lease) => !slow.includes(lease)))) return false;
      for (const slowest of slow.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
        if (fits(others)) break;
        others = others.filter((lease) => lease !== slowest);
        slowest.holder.giveWay?.();
      }
      leases = [...others, { holder, sender, amount, endsAtMs: now() + leaseMs }];
      return true;
    },

    isEmpty: (): boolean => leases.every(({ endsAtMs }) => endsAtMs <= now()),

    release(holder: Holder): void {
      leases = leases.filter((lease) => lease.holder !== holder);
    },
  };
}
