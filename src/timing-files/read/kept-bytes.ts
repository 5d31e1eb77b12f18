const BLOCK_LENGTH = 65_536;

/**
 * Keeps the bytes of a file in blocks of one size, the last one aside. The pieces in which they arrive are not kept,
 * because they can be views of much more memory.
 */
export async function keepBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  let open = new Uint8Array(BLOCK_LENGTH);
  let length = 0;
  for await (const bytes of pieces) {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + BLOCK_LENGTH - length);
      open.set(piece, length);
      from += piece.length;
      length += piece.length;
      if (length < BLOCK_LENGTH) continue;
      blocks.push(open);
      open = new Uint8Array(BLOCK_LENGTH);
      length = 0;
    }
  }
  return length === 0 ? blocks : [...blocks, open.subarray(0, length)];
}
