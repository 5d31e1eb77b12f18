import { createText, locale, setLanguage } from '../shared/texts.js';
import { LANGUAGES, languageOf } from './languages.js';

/** @typedef {(typeof LANGUAGES)[keyof typeof LANGUAGES]} Loaders */
/** @typedef {Awaited<ReturnType<Loaders['page']>>['default']} PageTexts */
/** @typedef {Awaited<ReturnType<Loaders['parts']>>['default']} PartsTexts */

/** The texts that are loaded. @type {Record<keyof typeof LANGUAGES, PageTexts & PartsTexts>} */
const loaded = {
  en: /** @type {PageTexts & PartsTexts} */ ({}),
  es: /** @type {PageTexts & PartsTexts} */ ({}),
};

/** @type {(keyof Loaders)[]} */
const wanted = ['page'];

let language = languageOf('');

/** A text of the page, or of a part that is loaded. */
export const textOfParts = createText(loaded);

/** A text of the page. @type {ReturnType<typeof createText<Record<'en', PageTexts>>>} */
export const text = textOfParts;

/** Loads the texts of a language and chooses it. @param {string} code such as `es` or `es-MX` */
export async function chooseLanguage(code) {
  const chosen = languageOf(code);
  await load(chosen);
  language = chosen;
  setLanguage(code);
}

/** Loads the texts of the parts, now and for each language that is chosen later. */
export async function loadTextsOfParts() {
  if (!wanted.includes('parts')) wanted.push('parts');
  await load(language);
}

/** @param {keyof typeof LANGUAGES} chosen */
async function load(chosen) {
  const files = await Promise.all(wanted.map((kind) => LANGUAGES[chosen][kind]()));
  for (const { default: texts } of files) Object.assign(loaded[chosen], texts);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** A name within a sentence. One that runs from right to left does not turn the words after it. @param {string} name */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Date and time. A narrow column breaks the line only between the two. @param {Date} date */
export function absoluteTime(date) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(date);
  return [day, time].map((part) => part.replace(/\s/g, '\u00a0')).join(', ');
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `2 hours ago`, `in 30 days`: the largest unit with a count of at least 2, else `now`. @param {Date} date */
export function relativeTime(date) {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  for (const [unit, size] of UNITS) {
    const count = Math.round(seconds / size);
    if (Math.abs(count) >= 2) return new Intl.RelativeTimeFormat(locale).format(count, unit);
  }
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
}

/** @typedef {{ status: import('../../../../timing-files/read/result-status.ts').ResultStatus, chip_time: string | null, gun_time: string | null }} Outcome */

/** A time without the fraction that says nothing. @param {string} time `HH:MM:SS.mmm` */
export const shortTime = (time) => time.replace(/\.000$/, '');

/** A result in a few words. @param {Outcome | null} result */
export function outcomeOf(result) {
  if (result === null) return text('noResult');
  const time = result.chip_time ?? result.gun_time;
  return time === null ? text(`status.${result.status}`) : shortTime(time);
}

/** What a spreadsheet of the reader splits cells at: a semicolon where the decimal sign is a comma. */
export const spreadsheetDelimiter = () =>
  new Intl.NumberFormat(navigator.language).format(0.5).includes(',') ? 'semicolon' : 'comma';

/** Makes a test for texts that have all words of a search, whatever their case and accents. @param {string} search */
export function searching(search) {
  const words = plain(search).split(/\s+/);
  return (/** @type {string[]} */ ...texts) => {
    const within = plain(texts.join(' '));
    return words.every((word) => within.includes(word));
  };
}

/** @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
