const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Called with the offset of each bracket in the current bytes. */
type Found = {
  open(at: number, isArray: boolean): void;
  close(at: number, isArray: boolean): void;
  comma?(): void;
  /** Called with the offset of each member's name in uncut bytes. */
  name?(from: number, to: number): void;
};

/**
 * Finds brackets, commas and names in a JSON text in any pieces, and skips strings.
 * @returns a finder in a part of the current bytes, which returns where the next part begins: no string is cut
 */
export function createBracketFinder({ open, close, comma, name }: Found) {
  let isInString = false;
  let isEscaped = false;
  /** The offset of the latest string. */
  let from = 0;
  let to = 0;

  /** @returns the index after the closing quote, or the length if the string continues in the next piece */
  function endOfString(bytes: Uint8Array, start: number): number {
    // A backslash at the end of a piece escapes the first byte of the next piece.
    let at = isEscaped && start < bytes.length ? start + 1 : start;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (start < bytes.length) isEscaped = at > bytes.length;
    isInString = at >= bytes.length;
    from = start;
    to = Math.min(at, bytes.length);
    return isInString ? to : to + 1;
  }

  return (bytes: Uint8Array, start = 0, end = bytes.length): number => {
    let at = isInString ? endOfString(bytes, start) : start;
    for (; at < end; at++) {
      switch (bytes[at]) {
        case QUOTE:
          isInString = true;
          at = endOfString(bytes, at + 1) - 1;
          break;
        case COMMA:
          comma?.();
          break;
        case COLON:
          name?.(from, to);
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
    return at;
  };
}
