/** Milliseconds of a time. @param time `HH:MM:SS.mmm` */
export const msOf = (time: string): number =>
  Math.round(1_000 * time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0));

/**
 * The whole seconds that people read of a time: the next longer second, as federations write it. Ranking stays on
 * milliseconds.
 */
const secondsOf = (timeMs: number): number => Math.ceil(timeMs / 1_000);

const digits = (number: number) => String(number).padStart(2, '0');

/** `HH:MM:SS` of whole seconds. */
export const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(digits).join(':');

/**
 * A time for people.
 * @param time such as `02:09:44.300`, which becomes `02:09:45`
 */
export const inWholeSeconds = (time: string): string => clockOf(secondsOf(msOf(time)));

/** How far a time is behind the best one, for people: the difference of the two times that people read. */
export const gapInWholeSeconds = (time: string, gap: string): string =>
  clockOf(secondsOf(msOf(time)) - secondsOf(msOf(time) - msOf(gap)));

/** Among so many places, people read what decided. */
const STEPS = 3;

type Placed = { place: number | null; time: string | null };

/**
 * The seconds behind a better place of the first three with the same whole seconds; undefined if there is none.
 * @param rivals runners of one group
 */
export function secondsBehind(
  { place, time }: Placed,
  rivals: readonly Placed[],
): number | undefined {
  if (place === null || time === null || place > STEPS) return undefined;
  const shown = inWholeSeconds(time);
  const ahead = rivals.flatMap((rival) =>
    rival.place !== null &&
    rival.place < place &&
    rival.time !== null &&
    inWholeSeconds(rival.time) === shown
      ? msOf(rival.time)
      : [],
  );
  const behindMs = msOf(time) - Math.max(...ahead);
  return behindMs > 0 && behindMs < Infinity ? behindMs / 1_000 : undefined;
}
