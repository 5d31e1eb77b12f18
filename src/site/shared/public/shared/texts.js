/**
 * A text in English and in Spanish. A text about a number, the value `count`, has a form for one and a form
 * for other numbers.
 * @typedef {readonly string[]} Form
 * @typedef {Form | Readonly<{ one: Form, other: Form }>} Translations
 */

/** @type {'en' | 'es'} */
let language = 'en';

/**
 * The locale of numbers and dates: the reader's own, if it has the language of the page. Everybody else reads
 * English dates with the day first, which is the order of nearly all languages.
 */
export let locale = 'en';

/** Chooses the language of the page. @param {string} code `es…` is Spanish, any other code English */
export function setLanguage(code) {
  language = code.toLowerCase().startsWith('es') ? 'es' : 'en';
  const own = navigator.languages[0] ?? language;
  if (own.split('-')[0] === language) locale = own;
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
 * @template {Readonly<Record<string, Translations>>} Texts
 * @param {Texts} texts
 */
export function createText(texts) {
  /**
   * @param {keyof Texts & string} name
   * @param {Readonly<Record<string, string | number>>} [values]
   */
  return (name, values = {}) => {
    /** @type {Translations | undefined} */
    const found = texts[name];
    if (!found) throw new Error(`No text is named ${name}.`);
    const form = 'other' in found ? found[pluralOf(Number(values['count']))] : found;
    return (form[language === 'es' ? 1 : 0] ?? '').replace(/\{(\w+)\}/g, (_, key) => {
      const value = values[key];
      if (value === undefined) throw new Error(`The text ${name} lacks ${key}.`);
      return typeof value === 'number' ? formatNumber(value) : value;
    });
  };
}

/** @param {number} count */
const pluralOf = (count) =>
  new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
