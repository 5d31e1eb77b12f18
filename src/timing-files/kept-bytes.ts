const BLOCK_LENGTH = 65_536;

/**
 * Bytes in blocks of one size, kept to be read again in the very same blocks. The pieces in which
 * they arrive are not kept: they can be views of much more memory than they show.
 */
export function createKeptBytes() {
  const blocks: Uint8Array[] = [];
  let open = new Uint8Array(BLOCK_LENGTH);
  let length = 0;
  return {
    /** @returns each block at the moment at which it is full */
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

    /** @returns what is left: the last block, which may be empty */
    end(): Uint8Array {
      const last = open.subarray(0, length);
      blocks.push(last);
      return last;
    },

    /** The blocks given so far, from the first on. They can be iterated any number of times. */
    read: (): Iterable<Uint8Array> => blocks,
  };
}

export type KeptBytes = ReturnType<typeof createKeptBytes>;
