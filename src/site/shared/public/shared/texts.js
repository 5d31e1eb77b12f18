/**
 * A text of a language. A text about a number, the value `count`, has a form for each kind of number.
 * @typedef {string | Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>} Text
 */

/** The languages of the page. Readers of all others get the first one. */
let languages = ['en'];

let language = 'en';

/**
 * The locale of numbers and dates: the reader's own, if it has the language of the page. Everybody else reads
 * English dates with the day first, which is the order of nearly all languages.
 */
export let locale = 'en';

/** @param {string} code */
const languageOf = (code) => code.toLowerCase().split(/[-_]/)[0] ?? '';

/** Chooses the language of the page. @param {string} code such as `es` or `es-MX` */
export function setLanguage(code) {
  language = languages.find((known) => known === languageOf(code)) ?? languages[0] ?? 'en';
  const own = navigator.languages[0] ?? language;
  if (languageOf(own) === language) locale = own;
  else locale = language === 'en' ? 'en-001' : language;
  document.documentElement.lang = language;
  for (const button of document.querySelectorAll('[data-language]')) {
    const isChosen = button.getAttribute('data-language') === language;
    button.setAttribute('aria-pressed', String(isChosen));
  }
}

/** @param {number} value */
export const formatNumber = (value) => value.toLocaleString(locale);

/**
 * Makes the function that gives the texts of a page in its language. The values replace their names in braces.
 * @template {Readonly<Record<string, Readonly<Record<string, Text>>>>} Texts
 * @param {Texts} texts by language. The first is that of readers who have none of them
 */
export function createText(texts) {
  languages = Object.keys(texts);
  /**
   * @param {keyof Texts[keyof Texts] & string} name
   * @param {Readonly<Record<string, string | number>>} [values]
   */
  return (name, values = {}) => {
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

/** @param {Exclude<Text, string>} forms @param {number} count */
const formOf = (forms, count) => forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
