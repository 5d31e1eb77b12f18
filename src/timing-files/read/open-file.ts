import { FileError } from './file-error.ts';
import type { Parameters } from './parameters.ts';
import { readWorkbook } from './workbook.ts';

const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/**
 * The bytes of a file as text: those of a CSV as they are, and the sheet of a workbook (.xlsx) as UTF-8.
 * @param grow gets the number of bytes of text that a workbook takes, before they are kept. It may throw
 * @throws FileError
 */
export async function* openFile(
  file: AsyncIterable<Uint8Array>,
  { sheet, encoding }: Pick<Parameters, 'sheet' | 'encoding'>,
  grow: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const arrived: Uint8Array[] = [];
  let isOpen = true;
  let isArchive = false;
  let length = 0;
  for await (const bytes of file) {
    if (!isOpen && !isArchive) {
      yield bytes;
      continue;
    }
    arrived.push(bytes);
    length += bytes.length;
    if (!isOpen || length < ARCHIVE.length) continue;
    isOpen = false;
    const start = joined(arrived, length);
    isArchive = ARCHIVE.every((byte, at) => start[at] === byte);
    if (!isArchive) yield* arrived.splice(0);
  }
  if (!isArchive) {
    yield* arrived;
    return;
  }
  if (encoding !== undefined) {
    throw new FileError('encoding is not for a workbook, which says its encoding itself.');
  }
  const workbook = joined(arrived.splice(0), length);
  const encoder = new TextEncoder();
  for await (const text of inPieces(readWorkbook(workbook, sheet))) {
    const bytes = encoder.encode(text);
    grow(bytes.length);
    yield bytes;
  }
}

const PIECE_LENGTH = 65_536;

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
