import { FileError } from './file-error.ts';
import { brokenWorkbook } from './zip.ts';

/** Characters of a cell, in each spreadsheet. */
const CELL_TEXT_MAX = 32_767;
/** A character has two UTF-16 units and four bytes, or a unit and at most three bytes. */
const UNIT_BYTES = 3;
/** Bytes of a tag, or of a text with each character written as an entity. */
const WRITTEN_MAX = 10 * CELL_TEXT_MAX;

const [BLANK = 0, EXCLAMATION, HASH, AMPERSAND, SLASH = 0, COLON, SEMICOLON] = codesOf(' !#&/:;');
const [LESS = 0, EQUALS, GREATER = 0, QUESTION, LETTER_X] = codesOf('<=>?x');
const [QUOTE, APOSTROPHE] = codesOf('"\'');
/** From here on, bytes belong to characters of several bytes. */
const ASCII_END = 0x80;
const REPLACEMENT = 0xff_fd;

function codesOf(signs: string): number[] {
  return Array.from(signs, (sign) => sign.charCodeAt(0));
}

/** The elements that make a table. */
const NAMES = [
  ...['c', 'v', 't', 'f', 'row', 'si', 'rPh', 'xf', 'cellXfs', 'numFmt'],
  ...['sheet', 'workbookPr', 'Relationship'],
];

const BY_LENGTH: (readonly string[] | undefined)[] = [];
for (const name of NAMES) BY_LENGTH[name.length] = [...(BY_LENGTH[name.length] ?? []), name];

/** The names of a letter, by its code. Most tags have such a name. */
const OF_A_LETTER: string[] = [];
for (const name of NAMES) if (name.length === 1) OF_A_LETTER[name.charCodeAt(0)] = name;

/** The pronunciation of a text is not part of the text. */
const SPOKEN = 'rPh';

/** Whether the texts of an element make up the text of a cell or a shared text. */
const hasText = (name: string): boolean => name === 'v' || name === 't';
const holdsText = (name: string): boolean => name === 'c' || name === 'si';

/**
 * Receives the elements of a part of a workbook. A name has no prefix, and is '' if the element is not part of a table.
 * Tags and texts are bytes in UTF-8: a sheet has millions, and a string for each takes longer than the reading.
 */
export type XmlReader = {
  /** @param tag is valid until the next tag */
  open?(name: string, tag: Tag): void;
  /** @param text the text of the latest cell or shared text, valid until the next tag */
  close?(name: string, text: Utf8): void;
};

/** A text in UTF-8. */
export class Utf8 {
  readonly bytes = new Uint8Array(UNIT_BYTES * CELL_TEXT_MAX);
  length = 0;
  #units = 0;

  clear(): void {
    this.length = 0;
    this.#units = 0;
  }

  /**
   * Adds a written text, with its entities replaced by their characters. An unknown entity stays.
   * @returns the number of `&`
   */
  add(written: Uint8Array, from: number, to: number): number {
    let entities = 0;
    for (let at = this.#addPlain(written, from, to); at < to; at += 1) {
      const byte = written[at] ?? 0;
      if (byte === AMPERSAND) {
        entities += 1;
        const end = entityEnd(written, at + 1, to);
        const code = end < 0 ? 0 : characterOf(written, at + 1, end);
        if (code > 0) {
          this.#addCharacter(code);
          at = end;
          continue;
        }
      }
      this.#addByte(byte);
    }
    if (this.#units > CELL_TEXT_MAX || this.length > this.bytes.length) throw cellTooLong();
    return entities;
  }

  /** Replaces the text. A longer text than that of a cell is cut. */
  set(text: string): void {
    this.length = encoder.encodeInto(text, this.bytes).written;
  }

  toString(): string {
    return decoder.decode(this.bytes.subarray(0, this.length));
  }

  /** Adds the bytes before the first entity or character of several bytes. @returns the place behind the bytes */
  #addPlain(written: Uint8Array, from: number, to: number): number {
    const { bytes, length } = this;
    const end = Math.min(to, from + bytes.length - length);
    let at = from;
    for (; at < end; at += 1) {
      const byte = written[at] ?? 0;
      if (byte === AMPERSAND || byte >= ASCII_END) break;
      bytes[length + at - from] = byte;
    }
    this.length += at - from;
    this.#units += at - from;
    return at;
  }

  #addByte(byte: number): void {
    // A byte behind the end is not kept, and `add` then throws.
    this.bytes[this.length] = byte;
    this.length += 1;
    // A character begins with a byte below 0x80 or from 0xc0 on.
    if ((byte & 0xc0) !== ASCII_END) this.#units += byte < 0xf0 ? 1 : 2;
  }

  #addCharacter(code: number): void {
    if (code < ASCII_END) {
      this.#addByte(code);
      return;
    }
    const isHalf = code >= 0xd8_00 && code < 0xe0_00;
    const { length } = this;
    const { written } = encoder.encodeInto(
      String.fromCodePoint(isHalf ? REPLACEMENT : code),
      this.bytes.subarray(length),
    );
    this.length += Math.max(written, 1);
    this.#units += code > 0xff_ff ? 2 : 1;
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The name and attributes of an element, without `<` and `>`. */
export class Tag {
  bytes = new Uint8Array();
  #from = 0;
  #to = 0;
  readonly #text = new Utf8();
  /** The place of the value that `find` found. */
  start = 0;
  end = 0;

  set(bytes: Uint8Array<ArrayBuffer>, from: number, to: number): void {
    this.bytes = bytes;
    this.#from = from;
    this.#to = to;
  }

  /** Whether the element has an attribute. `start` and `end` are then the place of its value, as written. */
  find(name: string): boolean {
    const { bytes } = this;
    const { length } = name;
    for (let at = this.#from + length + 1; at < this.#to; at += 1) {
      if (bytes[at] !== EQUALS || bytes[at - length - 1] !== BLANK) continue;
      if (!isAt(bytes, at - length, name)) continue;
      const quote = bytes[at + 1] ?? 0;
      if (quote !== QUOTE && quote !== APOSTROPHE) return false;
      this.start = at + 2;
      this.end = indexOf(bytes, quote, at + 2, this.#to);
      return this.end >= 0;
    }
    return false;
  }

  /** The value of an attribute; undefined if the element lacks the attribute. */
  attribute(name: string): string | undefined {
    if (!this.find(name)) return undefined;
    this.#text.clear();
    this.#text.add(this.bytes, this.start, this.end);
    return this.#text.toString();
  }
}

/**
 * Reads the XML of a workbook during its arrival. The parser returns the number of tags and entities of a piece.
 * @throws FileError if the text is no XML, or a cell has more text than a spreadsheet allows
 */
export function createXmlParser({ open = () => {}, close = () => {} }: XmlReader) {
  const tag = new Tag();
  const text = new Utf8();
  let xml = new Uint8Array();
  /** The bytes of `xml`: the rest of the last piece, and the piece. */
  let length = 0;
  let isText = false;
  let isSpoken = false;
  let entities = 0;

  function takeTag(from: number, to: number): void {
    const first = xml[from];
    if (first === QUESTION || first === EXCLAMATION) return;
    const isEnd = first === SLASH;
    const name = nameIn(xml, isEnd ? from + 1 : from, to);
    if (isEnd) {
      closeTag(name);
      return;
    }
    if (holdsText(name)) text.clear();
    if (hasText(name)) isText = true;
    if (name === SPOKEN) isSpoken = true;
    tag.set(xml, from, to);
    open(name, tag);
    if (xml[to - 1] === SLASH) closeTag(name);
  }

  function takeText(from: number, to: number): void {
    if (to - from > WRITTEN_MAX) throw cellTooLong();
    entities += text.add(xml, from, to);
  }

  function closeTag(name: string): void {
    if (hasText(name)) isText = false;
    if (name === SPOKEN) isSpoken = false;
    close(name, text);
  }

  function append(piece: Uint8Array): void {
    if (length + piece.length > xml.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(xml.subarray(0, length));
      xml = larger;
    }
    xml.set(piece, length);
    length += piece.length;
  }

  return (piece: Uint8Array): number => {
    append(piece);
    let [at, tags] = [0, 0];
    entities = 0;
    for (;;) {
      const start = indexOf(xml, LESS, at, length);
      const end = start < 0 ? -1 : indexOf(xml, GREATER, start, length);
      if (end < 0) break;
      if (isText && !isSpoken && start > at) takeText(at, start);
      takeTag(start + 1, end);
      tags += 1;
      at = end + 1;
    }
    xml.copyWithin(0, at, length);
    length -= at;
    if (length > WRITTEN_MAX) throw isText ? cellTooLong() : brokenWorkbook();
    return tags + entities;
  };
}

/** The name of the tag between two places, without the prefix. */
function nameIn(xml: Uint8Array, from: number, to: number): string {
  let start = from;
  let end = from;
  for (; end < to; end += 1) {
    const sign = xml[end] ?? 0;
    if (sign === COLON) start = end + 1;
    else if (sign <= BLANK || sign === SLASH) break;
  }
  if (end - start === 1) return OF_A_LETTER[xml[start] ?? 0] ?? '';
  const names = BY_LENGTH[end - start];
  if (names) for (const name of names) if (isAt(xml, start, name)) return name;
  return '';
}

/** Whether bytes have a text in ASCII at a place. */
function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1)
    if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** The search of the engine is fast for a long way. Most tags and texts are short. */
const SHORT_WAY = 48;

/** The next place of a sign before `to`, or -1. */
function indexOf(bytes: Uint8Array, sign: number, from: number, to: number): number {
  const near = Math.min(from + SHORT_WAY, to);
  for (let at = from; at < near; at += 1) if (bytes[at] === sign) return at;
  if (near === to) return -1;
  const found = bytes.subarray(near, to).indexOf(sign);
  return found < 0 ? -1 : near + found;
}

const cellTooLong = () => FileError.of('cell_too_long', { most: CELL_TEXT_MAX });

const ENTITIES: readonly [name: string, character: string][] = [
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
];
const ENTITY_LENGTH_MAX = 8;

/** The place of the semicolon of an entity, or -1. */
function entityEnd(written: Uint8Array, from: number, to: number): number {
  const last = Math.min(from + ENTITY_LENGTH_MAX, to - 1);
  for (let at = from; at <= last; at += 1) if (written[at] === SEMICOLON) return at;
  return -1;
}

/** The code of the character of an entity, or 0. */
function characterOf(written: Uint8Array, from: number, to: number): number {
  if (written[from] !== HASH) {
    const known = ENTITIES.find(([name]) => name.length === to - from && isAt(written, from, name));
    return known?.[1].charCodeAt(0) ?? 0;
  }
  const isHex = written[from + 1] === LETTER_X;
  const [first, base] = isHex ? [from + 2, 16] : [from + 1, 10];
  let code = 0;
  for (let at = first; at < to; at += 1) {
    const digit = digitOf(written[at] ?? 0);
    if (digit >= base) return 0;
    code = code * base + digit;
  }
  return code <= 0x10_ff_ff ? code : 0;
}

const [ZERO = 0, LETTER_A = 0] = codesOf('0a');

/** The value of a hexadecimal digit; a larger number for another sign. */
function digitOf(byte: number): number {
  const digit = byte - ZERO;
  if (digit >= 0 && digit < 10) return digit;
  const letter = (byte | 0x20) - LETTER_A;
  return letter >= 0 && letter < 6 ? letter + 10 : Number.MAX_SAFE_INTEGER;
}
