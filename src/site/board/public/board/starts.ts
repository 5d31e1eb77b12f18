import { isDay } from '../../../../timing-files/read/event-day.ts';
import type { BoardSnapshot } from '../../../../worker/board/answer-schemas.ts';

type ShownEvent = Pick<BoardSnapshot['event'], 'event_date' | 'starts'>;

/**
 * The first gun of a race: of its distance, or else of all distances.
 * @returns epoch ms; the date of the event without sent starts, and undefined for a date without a time
 */
export const gunAt = (event: ShownEvent, distance: string): number | undefined =>
  firstOf(startsOf(event, distance)) ?? dateOf(event);

/** The guns of a race that the organization told, in epoch ms. */
export const gunsOf = (event: ShownEvent, distance: string): number[] =>
  startsOf(event, distance).map(({ starts_at }) => Date.parse(starts_at));

function startsOf({ starts }: ShownEvent, distance: string): ShownEvent['starts'] {
  const own = starts.filter((start) => start.distance === distance);
  return own.length > 0 ? own : starts.filter((start) => start.distance === null);
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
