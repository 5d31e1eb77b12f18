import { Pattern } from './pattern.ts';

/** A text cut to a length. Half of a surrogate pair at the cut becomes U+FFFD, so that the text can be sent. */
export const cutTo = (length: number, text: string): string =>
  text.length > length ? text.slice(0, length).toWellFormed() : text;

const QUOTED_MAX = 60;

/** A text in quotes, for errors. A long text is cut, and the quote is closed. */
export const quoted = (text: string): string => JSON.stringify(cutTo(QUOTED_MAX, text.trim()));

const OTHER_DIGITS = new Pattern(/[！-～٠-٩۰-۹०-९০-৯๐-๙٫]/g);
/** The zeros of the scripts in timing software. The digits 1 to 9 follow each zero. */
const ZEROS = ['٠', '۰', '०', '০', '๐'].map((zero) => zero.charCodeAt(0));
/** The distance of full-width signs from the signs of ASCII. */
const FULL_WIDTH = 0xff01 - 0x21;

/** A short text with the digits and signs of ASCII in place of other scripts: `０:４１：５０` is `0:41:50`. */
export const plainDigits = (text: string): string =>
  isAscii(text)
    ? text
    : OTHER_DIGITS.replace(text, (sign) => {
        if (sign === '٫') return '.';
        const code = sign.charCodeAt(0);
        const zero = ZEROS.find((first) => code >= first && code < first + 10);
        return zero === undefined ? String.fromCharCode(code - FULL_WIDTH) : String(code - zero);
      });

/** Looking at each character is faster than an expression, and almost every cell is in ASCII. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

const [ZERO, NINE] = ['0'.charCodeAt(0), '9'.charCodeAt(0)];

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Whether a text begins with a digit of ASCII. */
export const startsWithDigit = (text: string): boolean => isDigit(text.charCodeAt(0));

export const endsWithDigit = (text: string): boolean => isDigit(text.charCodeAt(text.length - 1));

/** Whether a text consists of digits of ASCII. Most numbers do, and need no expression. */
export function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!isDigit(text.charCodeAt(at))) return false;
  return text !== '';
}

const FIRST_LETTER = 'A'.charCodeAt(0);

/** Whether a text has characters beyond the digits and most signs of ASCII. Most times have none. */
export function mayHaveLetters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= FIRST_LETTER) return true;
  return false;
}

export function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** V8 copies shorter texts when cutting a text. */
const COPIED_LENGTH_MAX = 12;

/** A copy of a text. A cell is a view of the text around, and would keep the whole text in memory. */
export const copied = (text: string): string =>
  text.length > COPIED_LENGTH_MAX ? JSON.parse(JSON.stringify(text)) : text;

/** The number of characters to add, remove or replace between the two names (Levenshtein). */
export function typingErrors(sent: string, known: string): number {
  let row = Array.from({ length: known.length + 1 }, (_, index) => index);
  for (const [at, character] of Array.from(sent).entries()) {
    const next = [at + 1];
    for (const [index, compared] of Array.from(known).entries()) {
      const replaced = (row[index] ?? 0) + (character === compared ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[known.length] ?? 0;
}
