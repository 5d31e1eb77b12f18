import { FileError } from './file-error.ts';

/** A file inside an archive. */
export type ZipEntry = {
  isDeflated: boolean;
  /** As they stand in the archive. */
  bytes: Uint8Array;
};

const END_LENGTH = 22;
/** The end of an archive may have a comment. */
const COMMENT_MAX = 65_535;
const ENTRIES_MAX = 5_000;
const [END_MARK, ENTRY_MARK] = [0x06_05_4b_50, 0x02_01_4b_50];
const [ENTRY_LENGTH, LOCAL_LENGTH] = [46, 30];
const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8];

export const brokenWorkbook = () =>
  new FileError(
    'The workbook is broken or cut off: open it, save it again as .xlsx, and send that.',
  );

/**
 * The files of an archive by name. Nothing is unpacked.
 * @throws FileError
 */
export function readZip(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readEntries(bytes, view);
  } catch (error) {
    // An offset outside of the archive.
    throw error instanceof RangeError ? brokenWorkbook() : error;
  }
}

function readEntries(bytes: Uint8Array, view: DataView): Map<string, ZipEntry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > ENTRIES_MAX) throw brokenWorkbook();
  const entries = new Map<string, ZipEntry>();
  let at = view.getUint32(end + 16, true);
  for (let left = count; left > 0; left -= 1) {
    if (view.getUint32(at, true) !== ENTRY_MARK) throw brokenWorkbook();
    const method = view.getUint16(at + 10, true);
    const nameLength = view.getUint16(at + 28, true);
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) {
      throw new FileError('The file is encrypted: save it without a password, and send that.');
    }
    const name = new TextDecoder().decode(
      bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength),
    );
    const local = view.getUint32(at + 42, true);
    const start =
      local + LOCAL_LENGTH + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (method === STORED || method === DEFLATED) {
      entries.set(name.replaceAll('\\', '/'), {
        isDeflated: method === DEFLATED,
        bytes: bytes.subarray(start, start + view.getUint32(at + 20, true)),
      });
    }
    at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX); at -= 1) {
    if (view.getUint32(at, true) === END_MARK) return at;
  }
  throw brokenWorkbook();
}

const PIECE_LENGTH = 65_536;

/**
 * The content of a file, piece by piece.
 * @throws FileError if it is broken
 */
export async function* unpack({ isDeflated, bytes }: ZipEntry): AsyncGenerator<Uint8Array> {
  const stored = piecesOf(bytes);
  if (!isDeflated) {
    yield* stored;
    return;
  }
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = stored.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  try {
    yield* packed.pipeThrough(new DecompressionStream('deflate-raw'));
  } catch {
    throw brokenWorkbook();
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH) {
    yield new Uint8Array(bytes.subarray(at, at + PIECE_LENGTH));
  }
}
