import { createLeases, type Leases } from './leases.ts';
import { PACE, type Pace } from './pace.ts';
import { createTurns, type Turns } from './turns.ts';

const MIB = 1_024 * 1_024;
/** If an answer's rows do not arrive, the sender's next request goes on after this time. */
const PIECE_LEASE_MS = 1_000;

/**
 * The state that the requests of an isolate share. An organization with all its keys and sessions is a sender. Before
 * the organization is known, the address is the sender. All readers of an organization's public answers are a sender of
 * their own. Light work passes without a turn. So no sender waits for the load of another sender.
 */
export type Gate = {
  /** Heavy work of the database. */
  heavy: Turns;
  /** Files and large batches, which keep the processor of the isolate busy. */
  files: Turns;
  /**
   * Pieces of JSON bodies and long answers: a sender's requests make a piece at a time, however many turns they have.
   */
  pieces: Turns;
  /** Memory for bodies of up to 256 KiB. A body that does not fit takes memory of `large`. */
  small: Leases;
  /** Memory for all larger bodies. */
  large: Leases;
  /** Memory for the bytes of dropped bodies. */
  drained: Leases;
  pace: Pace;
};

/** The largest upload takes half of the memory, which is the maximum of a sender. */
export const createGate = (): Gate => ({
  heavy: createTurns({ total: 12, each: 2 }),
  files: createTurns({ total: 4, each: 1 }),
  pieces: createTurns({ total: 12, each: 1, leaseMs: PIECE_LEASE_MS }),
  small: createLeases({ total: 4 * MIB, each: MIB }),
  large: createLeases({ total: 32 * MIB, each: 16 * MIB }),
  drained: createLeases({ total: MIB, each: MIB / 2 }),
  pace: PACE,
});

/**
 * The gate for the bodies of callers without a known organization. Networks are cheap, so such callers share the memory
 * of small bodies, and hold no memory of large bodies.
 */
export const withoutLarge = (gate: Gate): Gate => ({ ...gate, large: createLeases({ total: 0 }) });

/** The sender of requests without a key or session. */
export const everybodyOf = (organizationId: string): string => `everybody of ${organizationId}`;
