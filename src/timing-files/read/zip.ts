import { FileError } from './file-error.ts';

/** A file inside an archive. */
export type ZipEntry = {
  isDeflated: boolean;
  /** The bytes in the archive. */
  bytes: Uint8Array;
  /** The number of unpacked bytes. `unpack` yields exactly so many. */
  size: number;
  /** CRC-32 of the unpacked bytes. */
  checksum: number;
};

const END_LENGTH = 22;
/** The end of an archive may have a comment. */
const COMMENT_MAX = 65_535;
const ENTRIES_MAX = 5_000;
const [END_MARK, ENTRY_MARK] = [0x06_05_4b_50, 0x02_01_4b_50];
const [ENTRY_LENGTH, LOCAL_LENGTH] = [46, 30];
const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8];

export const brokenWorkbook = () => FileError.of('workbook_broken');

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
      throw FileError.of('encrypted');
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
        size: view.getUint32(at + 24, true),
        checksum: view.getUint32(at + 16, true),
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

/**
 * The content of a file, piece by piece. The content ends at the archive's size, whatever the bytes hold.
 * @throws FileError for a broken content, or a wrong size or checksum
 */
export async function* unpack(entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const packed = gzipOf(entry);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = packed.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  let length = 0;
  try {
    for await (const piece of stream.pipeThrough(new DecompressionStream('gzip'))) {
      length += piece.length;
      if (length > entry.size) break;
      yield piece;
    }
  } catch {
    throw brokenWorkbook();
  }
  if (length !== entry.size) throw brokenWorkbook();
}

/**
 * The pieces grow, because a piece may unpack to a thousand times its length before any check, and because only the
 * first rows of most sheets are read.
 */
const [FIRST_PIECE_LENGTH, PIECE_LENGTH_MAX] = [512, 8_192];
const GZIP_HEADER = [0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 0xff];

/** The file as gzip, so that the runtime compares the checksum. Stored bytes become uncompressed blocks. */
function* gzipOf(entry: ZipEntry): Generator<Uint8Array<ArrayBuffer>, undefined> {
  const { isDeflated, bytes, size, checksum } = entry;
  yield Uint8Array.from(GZIP_HEADER);
  let pieceLength = FIRST_PIECE_LENGTH;
  for (let at = 0; at < bytes.length; ) {
    const piece = new Uint8Array(bytes.subarray(at, at + pieceLength));
    at += piece.length;
    if (!isDeflated) yield blockHeader(piece.length, at === bytes.length);
    yield piece;
    pieceLength = Math.min(2 * pieceLength, PIECE_LENGTH_MAX);
  }
  if (bytes.length === 0 && !isDeflated) yield blockHeader(0, true);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, checksum, true);
  trailer.setUint32(4, size, true);
  yield new Uint8Array(trailer.buffer);
}

/** The header of an uncompressed block of deflate. */
function blockHeader(length: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(5));
  header.setUint8(0, isLast ? 1 : 0);
  header.setUint16(1, length, true);
  header.setUint16(3, ~length, true);
  return new Uint8Array(header.buffer);
}
