/** The languages of pages, commands and files for people, with their own names. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const;

export type Language = keyof typeof LANGUAGES;

export const CODES = Object.keys(LANGUAGES) as Language[];

/** @param code such as `es`, `es-MX` or `es_ES.UTF-8`. Readers of further languages get English. */
export const languageOf = (code: string): Language | undefined =>
  CODES.find(
    (known) => code.toLowerCase().startsWith(known) && !isLetter(code.charAt(known.length)),
  );

const isLetter = (character: string) => character.toLowerCase() !== character.toUpperCase();
