/** Seconds in which the binding counts. */
export const REFUSALS_PERIOD_SECONDS = 10;
/** The address that was over the limit longest ago is forgotten first. */
const ADDRESSES_MAX = 10_000;

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Counts the refused answers that cost a trip, for each address: a false key, a board that does not exist.
 * A sender without a live key then costs no more trips than the limit. Answers that are not refused do not
 * count, because thousands of spectators may share one address.
 * @param counter counts its calls over all isolates of a data center. Without one, nothing is counted.
 */
export function createRefusals(counter: RateLimit | undefined) {
  const overUntilMs = new Map<string, number>();
  return {
    /** Whether the address has had too many refused answers. Costs no trip. */
    isOver: (request: Request): boolean =>
      Date.now() < (overUntilMs.get(networkOf(request) ?? '') ?? 0),

    /** Counts a refused answer. */
    async add(request: Request): Promise<void> {
      const network = networkOf(request);
      if (!counter || network === undefined) return;
      const { success } = await counter.limit({ key: network });
      if (success) return;
      overUntilMs.delete(network);
      overUntilMs.set(network, Date.now() + 1_000 * REFUSALS_PERIOD_SECONDS);
      const [oldest] = overUntilMs.keys();
      if (overUntilMs.size > ADDRESSES_MAX && oldest !== undefined) overUntilMs.delete(oldest);
    },
  };
}

/** The client's address. One client has a whole IPv6 /64, so its first four groups count. */
function networkOf({ headers }: Request): string | undefined {
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
