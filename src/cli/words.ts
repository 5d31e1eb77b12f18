import { relative, resolve } from 'node:path';
import type { WarningCode } from '../timing-files/judge/warning.ts';
import type { FileFault } from '../timing-files/read/file-faults.ts';
import type { ReasonCode } from '../timing-files/read/reason-codes.ts';
import ENGLISH from './texts/en.json' with { type: 'json' };
import SPANISH from './texts/es.json' with { type: 'json' };

export type Key = keyof typeof SPANISH;
type CodeKey = `reason_${ReasonCode}` | `warning_${WarningCode}` | `fault_${FileFault}`;
/** Each language has a text for each code of the API and of the reader of files. */
type Translated = Readonly<Record<Key | CodeKey, string>>;
/** In English, details, reasons, warnings and faults without a text keep the API's sentences. */
type Texts = Readonly<Partial<Translated>>;

/** The texts of each language, by the first letters of the locale. */
export const LANGUAGES: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ['en', ENGLISH],
  ['es', SPANISH satisfies Translated],
]);

let texts: Texts = ENGLISH;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Takes the language of the computer: from the variables of the shell, or on Windows from the system. An unknown
 * language becomes English.
 */
export function useLanguageOf(env: Environment): void {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'];
  const found = locale || new Intl.DateTimeFormat().resolvedOptions().locale;
  const [language = ''] = found.toLowerCase().split(/[-_.@]/, 1);
  texts = LANGUAGES.get(language) ?? ENGLISH;
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

/** A warning of the API, in the language of the computer, with the warning's names and times. */
export function warned({ code, detail }: { code: string; detail: string }): string {
  const key = `warning_${code}`;
  const found = detail.match(/"[^"]*"|\S+ takes [\dhmins ]*\d+ \w+/g) ?? [];
  const values = { detail, found: named(found.map((one) => one.replace(' takes ', ': '))) || '-' };
  return isText(key) ? say(key, values) : detail;
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
