import { FileError } from './file-error.ts';
import type { Parameters } from './parameters.ts';
import { readWorkbook, type WorkbookWatch } from './workbook.ts';

const BLOCK_LENGTH = 65_536;
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/**
 * The text of a file in blocks of equal size, during the arrival of the bytes. The last block may be shorter. A CSV
 * stays unchanged. A workbook (.xlsx) becomes the text of its sheet, in UTF-8, after the last byte.
 * @throws FileError
 */
export async function* openArriving(
  file: AsyncIterable<Uint8Array>,
  { sheet, encoding }: Pick<Parameters, 'sheet' | 'encoding'>,
  watch: WorkbookWatch = {},
): AsyncGenerator<Uint8Array> {
  const arriving = inBlocks(file);
  const { value: first } = await arriving.next();
  if (!first) return;
  if (!ARCHIVE.every((byte, at) => first[at] === byte)) {
    yield first;
    yield* arriving;
    return;
  }
  if (encoding !== undefined) {
    throw FileError.of('workbook_encoding');
  }
  const blocks = [first, ...(await all(arriving))];
  // The blocks are emptied, so that the memory holds the workbook once.
  const workbook = joined(blocks.splice(0));
  yield* inBlocks(encoded(readWorkbook(workbook, sheet, watch)));
}

/** All blocks of a file, in the form of `openArriving`. */
export const openFile = (
  file: AsyncIterable<Uint8Array>,
  parameters: Pick<Parameters, 'sheet' | 'encoding'>,
  watch?: WorkbookWatch,
): Promise<Uint8Array[]> => all(openArriving(file, parameters, watch));

async function all(arriving: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  for await (const block of arriving) blocks.push(block);
  return blocks;
}

/** Received pieces can be views of much more memory, so they are copied and not kept. */
async function* inBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let open = new Uint8Array(BLOCK_LENGTH);
  let length = 0;
  for await (const bytes of pieces) {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + BLOCK_LENGTH - length);
      open.set(piece, length);
      from += piece.length;
      length += piece.length;
      if (length < BLOCK_LENGTH) continue;
      yield open;
      open = new Uint8Array(BLOCK_LENGTH);
      length = 0;
    }
  }
  if (length > 0) yield open.subarray(0, length);
}

function joined(blocks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(blocks.reduce((length, block) => length + block.length, 0));
  for (const [at, block] of blocks.entries()) whole.set(block, at * BLOCK_LENGTH);
  return whole;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
