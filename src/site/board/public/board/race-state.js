/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardSnapshot} Snapshot */

/** Results arrive every few seconds in a race. The page is live while the latest is this recent. */
const LIVE_MS = 5 * 60_000;
/** A race with arrivals is over when nothing arrived for this time. */
const OVER_MS = 3 * 3_600_000;
/** A race without arrivals is over this long after its date: no race takes longer to its first finisher. */
const NO_RESULTS_MS = 24 * 3_600_000;

/**
 * `before`: the date is to come. `waiting`: it has come, and nobody arrived. `live`: somebody arrived in
 * the last minutes. `quiet`: not in the last minutes. `over`: not in the last hours. `empty`: the race is
 * over and has no results.
 * @typedef {'before' | 'waiting' | 'live' | 'quiet' | 'over' | 'empty'} RaceState
 */

/**
 * @param {Pick<Snapshot, 'event'> & { races: readonly Pick<Snapshot['races'][number], 'arrivals' | 'counts'>[] }} snapshot
 * @param {number} now by the server's clock
 * @returns {{ state: RaceState, latestAt: number | undefined }}
 */
export function raceState({ event, races }, now) {
  const arrivals = races.flatMap((race) => race.arrivals.slice(0, 1));
  const latestAt = arrivals.length
    ? Math.max(...arrivals.map(({ arrived_at }) => Date.parse(arrived_at)))
    : undefined;
  if (latestAt !== undefined) {
    const ago = now - latestAt;
    return { state: ago < LIVE_MS ? 'live' : ago < OVER_MS ? 'quiet' : 'over', latestAt };
  }
  const startsAt = Date.parse(event.event_date);
  if (now < startsAt) return { state: 'before', latestAt };
  return { state: now - startsAt < NO_RESULTS_MS ? 'waiting' : 'empty', latestAt };
}
