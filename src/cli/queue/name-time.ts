/** The time of an export in the file's name. `day` is missing for a name with only a time of day. */
type NameTime = { day: number | undefined; seconds: number };

const DAY_FIRST = /(?<!\d)(\d\d)[-_.](\d\d)[-_.](20\d\d)(?!\d)/;
const YEAR_FIRST = /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?([0-2]\d|3[01])(?!\d[-_.:])/;
/** `11-55 AM`, `1.05.30 pm`, `11-55`, `23h59`. Behind a date, digits alone are enough: `115500`. */
const CLOCK = /(?<!\d)(\d{1,2})[-_.:h]([0-5]\d)(?:[-_.:m]([0-5]\d))?(?!\d)\s*(?:([ap])\.?m\b)?/i;
const DIGITS = /^[-_. T]*([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(?!\d)/;

/** @returns undefined for a name without a time of day */
export function nameTimeOf(name: string): NameTime | undefined {
  const stem = name.replace(/\.[^.]*$/, '');
  const year = YEAR_FIRST.exec(stem);
  const date = year ?? DAY_FIRST.exec(stem);
  const rest = date ? stem.slice(date.index + date[0].length) : stem;
  const seconds =
    secondsIn(rest, date !== null) ??
    (date ? secondsIn(stem.slice(0, date.index), false) : undefined);
  if (seconds === undefined) return undefined;
  const [, first = '', month = '', last = ''] = date ?? [];
  const [y, d] = year ? [first, last] : [last, first];
  return { day: date ? Number(`${y}${month}${d}`) : undefined, seconds };
}

function secondsIn(text: string, isBehindDate: boolean): number | undefined {
  const [, hour, minute, second = '0', half] =
    (isBehindDate ? DIGITS.exec(text) : null) ?? CLOCK.exec(text) ?? [];
  if (hour === undefined || minute === undefined || Number(hour) > 23) return undefined;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return (hours * 60 + Number(minute)) * 60 + Number(second);
}
