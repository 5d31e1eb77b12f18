const BLOCK_LENGTH = 65_536;

/**
 * Keeps bytes in blocks of one size, so that they can be read again in the same blocks. The pieces in which they
 * arrive are not kept, because they can be views of much more memory.
 */
export function createKeptBytes() {
  const blocks: Uint8Array[] = [];
  let open = new Uint8Array(BLOCK_LENGTH);
  let length = 0;
  return {
    /** Copies bytes. @returns each block as soon as it is full */
    *push(bytes: Uint8Array): Generator<Uint8Array> {
      for (let from = 0; from < bytes.length; ) {
        const piece = bytes.subarray(from, from + BLOCK_LENGTH - length);
        open.set(piece, length);
        from += piece.length;
        length += piece.length;
        if (length < BLOCK_LENGTH) continue;
        blocks.push(open);
        yield open;
        open = new Uint8Array(BLOCK_LENGTH);
        length = 0;
      }
    },

    /** @returns the last block, which may be empty */
    end(): Uint8Array {
      const last = open.subarray(0, length);
      blocks.push(last);
      return last;
    },

    /** All blocks so far. They can be iterated any number of times. */
    read: (): Iterable<Uint8Array> => blocks,
  };
}
