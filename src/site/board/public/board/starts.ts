import { isDay } from '../../../../timing-files/read/event-day.ts';
import type { BoardSnapshot } from '../../../../worker/board/answer-schemas.ts';

type ShownEvent = Pick<BoardSnapshot['event'], 'event_date' | 'starts'>;

/**
 * The first gun of a race: of its distance, or else of all distances.
 * @returns epoch ms; the date of the event without sent starts, and undefined for a date without a time
 */
export function gunAt({ event_date, starts }: ShownEvent, distance: string): number | undefined {
  const own = starts.filter((start) => start.distance === distance);
  const claiming = own.length > 0 ? own : starts.filter((start) => start.distance === null);
  return firstOf(claiming) ?? dateOf({ event_date, starts });
}

/** When the first gun of the event goes off. @returns as `gunAt` */
export const firstGunAt = (event: ShownEvent): number | undefined =>
  firstOf(event.starts) ?? dateOf(event);

/** The date of an event stands in for missing starts. */
const dateOf = ({ event_date, starts }: ShownEvent): number | undefined =>
  starts.length > 0 || isDay(event_date) ? undefined : Date.parse(event_date);

const firstOf = (starts: ShownEvent['starts']): number | undefined =>
  starts.length === 0
    ? undefined
    : Math.min(...starts.map(({ starts_at }) => Date.parse(starts_at)));
