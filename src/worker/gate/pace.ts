const KIB = 1_024;

/** How slowly bytes may go over the network. */
export type Pace = { graceMs: number; bytesPerSecond: number };

/** A quarter of a megabit per second. A poor mobile network at a finish line is faster. */
export const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * KIB };

/** The grace of a slow holder whose lease is needed: a piece at the pace takes as long. */
export const CONTESTED_GRACE_MS = 2_000;
