import { PATTERN_TEXT_MAX, Pattern } from './pattern.ts';

/** Makes a value at the first use, and keeps the value. */
export function onFirstUse<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Letters whose accents cannot be removed. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

const ACCENTS = new Pattern(/\p{M}/gu);
const OTHER_LETTERS = new Pattern(/[ßøłæœđı]/g);
const SIGNS = new Pattern(/[^\p{L}\p{N}#%]+/gu);
const WORD_SIGNS = new Pattern(/[#%]/g);
/** The sign of "Nº" is a letter to Unicode. */
const ORDINAL_SIGNS = new Pattern(/[ºª°]/g);
const BLANKS = new Pattern(/ +/g);

export const withoutAccents = (text: string): string => ACCENTS.replace(text.normalize('NFD'), '');

/**
 * A text as lower-case words without accents and signs: "Nº de Dorsal" is "n de dorsal". Blank if the
 * text is too long for a name or a status.
 */
export function plainWords(text: string): string {
  if (text.length > PATTERN_TEXT_MAX) return '';
  const lower = withoutAccents(text.replaceAll('№', 'No')).toLowerCase();
  const letters = OTHER_LETTERS.replace(lower, (letter) => LETTERS[letter] ?? letter);
  const words = WORD_SIGNS.replace(SIGNS.replace(letters, ' '), ' $& ');
  return BLANKS.replace(ORDINAL_SIGNS.replace(words, ' '), ' ').trim();
}

const BEFORE_CAPITAL = new Pattern(/(?<=\p{Ll})(?=\p{Lu})/gu);
const AFTER_ABBREVIATION = new Pattern(/(?<=\p{Lu}{2})(?=\p{Lu}\p{Ll})/gu);

/** The words of a column's name, which may be `netTime` or `TPSReel`. */
export const plainName = (name: string): string =>
  plainWords(AFTER_ABBREVIATION.replace(BEFORE_CAPITAL.replace(name, ' '), ' '));
