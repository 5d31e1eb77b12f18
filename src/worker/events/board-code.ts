import { BOARD_CODE_LENGTH } from '../db/sql.ts';

/** Digits and small letters without the letters that look like digits, and without vowels, which would make words. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz';
/** A byte from here on would make the first letters likelier. */
const BYTE_MAX = 256 - (256 % ALPHABET.length);

/** A code for the short address of a board, such as `kd7wx9f2`. */
export function newBoardCode(): string {
  let code = '';
  while (code.length < BOARD_CODE_LENGTH) {
    const [byte = BYTE_MAX] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < BYTE_MAX) code += ALPHABET[byte % ALPHABET.length];
  }
  return code;
}

const CODE = new RegExp(`^[${ALPHABET}]{${BOARD_CODE_LENGTH}}$`);
/** A longer text is no code. */
const TEXT_MAX = 40;

/** The code that a person types, in any case, with or without a hyphen; undefined if the text is no code. */
export function boardCodeIn(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const code = text.toLowerCase().replaceAll('-', '');
  return CODE.test(code) ? code : undefined;
}
