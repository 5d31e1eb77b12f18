import { ApiError, invalid, tooLarge, unavailable } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { createShares, type Shares } from './shares.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** A client that has sent little gets a small buffer. The next ones grow with what arrives. */
const FIRST_PIECE_BYTES = 4 * KIB;
/** Small pieces cost more processor time. */
const PIECE_BYTES_MAX = 64 * KIB;

/** Bodies up to this size have memory of their own, which no larger body takes. */
const SMALL_BODY_MAX = 256 * KIB;

/** A larger rest of a body is not drained. No operation accepts so much. */
const DRAINED_MAX = 32 * MIB;

/** Exports at once in an isolate. Each takes less than a MiB, and the database a second or two. */
const EXPORTS_MAX = 16;
export const EXPORTS_PER_ORGANIZATION = EXPORTS_MAX / 4;

const BUSY_RETRY_AFTER_SECONDS = 5;

/** How slowly a body may arrive. */
type Pace = { graceMs: number; bytesPerSecond: number };

/** A quarter of a megabit per second. A poor mobile network at a finish line is faster. */
export const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * KIB };

/** Where others need its memory, a slower body has no more grace than this: a piece at the pace takes as long. */
const CONTESTED_GRACE_MS = 2_000;

/** Limits that all requests of one isolate share. */
export type BodyLimits = {
  /** For bodies of up to 256 KiB. One that does not fit takes memory of the larger ones. */
  small: Shares;
  /** For all other bodies. */
  large: Shares;
  /** For bodies that are read and dropped. */
  drained: Shares;
  /** For exports, which hold one each. */
  exports: Shares;
  pace: Pace;
};

/** The largest upload takes half of the memory, which is the most that one sender may hold. */
export const createBodyLimits = (): BodyLimits => ({
  small: createShares({ total: 4 * MIB, each: MIB }),
  large: createShares({ total: 32 * MIB, each: 16 * MIB }),
  drained: createShares({ total: MIB, each: MIB / 2 }),
  exports: createShares({ total: EXPORTS_MAX, each: EXPORTS_PER_ORGANIZATION }),
  pace: PACE,
});

/** The body of a request. It holds memory for the bytes that have arrived. */
export type Body = {
  /**
   * All bytes of the body.
   * @throws ApiError VALIDATION_ERROR if the body is too large (413), breaks off or comes too slowly (400),
   *   SERVICE_UNAVAILABLE if other bodies hold the memory
   */
  pieces(): AsyncGenerator<Uint8Array>;
  /** Holds memory for bytes that are made of the body, too: as much as the largest body needs, and no more. */
  grow(bytes: number): void;
  /** Gives the memory back. Call it when the bytes and what was read from them are no longer needed. */
  release(): void;
};

export type BodySize = {
  maxBytes: number;
  /** Bytes of memory that each byte of the body needs. */
  roomPerByte: number;
};

/** @param owner the sender of the body. No owner holds more than its share of the memory. */
export function openBody(
  request: Request,
  { maxBytes, roomPerByte }: BodySize,
  { small, large, pace }: BodyLimits,
  owner: string,
): Body {
  const arrival = openArrival(request, pace);
  const release = () => {
    small.release(arrival);
    large.release(arrival);
  };
  // Nothing else of a request is sure to run once its client has gone.
  request.signal.addEventListener('abort', release);

  function hold(bytes: number, received: number): void {
    const room = bytes * roomPerByte;
    const isSmall = received <= SMALL_BODY_MAX && small.hold(arrival, owner, room);
    (isSmall ? large : small).release(arrival);
    if (!isSmall && !large.hold(arrival, owner, room)) throw busyWithUploads();
  }

  let received = 0;
  let grown = 0;
  return {
    async *pieces() {
      const declared = declaredLength(request) ?? 0;
      if (declared > maxBytes) throw bodyTooLarge(maxBytes);
      for await (const piece of arrival.pieces()) {
        received += piece.length;
        if (received > maxBytes) throw bodyTooLarge(maxBytes);
        hold(received, Math.max(received, declared));
        yield piece;
      }
    },
    grow(bytes) {
      grown += bytes;
      const total = Math.min(received + grown, maxBytes);
      hold(total, total);
    },
    release,
  };
}

/**
 * Reads and drops the rest of a body. Without it, a client that still sends sees a broken connection in
 * place of the answer. A body that is too large is cancelled, and so is one beside too many others.
 */
export async function drain(
  request: Request,
  { drained, pace }: BodyLimits,
  owner: string,
): Promise<void> {
  const arrival = openArrival(request, pace);
  const hasRoom = () => drained.hold(arrival, owner, PIECE_BYTES_MAX);
  if ((declaredLength(request) ?? 0) > DRAINED_MAX || !hasRoom()) {
    return request.body?.cancel();
  }
  request.signal.addEventListener('abort', () => drained.release(arrival));
  try {
    let received = 0;
    for await (const piece of arrival.pieces()) {
      received += piece.length;
      if (received > DRAINED_MAX || !hasRoom()) break;
    }
  } catch {
    // The client disconnected or is too slow.
  } finally {
    drained.release(arrival);
  }
}

/** Reads a body as it arrives. While it is slow, it gives way to other holders of the memory. */
function openArrival(request: Request, pace: Pace) {
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  // It is awaited only while the body is read.
  ended.catch(() => {});
  let isReading = false;
  let received = 0;
  let startedAtMs = 0;
  const behindMs = () => Date.now() - startedAtMs - (1_000 * received) / pace.bytesPerSecond;

  return {
    isSlow: () => isReading && behindMs() > CONTESTED_GRACE_MS,
    giveWay: () => end(busyWithUploads()),

    /** @throws ApiError VALIDATION_ERROR if the body breaks off or comes too slowly, SERVICE_UNAVAILABLE if it gave way */
    async *pieces(): AsyncGenerator<Uint8Array> {
      if (!request.body) return;
      const declared = declaredLength(request) ?? Number.POSITIVE_INFINITY;
      const reader = openReader(request.body);
      let pieceBytes = FIRST_PIECE_BYTES;
      startedAtMs = Date.now();
      isReading = true;
      try {
        // The length of the body is the declared one: its end needs no read of its own.
        while (received < declared) {
          const read = reader.read(Math.min(pieceBytes, declared - received));
          const leftMs = pace.graceMs - behindMs();
          const { done, value } = await inTime(Promise.race([read, ended]), leftMs, () =>
            tooSlow(pace),
          );
          if (done) return;
          received += value.length;
          pieceBytes = Math.min(2 * pieceBytes, PIECE_BYTES_MAX);
          yield value;
        }
      } catch (error) {
        // It ends a read that still waits.
        reader.cancel().catch(() => {});
        if (error instanceof ApiError) throw error;
        throw invalid(
          'body_broke_off',
          `The body broke off (${error instanceof Error ? error.name : 'unknown'}).`,
        );
      } finally {
        isReading = false;
        reader.releaseLock();
      }
    },
  };
}

/** Reads whole buffers if the runtime's stream supports it. A stream written in JavaScript does not. */
function openReader(body: ReadableStream<Uint8Array>) {
  try {
    const reader = body.getReader({ mode: 'byob' });
    return {
      read: (bytes: number) => reader.readAtLeast(bytes, new Uint8Array(bytes)),
      cancel: () => reader.cancel(),
      releaseLock: () => reader.releaseLock(),
    };
  } catch {
    const reader = body.getReader();
    return {
      read: () => reader.read(),
      cancel: () => reader.cancel(),
      releaseLock: () => reader.releaseLock(),
    };
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
  invalid(
    'content_encoding',
    `The Content-Encoding is ${JSON.stringify(encoding)}; send the body uncompressed.`,
  );

export const wrongContentType = (type: string | undefined, ...expected: string[]) =>
  invalid(
    'wrong_content_type',
    `The Content-Type is ${JSON.stringify(type)}; ${expected.join(' or ')} is expected.`,
  );

export function bodyTooLarge(maxBytes: number) {
  const kib = maxBytes / 1_024;
  const limit = kib < 1_024 ? `${kib} KiB` : `${kib / 1_024} MiB; send it in parts`;
  return tooLarge('body_too_large', `The body is larger than ${limit}.`);
}

const tooSlow = ({ graceMs, bytesPerSecond }: Pace) =>
  invalid(
    'body_too_slow',
    `The body comes too slowly: after the first ${graceMs / 1_000} seconds, at least ` +
      `${bytesPerSecond / 1_024} KiB a second are expected. Send it in parts.`,
  );
