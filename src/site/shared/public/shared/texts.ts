/** A text of a language. A text about a number, the value `count`, has a form for each kind of number. */
type Text = string | Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The languages of the page. Readers of further languages get the first language. */
let languages = ['en'];

let language = 'en';

/**
 * The locale of numbers and dates: the reader's own, if the locale has the language of the page. Everybody else reads
 * English dates with the day first, which is the order of nearly all languages.
 */
export let locale = 'en';

const languageOf = (code: string) => code.toLowerCase().split(/[-_]/)[0] ?? '';

/**
 * Chooses the language of texts, numbers and dates.
 * @param code such as `es` or `es-MX`
 * @returns the chosen language
 */
export function setLanguage(code: string): string {
  language = languages.find((known) => known === languageOf(code)) ?? languages[0] ?? 'en';
  const own = navigator.languages[0] ?? language;
  if (languageOf(own) === language) locale = own;
  else locale = language === 'en' ? 'en-001' : language;
  return language;
}

export const formatNumber = (value: number) => value.toLocaleString(locale);

/**
 * Makes the function for the texts of a page in its language. The values replace their names in braces.
 * @param texts by language. The first language serves readers of unknown languages
 */
export function createText<Texts extends Readonly<Record<string, Readonly<Record<string, Text>>>>>(
  texts: Texts,
) {
  languages = Object.keys(texts);
  return (
    name: keyof Texts[keyof Texts] & string,
    values: Readonly<Record<string, string | number>> = {},
  ) => {
    const found = texts[language]?.[name];
    if (!found) throw new Error(`No text is named ${name}.`);
    const form = typeof found === 'string' ? found : formOf(found, Number(values['count']));
    return form.replace(/\{(\w+)\}/g, (_, key) => {
      const value = values[key];
      if (value === undefined) throw new Error(`The text ${name} lacks ${key}.`);
      return typeof value === 'number' ? formatNumber(value) : value;
    });
  };
}

const formOf = (forms: Exclude<Text, string>, count: number) =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
