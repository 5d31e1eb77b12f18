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

/** The digest of bytes that follow those of another digest. */
function digestOf(bytes: Uint8Array, from: number, to: number, before: number): number {
  let digest = before;
  for (let at = from; at < to; at++) digest = (Math.imul(digest, 31) + (bytes[at] ?? 0)) | 0;
  return digest;
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
    // A backslash at the end of a piece escapes what the next one begins with.
    let at = isEscaped && from < bytes.length ? from + 1 : from;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (from < bytes.length) isEscaped = at > bytes.length;
    isInString = at >= bytes.length;
    const end = Math.min(at, bytes.length);
    if (name) digest = digestOf(bytes, from, end, digest);
    return isInString ? end : end + 1;
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
