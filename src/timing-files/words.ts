/** Letters that no accent can be taken from. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

/** A text as lower-case words without accents and signs: "Nº de Dorsal" is "n de dorsal". */
export const plainWords = (text: string): string =>
  text
    .replace(/№/g, 'No')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøłæœđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}#%]+/gu, ' ')
    .replace(/[#%]/g, ' $& ')
    // The sign of "Nº" is a letter to Unicode.
    .replace(/[ºª°]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** The same of a column's name, which may be `netTime` or `bibNum`. */
export const plainName = (name: string): string =>
  plainWords(
    name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu}{2,})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
