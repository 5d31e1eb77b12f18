import type { Utf8 } from './xml.ts';

const [TAB, NEWLINE, RETURN, BLANK, QUOTE] = [0x09, 0x0a, 0x0d, 0x20, 0x22];
/** A quoted cell has two quotes more, and each of its quotes twice. */
const escapedMax = (length: number): number => 2 * length + 2;

/** Writes a cell without the signs that end a cell or a row. @returns the place behind the cell */
function writeCell(target: Uint8Array, start: number, { bytes, length }: Utf8): number {
  let at = start;
  for (let from = 0; from < length; from += 1) {
    const byte = bytes[from] ?? 0;
    if (byte === QUOTE) return writeQuoted(target, start, bytes, length);
    target[at] = withoutEnd(byte);
    at += 1;
  }
  return at;
}

function writeQuoted(target: Uint8Array, start: number, bytes: Uint8Array, length: number): number {
  let at = start;
  target[at++] = QUOTE;
  for (let from = 0; from < length; from += 1) {
    const byte = bytes[from] ?? 0;
    if (byte === QUOTE) target[at++] = QUOTE;
    target[at++] = withoutEnd(byte);
  }
  target[at++] = QUOTE;
  return at;
}

const withoutEnd = (byte: number): number =>
  byte === TAB || byte === NEWLINE || byte === RETURN ? BLANK : byte;

/** The blanks that `trim` removes and that have several bytes. */
const WIDE_BLANKS = Array.from(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  (blank) => new TextEncoder().encode(blank),
);
const WIDE_BLANK_STARTS = new Set(WIDE_BLANKS.map(([first]) => first));

/** Whether a text has blanks alone. */
export function isBlank({ bytes, length }: Utf8): boolean {
  for (let at = 0; at < length; ) {
    const blank = blankLength(bytes, at);
    if (blank === 0) return false;
    at += blank;
  }
  return true;
}

function blankLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first === BLANK || (first >= TAB && first <= RETURN)) return 1;
  if (!WIDE_BLANK_STARTS.has(first)) return 0;
  const wide = WIDE_BLANKS.find((blank) =>
    blank.every((byte, index) => bytes[at + index] === byte),
  );
  return wide?.length ?? 0;
}

const BLOCK_LENGTH = 65_536;

/** Collects the text of a sheet, with tabs between cells. */
export class SheetText {
  /** All bytes so far. */
  length = 0;
  #full: Uint8Array[] = [];
  #block = new Uint8Array(BLOCK_LENGTH);
  #at = 0;

  addCell(text: Utf8): void {
    this.#reserve(escapedMax(text.length));
    this.#moveTo(writeCell(this.#block, this.#at, text));
  }

  /** Adds written bytes, such as a shared text. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const start = this.#at - from;
    for (let at = from; at < to; at += 1) this.#block[start + at] = bytes[at] ?? 0;
    this.#moveTo(start + to);
  }

  addTabs(count: number): void {
    this.#repeat(TAB, count);
  }

  addNewlines(count: number): void {
    this.#repeat(NEWLINE, count);
  }

  /** Returns the full blocks, or all blocks at the end. */
  take(isEnd = false): Uint8Array[] {
    if (isEnd) this.#startBlock(0);
    return this.#full.splice(0);
  }

  #repeat(byte: number, count: number): void {
    for (let left = count; left > 0; ) {
      this.#reserve(1);
      const end = Math.min(this.#at + left, this.#block.length);
      left -= end - this.#at;
      this.#block.fill(byte, this.#at, end);
      this.#moveTo(end);
    }
  }

  #moveTo(end: number): void {
    this.length += end - this.#at;
    this.#at = end;
  }

  #reserve(count: number): void {
    if (this.#at + count > this.#block.length) this.#startBlock(count);
  }

  #startBlock(count: number): void {
    this.#full.push(this.#block.subarray(0, this.#at));
    this.#block = new Uint8Array(Math.max(count, BLOCK_LENGTH));
    this.#at = 0;
  }
}

/** Bytes of a chunk of shared texts. A text is in a single chunk. */
const CHUNK_LENGTH = 1_024 * 1_024;

/** The shared texts of cells, as they are written into rows. A string for each text would take most of the memory. */
export class SharedTexts {
  /** Bytes of all texts. */
  length = 0;
  readonly #chunks: Uint8Array[] = [];
  /** The places of the texts, as if all chunks were one. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #at = 0;

  get count(): number {
    return this.#starts.length;
  }

  /** A text of blanks becomes empty. */
  add(text: Utf8): void {
    let chunk = this.#chunks.at(-1);
    if (!chunk || this.#at + escapedMax(text.length) > CHUNK_LENGTH) {
      chunk = new Uint8Array(CHUNK_LENGTH);
      this.#chunks.push(chunk);
      this.#at = 0;
    }
    const first = (this.#chunks.length - 1) * CHUNK_LENGTH;
    const end = isBlank(text) ? this.#at : writeCell(chunk, this.#at, text);
    this.#starts.push(first + this.#at);
    this.#ends.push(first + end);
    this.length += end - this.#at;
    this.#at = end;
  }

  isEmpty(index: number): boolean {
    return this.#starts[index] === this.#ends[index];
  }

  copyTo(sheet: SheetText, index: number): void {
    const start = this.#starts[index] ?? 0;
    const end = this.#ends[index] ?? 0;
    const chunk = this.#chunks[Math.floor(start / CHUNK_LENGTH)];
    const first = start - (start % CHUNK_LENGTH);
    if (chunk) sheet.addBytes(chunk, start - first, end - first);
  }
}
