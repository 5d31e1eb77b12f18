import { invalid, tooLarge, unavailable } from '../errors.ts';
import { type ByteBudget, createByteBudget, type Reservation } from './byte-budget.ts';

const MIB = 1_024 * 1_024;

/** The platform refuses larger bodies. */
const DRAINED_MAX = 100 * MIB;

/** Bytes of one piece of a body. Small pieces cost more processor time. */
const PIECE_BYTES = 64 * 1_024;

/** For a body that is thrown away: all of its pieces share one buffer. */
const DRAINED: Pieces = { bytes: 4 * PIECE_BYTES, isBufferReused: true };
const KEPT: Pieces = { bytes: PIECE_BYTES, isBufferReused: false };

type Pieces = { bytes: number; isBufferReused: boolean };

/** Bytes of a body that are read before its key is checked. */
const AHEAD_MAX = MIB / 2;

const BUSY_RETRY_AFTER_SECONDS = 5;

/** How slowly a body may arrive. Only the time spent waiting for the client counts. */
export type Pace = { graceMs: number; bytesPerSecond: number };

/** A quarter of a megabit per second. A poor mobile network at a finish line is faster. */
export const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * 1_024 };

/** Limits that all requests of one isolate share. */
export type BodyLimits = {
  /** For bodies whose key is not checked yet. If it is used up, a body stays unread until the check. */
  unjudged: ByteBudget;
  /** For uploads with a checked key. If it is used up, an upload gets 503. */
  accepted: ByteBudget;
  pace: Pace;
};

export const createBodyLimits = (): BodyLimits => ({
  unjudged: createByteBudget({ totalBytes: 4 * MIB }),
  accepted: createByteBudget({
    totalBytes: 24 * MIB,
    keptForSmallBytes: 4 * MIB,
    smallBytes: 2 * MIB,
  }),
  pace: PACE,
});

/** The body of an upload. Its start is read while the key is checked, the rest after the check. */
export type UploadBody = {
  /**
   * Reserves memory for the whole body. Call it after the key is checked.
   * @throws ApiError VALIDATION_ERROR (413) if the Content-Length is too large, SERVICE_UNAVAILABLE if
   *   other uploads hold the memory
   */
  accept(): void;
  /**
   * All bytes of the body.
   * @throws ApiError VALIDATION_ERROR if the body is too large (413), breaks off or comes too slowly
   */
  pieces(): AsyncGenerator<Uint8Array>;
  /** Keeps the reservation while the rows are in use. */
  renew(): void;
  /** Ends the reservation. */
  release(): void;
  /** Unlocks the body, so that drainBody can read the rest. */
  close(): Promise<void>;
};

export type UploadSize = {
  maxBytes: number;
  /** Bytes of memory that each byte of the body needs. */
  roomPerByte: number;
};

export function openUpload(
  request: Request,
  { maxBytes, roomPerByte }: UploadSize,
  limits: BodyLimits,
): UploadBody {
  const declared = declaredLength(request);
  const reader = createReader(request, limits.pace);
  const ahead: Uint8Array[] = [];
  let aheadBytes = 0;
  let hasEnded = false;
  let isKeyChecked = false;
  let reservation: Reservation | undefined;
  // Nothing else of a request is sure to run once its client has gone.
  request.signal.addEventListener('abort', () => reservation?.release());
  const reading = readAhead();
  // pieces() throws this error.
  reading.catch(() => {});

  async function readAhead(): Promise<void> {
    const allowed = Math.min(declared ?? AHEAD_MAX, AHEAD_MAX);
    reservation = (declared ?? 0) > maxBytes ? undefined : limits.unjudged.reserve(allowed);
    if (!reservation) return;
    while (!isKeyChecked && !hasEnded && aheadBytes <= allowed) {
      const piece = await reader.next();
      if (!piece) {
        hasEnded = true;
        return;
      }
      // The piece may be a view of a much larger buffer.
      ahead.push(piece.slice());
      aheadBytes += piece.length;
    }
  }

  return {
    accept() {
      isKeyChecked = true;
      if ((declared ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
      const bytes = hasEnded ? aheadBytes : (declared ?? maxBytes);
      const accepted = limits.accepted.reserve(bytes * roomPerByte);
      if (!accepted) throw busyWithUploads();
      reservation?.release();
      reservation = accepted;
    },

    async *pieces() {
      await reading;
      let received = 0;
      for (;;) {
        const piece = ahead.shift() ?? (hasEnded ? undefined : await reader.next());
        if (!piece) return;
        received += piece.length;
        if (received > maxBytes) throw bodyTooLarge(maxBytes);
        reservation?.renew();
        yield piece;
      }
    },

    renew: () => reservation?.renew(),
    release: () => reservation?.release(),

    async close() {
      isKeyChecked = true;
      ahead.length = 0;
      await reading.catch(() => {});
      reader.close();
    },
  };
}

/**
 * The bytes of a body as they arrive.
 * @throws ApiError VALIDATION_ERROR if the body is larger than `maxBytes` (413), breaks off or comes too
 *   slowly (400)
 */
export async function* readBody(
  request: Request,
  maxBytes: number,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  if ((declaredLength(request) ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const reader = createReader(request, pace);
  try {
    let received = 0;
    for (let piece = await reader.next(); piece; piece = await reader.next()) {
      received += piece.length;
      if (received > maxBytes) throw bodyTooLarge(maxBytes);
      yield piece;
    }
  } finally {
    reader.close();
  }
}

/** Reads and drops the rest of a body. Without it, a client that still sends sees a broken connection. */
export async function drain(request: Request, pace: Pace): Promise<void> {
  const reader = createReader(request, pace, DRAINED);
  try {
    let left = DRAINED_MAX;
    for (let piece = await reader.next(); piece; piece = await reader.next()) {
      left -= piece.length;
      if (left <= 0) return await reader.cancel();
    }
  } catch {
    // The client disconnected or is too slow.
  }
}

function createReader(request: Request, pace: Pace, { bytes, isBufferReused } = KEPT) {
  const declared = declaredLength(request);
  // A small body needs a small buffer.
  const pieceBytes = Math.max(1, Math.min(bytes, declared ?? bytes));
  const reader = request.body && openReader(request.body, { bytes: pieceBytes, isBufferReused });
  let received = 0;
  let waitedMs = 0;

  return {
    /** @throws ApiError VALIDATION_ERROR */
    async next(): Promise<Uint8Array | undefined> {
      // The length of the body is the declared one: its end needs no read of its own.
      if (!reader || received === declared) return undefined;
      const leftMs = pace.graceMs + (1_000 * received) / pace.bytesPerSecond - waitedMs;
      let isTooSlow = false;
      const timer = setTimeout(() => {
        isTooSlow = true;
        // This ends the read below.
        reader.cancel().catch(() => {});
      }, leftMs);
      const askedAt = Date.now();
      try {
        const { done, value } = await reader.read();
        if (isTooSlow) throw tooSlow(pace);
        waitedMs += Date.now() - askedAt;
        if (done) return undefined;
        received += value.length;
        return value;
      } catch (error) {
        if (isTooSlow) throw tooSlow(pace);
        throw invalid(`The body broke off (${error instanceof Error ? error.name : 'unknown'}).`);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: () => reader?.cancel(),
    close: () => reader?.releaseLock(),
  };
}

/** Reads large pieces if the runtime's stream supports it. */
function openReader(body: ReadableStream<Uint8Array>, pieces: Pieces) {
  const bytes = byteReader(body);
  if (!bytes) {
    const reader = body.getReader();
    return {
      read: () => reader.read(),
      cancel: () => reader.cancel(),
      releaseLock: () => reader.releaseLock(),
    };
  }
  let buffer: ArrayBufferLike | undefined;
  return {
    async read() {
      const into = new Uint8Array(buffer ?? new ArrayBuffer(pieces.bytes));
      const result = await bytes.readAtLeast(pieces.bytes, into);
      if (pieces.isBufferReused) buffer = result.value?.buffer;
      return result;
    },
    cancel: () => bytes.cancel(),
    releaseLock: () => bytes.releaseLock(),
  };
}

/** @returns undefined for a stream written in JavaScript, as in tests */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/**
 * @returns the Content-Type header
 * @throws ApiError VALIDATION_ERROR for another media type or a compressed body
 */
export function requireContentType(request: Request, ...expected: string[]): string {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') {
    throw compressedBody(encoding);
  }
  const contentType = request.headers.get('Content-Type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && expected.includes(type)) return contentType;
  throw wrongContentType(type, ...expected);
}

function declaredLength(request: Request): number | undefined {
  const sent = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(sent) ? Number(sent) : undefined;
}

export const busyWithUploads = () =>
  unavailable('Other uploads are being read. Try again.', BUSY_RETRY_AFTER_SECONDS);

export const compressedBody = (encoding: string) =>
  invalid(`The Content-Encoding is ${JSON.stringify(encoding)}; send the body uncompressed.`);

export const wrongContentType = (type: string | undefined, ...expected: string[]) =>
  invalid(`The Content-Type is ${JSON.stringify(type)}; ${expected.join(' or ')} is expected.`);

export function bodyTooLarge(maxBytes: number) {
  const kib = maxBytes / 1_024;
  const limit = kib < 1_024 ? `${kib} KiB` : `${kib / 1_024} MiB; send it in parts`;
  return tooLarge(`The body is larger than ${limit}.`);
}

const tooSlow = ({ graceMs, bytesPerSecond }: Pace) =>
  invalid(
    `The body comes too slowly: after the first ${graceMs / 1_000} seconds, at least ` +
      `${bytesPerSecond / 1_024} KiB a second are expected. Send it in parts.`,
  );
