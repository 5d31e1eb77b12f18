import { PACE, type Pace } from './pace.ts';
import { createPlaces, type Places } from './places.ts';
import { createTurns, type Turns } from './turns.ts';

const MIB = 1_024 * 1_024;
/** An answer whose rows do not arrive lets the others of its sender go on. */
const PIECE_LEASE_MS = 1_000;

/**
 * What the requests of one isolate share. A sender is an organization with all its keys and sessions; before that is
 * known, an address; and everybody who asks for what an organization shows to all is a sender of its own. Light work
 * passes without a word. So nobody waits for what somebody else sends.
 */
export type Gate = {
  /** Heavy work of the database. */
  heavy: Turns;
  /** Files and large batches, which keep the processor of the isolate busy. */
  files: Turns;
  /** Pieces of long answers: a sender's answers make one at a time, however many it has turns for. */
  pieces: Turns;
  /** Memory for bodies of up to 256 KiB. One that does not fit takes memory of the larger ones. */
  small: Places;
  /** Memory for all other bodies. */
  large: Places;
  /** Memory for bodies that are read and dropped. */
  drained: Places;
  pace: Pace;
};

/** The largest upload takes half of the memory, which is the most that one sender may hold. */
export const createGate = (): Gate => ({
  heavy: createTurns({ total: 12, each: 2 }),
  files: createTurns({ total: 4, each: 1 }),
  pieces: createTurns({ total: 12, each: 1, leaseMs: PIECE_LEASE_MS }),
  small: createPlaces({ total: 4 * MIB, each: MIB }),
  large: createPlaces({ total: 32 * MIB, each: 16 * MIB }),
  drained: createPlaces({ total: MIB, each: MIB / 2 }),
  pace: PACE,
});

/** The sender of what nobody's key or session asks for. */
export const everybodyOf = (organizationId: string): string => `everybody of ${organizationId}`;
