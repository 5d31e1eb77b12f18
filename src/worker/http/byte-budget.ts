/** Longer than the longest wait in a request: three attempts at a statement, each with its time-out. */
const LEASE_MS = 120_000;

/** Bytes that a request may hold until it releases them. */
export type Reservation = {
  /** Keeps the reservation for two more minutes. Then it ends by itself. */
  renew(): void;
  release(): void;
};

/** Limits the body bytes that one isolate holds at once. Its requests share it. */
export type ByteBudget = {
  /** @returns undefined if the bytes do not fit now */
  reserve(bytes: number): Reservation | undefined;
};

type Options = {
  totalBytes: number;
  /** Larger bodies than `smallBytes` must leave this many bytes free. */
  keptForSmallBytes?: number;
  smallBytes?: number;
  now?: () => number;
};

/**
 * Reservations end by themselves: when a client disconnects, the runtime may drop the request without
 * running its `finally` blocks.
 */
export function createByteBudget({
  totalBytes,
  keptForSmallBytes = 0,
  smallBytes = 0,
  now = Date.now,
}: Options): ByteBudget {
  const leases = new Set<{ bytes: number; endsAtMs: number }>();

  function taken(): number {
    let bytes = 0;
    for (const lease of leases) {
      if (lease.endsAtMs <= now()) leases.delete(lease);
      else bytes += lease.bytes;
    }
    return bytes;
  }

  return {
    reserve(bytes) {
      const room = bytes > smallBytes ? totalBytes - keptForSmallBytes : totalBytes;
      if (taken() + bytes > room) return undefined;
      const lease = { bytes, endsAtMs: now() + LEASE_MS };
      leases.add(lease);
      return {
        renew() {
          lease.endsAtMs = now() + LEASE_MS;
        },
        release: () => void leases.delete(lease),
      };
    },
  };
}
