const BLOCK_LENGTH = 65_536;

/**
 * Bytes that are read again later, in few blocks: the pieces in which they arrive can be views of
 * much more memory than they show.
 */
export function createKeptBytes() {
  const blocks: Uint8Array[] = [];
  let length = 0;
  return {
    push(bytes: Uint8Array): void {
      for (let from = 0; from < bytes.length; ) {
        const at = length % BLOCK_LENGTH;
        if (at === 0) blocks.push(new Uint8Array(BLOCK_LENGTH));
        const piece = bytes.subarray(from, from + BLOCK_LENGTH - at);
        blocks.at(-1)?.set(piece, at);
        from += piece.length;
        length += piece.length;
      }
    },

    /** All of them, from the first on. */
    *read(): Generator<Uint8Array> {
      for (const [index, block] of blocks.entries()) {
        yield block.subarray(0, length - index * BLOCK_LENGTH);
      }
    },
  };
}

export type KeptBytes = ReturnType<typeof createKeptBytes>;
