import { type Language, languageOf } from '../../../../timing-files/write/languages.ts';

/** A text of a language. A text about a number, the value `count`, has a form for each kind of number. */
type Text = string | Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

let language: Language = 'en';

/**
 * The locale of numbers and dates: the reader's own, if the locale has the language of the page. Everybody else reads
 * English dates with the day first, which is the order of nearly all languages.
 */
export let locale = 'en';

/**
 * Chooses the language of texts, numbers and dates.
 * @param code such as `es` or `es-MX`
 * @returns the chosen language
 */
export function setLanguage(code: string): Language {
  language = languageOf(code) ?? 'en';
  const own = navigator.languages[0] ?? language;
  if (languageOf(own) === language) locale = own;
  else locale = language === 'en' ? 'en-001' : language;
  return language;
}

export const formatNumber = (value: number) => value.toLocaleString(locale);

/**
 * Makes the function for the texts of a page in its language. The values replace their names in braces.
 */
export const createText =
  <Texts extends Readonly<Record<Language, Readonly<Record<string, Text>>>>>(texts: Texts) =>
  (
    name: keyof Texts[keyof Texts] & string,
    values: Readonly<Record<string, string | number>> = {},
  ) => {
    const found: Text | undefined = texts[language][name];
    if (!found) throw new Error(`No text is named ${name}.`);
    const form = typeof found === 'string' ? found : formOf(found, Number(values['count']));
    return form.replace(/\{(\w+)\}/g, (_, key) => {
      const value = values[key];
      if (value === undefined) throw new Error(`The text ${name} lacks ${key}.`);
      return typeof value === 'number' ? formatNumber(value) : value;
    });
  };

const formOf = (forms: Exclude<Text, string>, count: number) =>
  forms[pluralRules(language).select(count)] ?? forms.other;

const rules: Partial<Record<Language, Intl.PluralRules>> = {};

function pluralRules(code: Language): Intl.PluralRules {
  rules[code] ??= new Intl.PluralRules(code);
  return rules[code];
}
