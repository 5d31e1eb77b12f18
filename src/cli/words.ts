import { relative, resolve } from 'node:path';
import { type Sentence, sentenceOf, type WarningValues } from '../timing-files/judge/sentence.ts';
import { SPANISH_SENTENCES } from '../timing-files/judge/sentences-es.ts';
import type { FileFault } from '../timing-files/read/file-faults.ts';
import { SPANISH_FAULTS } from '../timing-files/read/file-faults-es.ts';
import type { ReasonCode } from '../timing-files/read/reason-codes.ts';
import { type Language, languageOf } from '../timing-files/write/languages.ts';
import ENGLISH from './texts/en.json' with { type: 'json' };
import SPANISH_TEXTS from './texts/es.json' with { type: 'json' };

type FaultKey = `fault_${FileFault}`;
const FAULTS = Object.fromEntries(
  Object.entries(SPANISH_FAULTS).map(([fault, text]) => [`fault_${fault}`, text]),
) as Record<FaultKey, string>;
const SPANISH = { ...SPANISH_TEXTS, ...FAULTS };

export type Key = keyof typeof SPANISH;
type CodeKey = `reason_${ReasonCode}` | FaultKey;
/** Each language has a text for each code of the API and of the reader of files. */
type Translated = Readonly<Record<Key | CodeKey, string>>;
/** In English, details, reasons and faults without a text keep the API's sentences. */
type Texts = Readonly<Partial<Translated>>;

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: ENGLISH,
  es: SPANISH satisfies Translated,
};

let texts: Texts = ENGLISH;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Takes the language of the computer: from the variables of the shell, or on Windows from the system. An unknown
 * language becomes English.
 */
export function useLanguageOf(env: Environment): void {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'];
  const found = locale || new Intl.DateTimeFormat().resolvedOptions().locale;
  texts = TEXTS[languageOf(found) ?? 'en'];
}

export type Values = object;

export const isText = (key: string): key is Key => Object.hasOwn(SPANISH, key);

/**
 * A text for people, in the language of the computer.
 * @param values replace `{name}` in the text. `{name:rows}` counts rows or results. A list is shortened
 */
export function say(key: Key, values: Values = {}): string {
  const filled = new Map<string, unknown>(Object.entries(values));
  const text = texts[key] ?? ('reason' in values ? '{reason}' : '{detail}');
  return text.replace(
    /\{(\w+)(?::(row|result)s)?\}/g,
    (_, name: string, unit: 'row' | 'result' | undefined) => {
      if (!filled.has(name)) throw new Error(`${key} lacks ${name}.`);
      const value = filled.get(name);
      if (unit) return say(value === 1 ? unit : `${unit}s`, { count: value });
      return Array.isArray(value) ? named(value) : String(value);
    },
  );
}

type Warning = { code: string; detail: string; values: WarningValues };

const SENTENCES: Readonly<Partial<Record<string, Sentence>>> = SPANISH_SENTENCES;

/** A warning of the API, in the language of the computer. A newer API may have another code. */
export function warned({ code, detail, values }: Warning): string {
  const { case: of } = values;
  const sentence = SENTENCES[of === undefined ? code : `${code}:${of}`];
  return texts === SPANISH && sentence ? sentenceOf(sentence, values, JSON.stringify) : detail;
}

const BIBS_NAMED = 10;

/** `4, 5, 6 and 3 more` */
export function named(bibs: readonly string[]): string {
  const more = bibs.length - BIBS_NAMED;
  return bibs.slice(0, BIBS_NAMED).join(', ') + (more > 0 ? say('and_more', { more }) : '');
}

/** A word of a command line, ready to paste into a shell. A bare `#3` would start a comment. */
export function pasted(word: string): string {
  if (/^[\p{L}\p{N}_.:/+][\p{L}\p{N}_.:/+-]*$/u.test(word)) return word;
  if (process.platform === 'win32' || !/["$`\\!]/.test(word))
    return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The path of a file, relative to the folder, ready to paste into a shell. */
export const pastedPath = (folder: string, file: string): string =>
  pasted(relative(folder, resolve(folder, file)));

/** Control characters and marks of direction: with such characters, a text could write elsewhere on a terminal. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text without characters obeyed by a terminal. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\uFFFD');

/** `JSON.stringify` escapes only characters below the blank; this function escapes the rest for the terminal. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    UNPRINTABLE,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** An instant in this laptop's time zone: `2026-05-03 14:03:22`. */
export function localTime(instant: string | Date): string {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}
