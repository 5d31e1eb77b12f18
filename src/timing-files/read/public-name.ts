import { Pattern } from './pattern.ts';

/** The name in its only spelling, or the fault in the words of an error. */
type PublicName = { name: string; fault?: undefined } | { name?: undefined; fault: string };

/** Most names are plain, and stay unchanged. */
const PLAIN = new Pattern(/^[!-~]+(?: [!-~]+)*$/);
/** Blanks without a width, and the soft hyphen. The two joiners are parts of words and emoji. */
const UNSEEN = new Pattern(/[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/);
const BLANK = new Pattern(/\p{Zs}/u);
/** With a mark of direction, a name could look like another name. Half a character cannot be stored. */
const REFUSED = new Pattern(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/u);

/** NFC joins a letter and its accents. No letter has more than three accents. */
const UNITS_PER_CHARACTER = 4;

/**
 * Reads a short text that people see and programs compare: the name of a point, a reason, the name of a file. Texts
 * that differ only in kind and number of their blanks, or in the form of accents, become equal.
 * @param lengthMax in characters, counted as in Postgres
 * @returns the name; blank if no visible character is left
 */
export function publicName(sent: string, lengthMax: number): PublicName {
  const trimmed = sent.trim();
  const tooLong = { fault: `expected at most ${lengthMax} characters` };
  // NFC takes the square of the length if accents are many.
  if (trimmed.length > UNITS_PER_CHARACTER * lengthMax) return tooLong;
  let name = trimmed;
  if (!PLAIN.test(trimmed)) {
    name = '';
    for (const sign of trimmed) {
      if (REFUSED.test(sign)) return { fault: `found ${codePoint(sign)}, ${EXPECTED}` };
      if (UNSEEN.test(sign)) continue;
      if (!BLANK.test(sign)) name += sign;
      else if (!name.endsWith(' ')) name += ' ';
    }
    name = name.trim().normalize('NFC');
  }
  return name.length > lengthMax && [...name].length > lengthMax ? tooLong : { name };
}

const EXPECTED =
  'expected a text of one line without control characters, marks of direction and half characters';

/** As Unicode writes it: `U+202E`. */
const codePoint = (sign: string): string =>
  `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
