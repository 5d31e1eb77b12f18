/** Loads the texts of a language. A reader loads one. */
export const LANGUAGES = {
  en: () => import('./texts/en.json', { with: { type: 'json' } }),
  es: () => import('./texts/es.json', { with: { type: 'json' } }),
};

/** The language of a code such as `es-MX`. Readers of all others get English. @param {string} code */
export const languageOf = (code) =>
  /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES)).find(
    (known) => known === code.toLowerCase().split(/[-_]/)[0],
  ) ?? 'en';
