const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Called with the place of each bracket in the bytes that are being read. */
type Found = {
  open(at: number, isArray: boolean): void;
  close(at: number, isArray: boolean): void;
  comma?(): void;
  /** Called with a digest of each member's name. Different names seldom have the same. */
  name?(digest: number): void;
};

/** How many backslashes stand right before a place, of those from another place on. */
function backslashesBefore(bytes: Uint8Array, from: number, at: number): number {
  let first = at;
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
  return at - first;
}

/** Finds brackets, commas and names in a JSON text that may be cut anywhere, and leaves out those in strings. */
export function createBracketFinder({
  open,
  close,
  comma,
  name,
}: Found): (bytes: Uint8Array) => void {
  let isInString = false;
  let isEscaped = false;
  /** Of the latest string. */
  let digest = 0;

  /** @returns the index after the closing quote, or the length if the string continues in the next piece */
  function endOfString(bytes: Uint8Array, from: number): number {
    return name ? endOfName(bytes, from) : endOfText(bytes, from);
  }

  /** The engine's search is several times as fast as a loop over all bytes. */
  function endOfText(bytes: Uint8Array, from: number): number {
    // A backslash at the end of a piece escapes what the next one begins with.
    let start = isEscaped && from < bytes.length ? from + 1 : from;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, start);
      const end = quote === -1 ? bytes.length : quote;
      if (end > from) isEscaped = backslashesBefore(bytes, start, end) % 2 === 1;
      if (quote === -1) return end;
      start = quote + 1;
      if (!isEscaped) {
        isInString = false;
        return start;
      }
      isEscaped = false;
    }
  }

  /** The same, with the digest of the string. */
  function endOfName(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      digest = (Math.imul(digest, 31) + (bytes[at] ?? 0)) | 0;
      if (isEscaped) {
        isEscaped = false;
      } else if (bytes[at] === BACKSLASH) {
        isEscaped = true;
      } else if (bytes[at] === QUOTE) {
        isInString = false;
        return at + 1;
      }
    }
    return bytes.length;
  }

  return (bytes) => {
    for (let at = isInString ? endOfString(bytes, 0) : 0; at < bytes.length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          isInString = true;
          digest = 0;
          at = endOfString(bytes, at + 1) - 1;
          break;
        case COMMA:
          comma?.();
          break;
        case COLON:
          name?.(digest);
          break;
        case OPEN_ARRAY:
          open(at, true);
          break;
        case OPEN_OBJECT:
          open(at, false);
          break;
        case CLOSE_ARRAY:
          close(at, true);
          break;
        case CLOSE_OBJECT:
          close(at, false);
          break;
      }
    }
  };
}
