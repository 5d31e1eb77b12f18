import { FileError } from './file-error.ts';
import type { Parameters } from './parameters.ts';
import { readWorkbook } from './workbook.ts';

const BLOCK_LENGTH = 65_536;
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/**
 * The text of a file in blocks of one size. The last block may be shorter. A CSV stays as it is. A workbook (.xlsx)
 * becomes the text of its sheet, in UTF-8.
 * @param grow gets the number of bytes of text that a workbook takes, before they are kept. It may throw
 * @throws FileError
 */
export async function openFile(
  file: AsyncIterable<Uint8Array>,
  { sheet, encoding }: Pick<Parameters, 'sheet' | 'encoding'>,
  grow: (bytes: number) => void = () => {},
): Promise<Uint8Array[]> {
  const blocks = await inBlocks(file);
  if (!ARCHIVE.every((byte, at) => blocks[0]?.[at] === byte)) return blocks;
  if (encoding !== undefined) {
    throw new FileError('encoding is not for a workbook, which says its encoding itself.');
  }
  // The blocks are emptied, so that the workbook is not kept twice.
  const workbook = joined(blocks.splice(0));
  return inBlocks(encoded(readWorkbook(workbook, sheet), grow));
}

/** Pieces that arrive can be views of much more memory, so they are copied and not kept. */
async function inBlocks(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
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

function joined(blocks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(blocks.reduce((length, block) => length + block.length, 0));
  for (const [at, block] of blocks.entries()) whole.set(block, at * BLOCK_LENGTH);
  return whole;
}

async function* encoded(
  texts: AsyncIterable<string>,
  grow: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) {
    const bytes = encoder.encode(text);
    grow(bytes.length);
    yield bytes;
  }
}
