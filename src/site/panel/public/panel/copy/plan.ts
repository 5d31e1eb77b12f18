import type { Start } from '../../../../../timing-files/read/starts.ts';
import { wallIn, withOffset } from '../starts/rows.ts';

/** When a race is, and the zone of the clocks there. */
type Day = { event_date: string; zone: string };

/** Starts at the same time of day in another race: as many days later as the other race is. */
export function shiftedStarts(starts: readonly Start[], from: Day, to: Day): Start[] {
  const laterMs = dayOf(to) - dayOf(from);
  return starts.map((start) => {
    const wallMs = Date.parse(`${wallIn(start.starts_at, from.zone)}Z`) + laterMs;
    const wall = new Date(wallMs).toISOString().slice(0, 19);
    return { ...start, starts_at: withOffset(wall, to.zone) };
  });
}

/** The day of a race on the clocks there, as an instant of UTC. */
const dayOf = ({ event_date, zone }: Day): number =>
  Date.parse(event_date.includes('T') ? wallIn(event_date, zone).slice(0, 10) : event_date);
