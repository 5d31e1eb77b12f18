/** Loads the texts of a language: the texts of the page, and the texts of later parts. */
export const LANGUAGES = {
  en: {
    name: 'English',
    page: () => import('./texts/page/en.ts'),
    parts: () => import('./texts/parts/en.ts'),
  },
  es: {
    name: 'Español',
    page: () => import('./texts/page/es.ts'),
    parts: () => import('./texts/parts/es.ts'),
  },
};

/** The language of a code such as `es-MX`. Readers of all further languages get English. */
export const languageOf = (code: string) =>
  (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).find(
    (known) => known === code.toLowerCase().split(/[-_]/)[0],
  ) ?? 'en';
