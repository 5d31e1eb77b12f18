import { LargeText } from '../../db/large-text.ts';

const ZERO = 0x30;
const COMMA = 0x2c;
const BAR = 0x7c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

const BLOCK_BYTES = 65_536;
/** The most bytes of a number and the sign behind the number, with a byte to spare. */
const NUMBER_BYTES = 12;

/**
 * Writes whole numbers under 2³² as digits. A text of each number would take three times as long. A race time is under
 * 1000 hours, which fits.
 */
class DigitsWriter {
  readonly #blocks: Uint8Array[] = [];
  #block: Uint8Array;
  #length = 1;

  /** @param most the maximum of written numbers */
  constructor(most: number) {
    // Most uploads have a few rows.
    this.#block = new Uint8Array(Math.min(BLOCK_BYTES, NUMBER_BYTES * (most + 2)));
    this.#block[0] = OPEN;
  }

  /** @param after the sign behind the number */
  write(number: number | null, after: number): void {
    if (this.#length > this.#block.length - NUMBER_BYTES) this.#startBlock();
    const end =
      number === null ? this.#writeNull() : writeDigits(this.#block, this.#length, number);
    this.#block[end] = after;
    this.#length = end + 1;
  }

  /** The text of a Postgres array. The last element has a comma behind. */
  finish(): LargeText {
    const isEmpty = this.#blocks.length === 0 && this.#length === 1;
    this.#block[isEmpty ? 1 : this.#length - 1] = CLOSE;
    if (isEmpty) this.#length = 2;
    return LargeText.ofPlain([...this.#blocks, this.#written()]);
  }

  #writeNull(): number {
    this.#block.set(NULL, this.#length);
    return this.#length + NULL.length;
  }

  #startBlock(): void {
    this.#blocks.push(this.#written());
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#length = 0;
  }

  #written(): Uint8Array {
    return this.#block.subarray(0, this.#length);
  }
}

/** How many digits a whole number has. */
export function digitsIn(number: number): number {
  let digits = 1;
  for (let power = 10; number >= power; power *= 10) digits += 1;
  return digits;
}

/** @returns the index behind the last digit */
function writeDigits(bytes: Uint8Array, from: number, number: number): number {
  const end = from + digitsIn(number);
  let rest = number >>> 0;
  for (let at = end - 1; at >= from; at--) {
    const tenth = (rest / 10) >>> 0;
    bytes[at] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}

/** The text of a Postgres array of whole numbers under 2³². */
export function numberArray(numbers: readonly (number | null)[]): LargeText {
  const writer = new DigitsWriter(numbers.length);
  for (const number of numbers) writer.write(number, COMMA);
  return writer.finish();
}

/**
 * The text of a Postgres array whose elements are lists of whole numbers under 2³², separated by `|`. An element
 * without numbers is null.
 * @param starts where the numbers of each element start in `numbers`
 * @param ends where the numbers end
 */
export function numberListArray(
  numbers: readonly number[],
  starts: readonly number[],
  ends: readonly number[],
): LargeText {
  const writer = new DigitsWriter(starts.length + numbers.length);
  for (let element = 0; element < starts.length; element++) {
    const [start = 0, end = 0] = [starts[element], ends[element]];
    if (start === end) writer.write(null, COMMA);
    for (let at = start; at < end; at++) {
      writer.write(numbers[at] ?? 0, at + 1 < end ? BAR : COMMA);
    }
  }
  return writer.finish();
}
