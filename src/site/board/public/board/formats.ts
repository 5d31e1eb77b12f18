import { type Language, languageOf } from '../../../../timing-files/write/languages.ts';
import {
  clockOf,
  gapInWholeSeconds,
  inWholeSeconds,
} from '../../../../timing-files/write/whole-seconds.ts';
import type { BoardSnapshot } from '../../../../worker/board/answer-schemas.ts';
import { DOT } from '../shared/dom.ts';
import { formatDayInPlace, formatInPlace, MINUTE, zoneOf } from '../shared/place-time.ts';
import { createText, locale } from '../shared/texts.ts';
import { LOADERS } from './languages.ts';

type Texts = Awaited<ReturnType<(typeof LOADERS)[Language]>>['default'];

const loaded: Record<Language, Texts> = { en: {} as Texts, es: {} as Texts };

/** A text of the board in the language of the page. A text missing in a language is a compile error. */
export const text = createText(loaded);

const textsOf = (code: string): Texts => loaded[languageOf(code) ?? 'en'];

/** Whether the texts of a language have come. @param code such as `es` or `es-MX` */
export const hasTexts = (code: string): boolean => Object.keys(textsOf(code)).length > 0;

/** Loads the texts of a language. @param code such as `es` or `es-MX` */
export async function loadTexts(code: string): Promise<void> {
  const { default: texts } = await LOADERS[languageOf(code) ?? 'en']();
  Object.assign(textsOf(code), texts);
}

/** The time zone of the event's place, if known. */
let zone: string | undefined;

/** @param name the event's text: any text */
export function setZone(name: string | null): void {
  zone = zoneOf(name);
}

const formatAt = (options: Intl.DateTimeFormatOptions, at: number) =>
  formatInPlace(at, options, zone);

/** The time of day, with its seconds. */
export const formatClock = (at: number) => formatAt({ ...MINUTE, second: '2-digit' }, at);

/** The time of day, without seconds. */
export const formatMinute = (at: number) => formatAt(MINUTE, at);

const DAY_MS = 24 * 3_600_000;

/** A moment: its time, and its date if older than a day. */
export const formatMoment = (at: number, now: number) =>
  formatAt(now - at < DAY_MS ? MINUTE : { ...MINUTE, day: 'numeric', month: 'short' }, at);

/** A start and, on its day, the time until the start. @param startsAt epoch ms, as is `now` */
export function formatStart(startsAt: number | undefined, now: number): string[] {
  if (startsAt === undefined) return [];
  const start = text('startsAt', { time: formatMinute(startsAt) });
  const minutes = Math.ceil((startsAt - now) / 60_000);
  if (minutes <= 0 || startsAt - now > DAY_MS) return [start];
  const left = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return [start, text(left.hours > 0 ? 'startsInHours' : 'startsInMinutes', left)];
}

/** The name, the bibs and the time of each start, the first start first. None if all runners start together. */
export function formatStarts({ starts }: BoardSnapshot['event']): [string, string][] {
  if (new Set(starts.map(({ starts_at }) => starts_at)).size < 2) return [];
  return starts
    .toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))
    .map(({ name, bib_from, bib_to, starts_at }) => [
      bib_from === null ? name : `${name}${DOT}${text('bibIs', { bib: `${bib_from}–${bib_to}` })}`,
      formatMinute(Date.parse(starts_at)),
    ]);
}

/** How long ago a moment was. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  const [count, unit] =
    minutes < 60 ? [minutes, 'minute' as const] : [Math.floor(minutes / 60), 'hour' as const];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(
    -count,
    unit,
  );
}

const LONG: Intl.DateTimeFormatOptions = { dateStyle: 'long' };

/** The day of an event, in its place. @param instant ISO 8601 */
export const formatDate = (instant: string, options = LONG) =>
  formatDayInPlace(instant, options, zone);

/** The day of an event in few letters: without the current year. */
export function formatDay(instant: string, now: number): string {
  const isThisYear = new Date(now).getUTCFullYear() === new Date(instant).getUTCFullYear();
  const year: Intl.DateTimeFormatOptions = isThisYear ? {} : { year: 'numeric' };
  return formatDate(instant, { day: 'numeric', month: 'short', ...year });
}

/** @param seconds a kilometre */
export const formatPace = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} /km`;

/** A race time in whole seconds, without useless zeros: `00:28:03.500` becomes `28:04`. */
export const formatTime = (time: string) => brief(inWholeSeconds(time));

/** A race time with its fraction. */
export const formatExactly = (time: string) => brief(time.replace(/\.0+$/, ''));

const brief = (clock: string) => clock.replace(/^00:(?=\d\d:)|^0(?=\d:)/, '');

/** How far a time is behind the best one: `+0:14`. */
export const formatGap = (time: string, gap: string) =>
  `+${brief(gapInWholeSeconds(time, gap)).replace(/^0(?=\d)/, '')}`;

/** A race time in whole seconds: `1:52:10`, or `28:03`. */
export const formatSeconds = (seconds: number) => brief(clockOf(Math.ceil(seconds)));

/** Words of categories for the gender, in each language. */
const GENDER_WORDS: Record<'F' | 'M' | 'X', Record<Language, string>> = {
  F: {
    en: 'f w woman women female ladies lady girls',
    es: 'mujer mujeres dama damas femenino femenina',
  },
  M: {
    en: 'm man men male boys',
    es: 'hombre hombres varón varones masculino masculina caballeros',
  },
  X: { en: 'x nonbinary binary', es: 'binario' },
};

const isKnown = (gender: string): gender is keyof typeof GENDER_WORDS =>
  Object.hasOwn(GENDER_WORDS, gender);

/** A known code becomes a word. */
const formatGender = (gender: string) => (isKnown(gender) ? text(`gender.${gender}`) : gender);

/** A word of so many letters fits on every line of a narrow phone. */
const SHORT = 10;

/** A name whose short words no line breaks, as `Sub-23`: a joiner stands behind the hyphen. */
export const unbroken = (name: string) =>
  name.replace(/\S+/g, (word) => (word.length > SHORT ? word : word.replace(/-(?=.)/g, '-\u2060')));

/** A gender and the category in it. A category with a word for the gender stands alone. */
export const formatGroup = (group: Group) => unbroken(groupName(group));

type Group = { gender: string | null; category: string | null };

function groupName({ gender, category }: Group): string {
  const name = gender && formatGender(gender);
  if (!name || !category) return name || category || '';
  const ofGender = isKnown(gender) ? Object.values(GENDER_WORDS[gender]) : [];
  const known = [...ofGender, name].join(' ').toLowerCase().split(' ');
  const words = category.toLowerCase().split(/[^\p{L}]+/u);
  const isSaid = words.some((word) => word !== '' && known.includes(word));
  return isSaid ? category : `${name} ${category}`;
}
