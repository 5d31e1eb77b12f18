import { sentenceOf, type WarningValues } from '../../../../timing-files/judge/sentence.ts';
import { isDay } from '../../../../timing-files/read/event-day.ts';
import type { ResultStatus } from '../../../../timing-files/read/result-status.ts';
import { type Language, languageOf } from '../../../../timing-files/write/languages.ts';
import { inWholeSeconds } from '../../../../timing-files/write/whole-seconds.ts';
import { showLanguage } from '../shared/language.ts';
import { dateFormat, formatInPlace, MINUTE, zoneOf } from '../shared/place-time.ts';
import { createText, locale } from '../shared/texts.ts';
import { LOADERS, type Sentences, type TextsOf } from './languages.ts';

type Loaders = (typeof LOADERS)[Language];
type Texts<Of extends TextsOf> = Record<Language, Awaited<ReturnType<Loaders[Of]>>['default']>;
type TextIn<Of extends TextsOf> = ReturnType<typeof createText<Texts<Of>>>;
type All = Texts<'page'> & Texts<'keys'> & Texts<'uploads'> & Texts<'file'> & Texts<'parts'>;

const loaded = { en: {}, es: {} } as All;

const wanted = new Set<TextsOf>(['page']);

/** The sentences of the API's warnings in a language other than English. */
const sentences: Partial<Record<Language, Sentences>> = {};

let language: Language = 'en';

/** A text of the page, or of any later part. */
export const textOfParts = createText(loaded);

export const text: TextIn<'page'> = textOfParts;

/** A text of the page or of the keys. */
export const textOfKeys: ReturnType<typeof createText<Texts<'page'> & Texts<'keys'>>> = textOfParts;

/** A text of the page or of a race's uploads. */
export const textOfUploads: ReturnType<typeof createText<Texts<'page'> & Texts<'uploads'>>> =
  textOfParts;

/** A text of the page, of a race's uploads or of a chosen file. */
export const textOfFile: ReturnType<
  typeof createText<Texts<'page'> & Texts<'uploads'> & Texts<'file'>>
> = textOfParts;

/** Loads the texts of a language and chooses the language. @param code such as `es` or `es-MX` */
export async function chooseLanguage(code: string) {
  const chosen = languageOf(code) ?? 'en';
  await load(chosen, [...wanted]);
  language = chosen;
  showLanguage(code);
}

/** Loads texts, now and for each later language. A file and the further parts also use the texts of the uploads. */
export async function loadTexts(of: TextsOf) {
  const texts: readonly TextsOf[] = of === 'parts' || of === 'file' ? ['uploads', of] : [of];
  for (const one of texts) wanted.add(one);
  await load(language, texts);
}

async function load(chosen: Language, texts: readonly TextsOf[]) {
  const files = texts.map(async (of) => {
    Object.assign(loaded[chosen], (await LOADERS[chosen][of]()).default);
  });
  const loadSentences = async () => {
    sentences[chosen] = await LOADERS[chosen].sentences();
  };
  const warns = texts.includes('file') || texts.includes('parts');
  await Promise.all([...files, warns && loadSentences()]);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** A name within a sentence. A name from right to left does not turn the words after the name. */
export const isolated = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

export const quote = (value: string) => `“${isolated(value)}”`;

type Warning = { code: string; values: WarningValues };

const sentenceNamed = ({ code, values: { case: of } }: Warning) =>
  sentences[language]?.[of === undefined ? code : `${code}:${of}`];

/** The sentence of a warning in the language of the reader. Undefined in English, and without such a sentence. */
export function sentenceOfWarning(warning: Warning) {
  const sentence = sentenceNamed(warning);
  return sentence && sentenceOf(sentence, warning.values, quote);
}

/** Why the API refused a request, in the language of the reader. Undefined without such a sentence. */
export function sentenceOfFailure({ detail, refusal, values }: Refused) {
  if (language === 'en') return detail || undefined;
  const codes = 'case' in values ? [refusal, 'file_refused'] : [];
  const known = codes.flatMap((code) => sentenceOfWarning({ code, values }) ?? []);
  return known[0] ?? sentenceOfWarning({ code: refusal, values: withoutCase(values) });
}

type Refused = { detail: string; refusal: string; values: WarningValues };

const withoutCase = ({ case: _, ...values }: WarningValues) => values;

/** Whether the English sentence has more than the sentence in the language of the reader. */
export const isMoreInEnglish = (warning: Warning) =>
  'why' in warning.values || sentenceNamed(warning) === undefined;

/** A narrow column breaks the line only between the date and the time. */
const joined = (...parts: string[]) =>
  parts.map((part) => part.replace(/\s/g, '\u00a0')).join(', ');

/** Date and time by the reader's clock, for times outside a race. */
export function absoluteTime(date: Date) {
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, options).format(date);
  return joined(format({ dateStyle: 'medium' }), format(MINUTE));
}

/** Date and time with the zone, for a reader elsewhere. */
export const timeWithZone = (date: Date) =>
  dateFormat(locale, { dateStyle: 'long', timeStyle: 'long' }).format(date);

/** The day of a race, in its place. */
export function raceDay(instant: string) {
  const timeZone = isDay(instant) ? 'UTC' : zoneOf(ofRace.time_zone);
  return dateFormat(locale, {
    dateStyle: 'long',
    ...(timeZone && { timeZone }),
  }).format(new Date(instant));
}

/** Date and time of a race, by the clock of its place. @param zone the event's text */
export function timeInZone(instant: string, zone: string | null) {
  const date = new Date(instant);
  const timeZone = isDay(instant) ? 'UTC' : zoneOf(zone);
  const options = { dateStyle: 'medium', ...(timeZone && { timeZone }) } as const;
  const day = dateFormat(locale, options).format(date);
  return isDay(instant) ? joined(day) : joined(day, formatInPlace(date, MINUTE, timeZone));
}

/** What times of the race on the page depend on. */
let ofRace: { time_zone: string | null; ranking_rule: string } = {
  time_zone: null,
  ranking_rule: 'chip',
};

export function setRace(race: typeof ofRace) {
  ofRace = race;
}

/** Date and time of something in the race on the page. */
export const raceTime = (instant: string) => timeInZone(instant, ofRace.time_zone);

/** The time of day of something expected in the race on the page: a guess has no seconds. */
export const minuteTime = (instant: string) =>
  formatInPlace(new Date(instant), MINUTE, zoneOf(ofRace.time_zone));

/** The time of day of something in the race on the page, with seconds. */
export const clockTime = (instant: string) =>
  formatInPlace(new Date(instant), { ...MINUTE, second: '2-digit' }, zoneOf(ofRace.time_zone));

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `2 hours ago`, `in 30 days`: the largest unit with a count of at least 2, else `now`. */
export function relativeTime(date: Date) {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  for (const [unit, size] of UNITS) {
    const count = Math.round(seconds / size);
    if (Math.abs(count) >= 2) return new Intl.RelativeTimeFormat(locale).format(count, unit);
  }
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
}

type Outcome = { status: ResultStatus; chip_time: string | null; gun_time: string | null };

type Times = { chip_time: string | null; gun_time: string | null };

/** The time behind a place within a distance. Without the rule's time, a runner is ranked by the second time. */
export function rankTime(
  { chip_time, gun_time }: Times,
  rule = ofRace.ranking_rule,
  isCategory = false,
) {
  const isByGun = rule === 'gun' || (rule === 'gun_overall' && !isCategory);
  return isByGun ? (gun_time ?? chip_time) : (chip_time ?? gun_time);
}

/** A time as people read it. @param time `HH:MM:SS.mmm` */
export const shortTime = inWholeSeconds;

/** A time as stored, without a zero fraction. @param time `HH:MM:SS.mmm` */
export const exactTime = (time: string) => time.replace(/\.000$/, '');

/** A result in a few words: the time that ranks, or the status. */
export function outcomeOf(result: Outcome | null, format = shortTime) {
  if (result === null) return text('noResult');
  const time = rankTime(result);
  return time === null ? text(`status.${result.status}`) : format(time);
}

/** The delimiter of the reader's spreadsheets: a semicolon where the decimal sign is a comma. */
export const spreadsheetDelimiter = () =>
  new Intl.NumberFormat(navigator.language).format(0.5).includes(',') ? 'semicolon' : 'comma';

/** Makes a test for texts with all words of a search, whatever their case and accents. */
export function searching(search: string) {
  const words = plain(search).split(/\s+/);
  return (...texts: string[]) => {
    const within = plain(texts.join(' '));
    return words.every((word) => within.includes(word));
  };
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
