/**
 * A time for people who read no fractions: the next longer second, as federations write times. Ranking stays on
 * milliseconds.
 * @param time such as `02:09:44.300`, which becomes `02:09:45`
 */
export function inWholeSeconds(time: string): string {
  const [whole = '', fraction = ''] = time.split('.');
  if (!(Number(fraction) > 0)) return whole;
  const [hours = 0, minutes = 0, seconds = 0] = whole.split(':').map(Number);
  const total = hours * 3_600 + minutes * 60 + seconds + 1;
  const digits = (number: number) => String(number).padStart(2, '0');
  return [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60].map(digits).join(':');
}
