/** A holder that does not change what it holds for so long has ended: no request waits for longer. */
const LEASE_MS = 120_000;

export type Shares = ReturnType<typeof createShares>;

/** What a request holds a share with. */
export type Holder = {
  /** Whether it gives way to a request that needs its share. */
  isSlow?(): boolean;
  /** Called when another request has taken its share. */
  giveWay?(): void;
};

type Lease = { holder: Holder; owner: string; amount: number; endsAtMs: number };

type Options = {
  total: number;
  /** The share of one owner, for all its holders together. By default all. */
  each?: number;
  now?: () => number;
};

/**
 * Shares out what the requests of one isolate hold at once, such as bytes of memory. Holders end by themselves:
 * when a client disconnects, the runtime may drop the request without running its `finally` blocks.
 */
export function createShares({ total, each = total, now = Date.now }: Options) {
  let leases: Lease[] = [];
  const sum = (of: readonly Lease[]) => of.reduce((held, { amount }) => held + amount, 0);
  const isSlow = ({ holder }: Pick<Lease, 'holder'>) => holder.isSlow?.() === true;

  return {
    /**
     * Sets how much a holder holds. Slow holders give way, those of the owner first.
     * @param owner the sender of the request
     * @returns false, and changes nothing, if it does not fit now
     */
    hold(holder: Holder, owner: string, amount: number): boolean {
      const isOwn = (lease: Lease) => lease.owner === owner;
      const fits = (others: readonly Lease[]) =>
        sum(others) + amount <= total && sum(others.filter(isOwn)) + amount <= each;

      let others = leases.filter((lease) => lease.holder !== holder && lease.endsAtMs > now());
      const slow = fits(others) || isSlow({ holder }) ? [] : others.filter(isSlow);
      if (!fits(others.filter((lease) => !slow.includes(lease)))) return false;
      for (const given of slow.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
        if (fits(others)) break;
        others = others.filter((lease) => lease !== given);
        given.holder.giveWay?.();
      }
      leases = [...others, { holder, owner, amount, endsAtMs: now() + LEASE_MS }];
      return true;
    },

    release(holder: Holder): void {
      leases = leases.filter((lease) => lease.holder !== holder);
    },
  };
}
