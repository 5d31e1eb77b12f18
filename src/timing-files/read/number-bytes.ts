import { SAFE_DIGITS } from './number-formats.ts';
import type { Utf8 } from './xml.ts';

const [PLUS, HYPHEN, POINT, ZERO, COLON] = [0x2b, 0x2d, 0x2e, 0x30, 0x3a];
const [LARGE_E, SMALL_E] = [0x45, 0x65];

const isDigit = (byte: number): boolean => byte >= ZERO && byte < COLON;

/** The whole number of digits between two places; NaN if a byte is no digit. */
export function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = from < to ? 0 : Number.NaN;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (!isDigit(byte)) return Number.NaN;
    value = value * 10 + byte - ZERO;
  }
  return value;
}

/**
 * Whether a number is written as JavaScript writes the number, such as `12` and `0.5`. Most are, and need no
 * conversion.
 */
export function isCanonical({ bytes, length }: Utf8): boolean {
  if (length === 0 || length > SAFE_DIGITS) return false;
  let point = length;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isDigit(byte)) continue;
    if (byte !== POINT || point < length) return false;
    point = at;
  }
  if (point === 0 || (bytes[0] === ZERO && point > 1)) return false;
  if (point === length) return true;
  // Without a zero at the end. A number below 0.1 may need an exponent.
  return bytes[length - 1] !== ZERO && point < length - 1 && bytes[0] !== ZERO;
}

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** The first 15 digits of a number that is not negative; NaN for a different text, and for a very small number. */
export function decimalOf({ bytes, length }: Utf8): number {
  let [mantissa, digits, exponent] = [0, 0, 0];
  let point = length;
  let end = 0;
  for (; end < length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte === POINT && point === length) point = end;
    else if (!isDigit(byte)) break;
    else if (digits < SAFE_DIGITS) {
      mantissa = mantissa * 10 + byte - ZERO;
      if (mantissa > 0) digits += 1;
      if (point < end) exponent -= 1;
    } else if (point > end) exponent += 1;
  }
  if (end === 0 || point === 0) return Number.NaN;
  return scaled(mantissa, exponent + exponentAt(bytes, end, length));
}

function scaled(mantissa: number, exponent: number): number {
  const power = POWERS_OF_TEN[Math.abs(exponent)] ?? Number.NaN;
  return exponent < 0 ? mantissa / power : mantissa * power;
}

/** The exponent of `E-2`, or 0 at the end; NaN for a different text. */
function exponentAt(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0;
  if (bytes[from] !== LARGE_E && bytes[from] !== SMALL_E) return Number.NaN;
  const sign = bytes[from + 1];
  const value = wholeNumber(bytes, sign === PLUS || sign === HYPHEN ? from + 2 : from + 1, to);
  return sign === HYPHEN ? -value : value;
}

/** `1:28:03`, or with milliseconds if not zero. */
export function writeClock(target: Utf8, timeMs: number): void {
  const { bytes } = target;
  const seconds = Math.floor(timeMs / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  let end = writeDigits(bytes, 0, hours, hours < 10 ? 1 : String(hours).length);
  bytes[end] = COLON;
  end = writeDigits(bytes, end + 1, minutes % 60, 2);
  bytes[end] = COLON;
  end = writeDigits(bytes, end + 1, seconds % 60, 2);
  const ms = timeMs % 1_000;
  if (ms > 0) {
    bytes[end] = POINT;
    end = writeDigits(bytes, end + 1, ms, 3);
  }
  target.length = end;
}

/** @returns the place behind the digits */
function writeDigits(bytes: Uint8Array, start: number, value: number, digits: number): number {
  let left = value;
  for (let at = start + digits - 1; at >= start; at -= 1) {
    bytes[at] = ZERO + (left % 10);
    left = Math.floor(left / 10);
  }
  return start + digits;
}
