import type { Language } from '../../../../timing-files/write/languages.ts';

/** Loads the texts of a language: the texts of the page and of the certificate. */
export const LOADERS = {
  en: () => import('./texts/en.ts'),
  es: () => import('./texts/es.ts'),
} satisfies Record<Language, () => Promise<object>>;
