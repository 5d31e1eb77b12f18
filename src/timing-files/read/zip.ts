import { Inflate } from 'fflate';
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

/** The part of Node's zlib that unpacks. */
type Zlib = {
  createInflateRaw(options: { chunkSize: number }): AsyncIterable<Uint8Array> & {
    end(bytes: Uint8Array): void;
  };
  crc32(piece: Uint8Array, before: number): number;
};

/** Workerd has Node's zlib too, which takes a quarter of the time. A browser has no zlib. */
const zlib =
  (
    globalThis as { process?: { getBuiltinModule?(name: string): Zlib | undefined } }
  ).process?.getBuiltinModule?.('node:zlib') ?? null;

/**
 * The content of a file, piece by piece. The content ends at the archive's size, whatever the bytes hold. The reader of
 * a `DecompressionStream` takes three times as long as zlib.
 * @throws FileError for a broken content, or a wrong size or checksum
 */
export async function* unpack(
  { isDeflated, bytes, ...entry }: ZipEntry,
  by = zlib,
): AsyncGenerator<Uint8Array> {
  let [length, checksum] = [0, 0];
  const inflated = by ? inflatedBy(by, bytes) : inflatedHere(bytes);
  const sum = by?.crc32 ?? crc32;
  for await (const piece of isDeflated ? inflated : inPieces(bytes)) {
    length += piece.length;
    if (length > entry.size) throw brokenWorkbook();
    checksum = sum(piece, checksum);
    yield piece;
  }
  if (length !== entry.size || checksum !== entry.checksum) throw brokenWorkbook();
}

/** Bytes of a piece for the reader. A piece takes memory several times, and concurrent requests wait for its end. */
const UNPACKED_LENGTH = 65_536;

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += UNPACKED_LENGTH)
    yield bytes.subarray(at, at + UNPACKED_LENGTH);
}

/** The stream unpacks a piece when the reader has taken the piece before. */
async function* inflatedBy(
  { createInflateRaw }: Zlib,
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw({ chunkSize: UNPACKED_LENGTH });
  stream.end(bytes);
  try {
    yield* stream;
  } catch {
    throw brokenWorkbook();
  }
}

/** Packed bytes for a step: more if they unpack to little, fewer if they unpack to a thousand times their length. */
const [FIRST_STEP, STEP_MIN, STEP_MAX] = [512, 64, 4_096];

function* inflatedHere(bytes: Uint8Array): Generator<Uint8Array> {
  let unpacked: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    unpacked.push(piece);
    length += piece.length;
  });
  let step = FIRST_STEP;
  let at = 0;
  do {
    const piece = bytes.subarray(at, at + step);
    at += step;
    length = 0;
    try {
      inflate.push(piece, at >= bytes.length);
    } catch {
      throw brokenWorkbook();
    }
    yield* unpacked;
    unpacked = [];
    if (length > UNPACKED_LENGTH) step = Math.max(step / 2, STEP_MIN);
    else if (2 * length < UNPACKED_LENGTH) step = Math.min(2 * step, STEP_MAX);
  } while (at < bytes.length);
}

/** The bytes that a step of the checksum takes. */
const STRIDE = 4;
/**
 * The checksum of each byte, and of each byte before one, two and three zeros. Signed, because the engine computes
 * faster with signed numbers.
 */
const CHECKSUMS = new Int32Array(STRIDE * 256);
for (let byte = 0; byte < 256; byte += 1) {
  let checksum = byte;
  for (let bit = 0; bit < 8; bit++)
    checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xed_b8_83_20 : 0);
  CHECKSUMS[byte] = checksum;
}
for (let at = 256; at < CHECKSUMS.length; at += 1) {
  const before = CHECKSUMS[at - 256] ?? 0;
  CHECKSUMS[at] = (before >>> 8) ^ (CHECKSUMS[before & 0xff] ?? 0);
}

/** Goes on with a CRC-32. */
function crc32(piece: Uint8Array, before: number): number {
  let checksum = ~before;
  let at = 0;
  for (; at + STRIDE <= piece.length; at += STRIDE) {
    const next =
      checksum ^
      ((piece[at] ?? 0) |
        ((piece[at + 1] ?? 0) << 8) |
        ((piece[at + 2] ?? 0) << 16) |
        ((piece[at + 3] ?? 0) << 24));
    checksum =
      (CHECKSUMS[768 + (next & 0xff)] ?? 0) ^
      (CHECKSUMS[512 + ((next >>> 8) & 0xff)] ?? 0) ^
      (CHECKSUMS[256 + ((next >>> 16) & 0xff)] ?? 0) ^
      (CHECKSUMS[next >>> 24] ?? 0);
  }
  for (; at < piece.length; at += 1)
    checksum = (checksum >>> 8) ^ (CHECKSUMS[(checksum ^ (piece[at] ?? 0)) & 0xff] ?? 0);
  return ~checksum >>> 0;
}
