import type { Sentence } from '../../../../timing-files/judge/sentence.ts';
import type { Language } from '../../../../timing-files/write/languages.ts';

/** The sentences of warnings, by name. */
export type Sentences = Readonly<Record<string, Sentence>>;

const spanishSentences = async (): Promise<Sentences> =>
  (await import('./texts/sentences-es.ts')).default;

/** The texts of the page, of the keys, of a race's uploads, of a chosen file and of the further parts. */
export type TextsOf = 'page' | 'keys' | 'uploads' | 'file' | 'parts';

/**
 * Loads the texts of a language, and the sentences of warnings. The
 * warnings of the API are in English.
 */
export const LOADERS = {
  en: {
    page: () => import('./texts/page/en.ts'),
    keys: () => import('./texts/keys/en.ts'),
    uploads: () => import('./texts/uploads/en.ts'),
    file: () => import('./texts/file/en.ts'),
    parts: () => import('./texts/parts/en.ts'),
    sentences: async (): Promise<Sentences> => ({}),
  },
  es: {
    page: () => import('./texts/page/es.ts'),
    keys: () => import('./texts/keys/es.ts'),
    uploads: () => import('./texts/uploads/es.ts'),
    file: () => import('./texts/file/es.ts'),
    parts: () => import('./texts/parts/es.ts'),
    sentences: spanishSentences,
  },
} satisfies Record<
  Language,
  { [Part in TextsOf]: () => Promise<object> } & { sentences: () => Promise<Sentences> }
>;
