/** A holder that does not change what it holds for so long has ended: no request waits for longer. */
const LEASE_MS = 120_000;

export type ByteBudget = ReturnType<typeof createByteBudget>;

type Options = {
  totalBytes: number;
  /** The bytes that all holders of one owner may hold together. By default all. */
  ownerBytes?: number;
  now?: () => number;
};

/**
 * Limits the memory that the requests of one isolate hold at once. Holders end by themselves: when a client disconnects, the runtime may drop the request without running
 * its `finally` blocks.
 */
export function createByteBudget({ totalBytes, ownerBytes = totalBytes, now = Date.now }: Options) {
  const leases = new Map<object, { owner: string; bytes: number; endsAtMs: number }>();

  return {
    /**
     * Sets the bytes that a holder holds.
     * @param owner the sender of the request
     * @returns false, and changes nothing, if the bytes do not fit now
     */
    hold(holder: object, owner: string, bytes: number): boolean {
      let [total, own] = [bytes, bytes];
      for (const [other, lease] of leases) {
        if (other === holder) continue;
        if (lease.endsAtMs <= now()) leases.delete(other);
        else {
          total += lease.bytes;
          if (lease.owner === owner) own += lease.bytes;
        }
      }
      if (total > totalBytes || own > ownerBytes) return false;
      leases.set(holder, { owner, bytes, endsAtMs: now() + LEASE_MS });
      return true;
    },
    release: (holder: object) => void leases.delete(holder),
  };
}
