import { invalid, tooLarge } from '../errors.ts';
import type { Gate } from '../gate/gate.ts';
import type { Holder } from '../gate/leases.ts';
import { busyWithUploads, declaredLength, openArrival, PIECE_BYTES_MAX } from './arrival.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Bodies up to this size have memory of their own, which no larger body takes. */
const SMALL_BODY_MAX = 256 * KIB;

/** A larger rest of a body is not drained. No operation accepts so much. */
const DRAINED_MAX = 32 * MIB;

/** The body of a request. The body holds memory for the received bytes. */
export type Body = {
  /**
   * All bytes of the body.
   * @throws ApiError VALIDATION_ERROR if the body is too large (413), breaks off or comes too slowly (400),
   *   SERVICE_UNAVAILABLE if other bodies hold the memory
   */
  pieces(): AsyncGenerator<Uint8Array>;
  /** Holds memory for bytes made of the body, too: as much as the largest body needs, and no more. */
  grow(bytes: number): void;
  /** Whether the body comes slowly, and how the body ends if another request needs its memory. */
  holder: Holder;
  /** Gives the memory back. Call when the bytes and all values read from the bytes are no longer needed. */
  release(): void;
};

export type BodySize = {
  maxBytes: number;
  /** Bytes of memory for each byte of the body. */
  roomPerByte: number;
};

/**
 * @param sender may hold a part of the memory
 * @throws ApiError VALIDATION_ERROR (413) if the body announces too many bytes
 */
export function openBody(
  request: Request,
  { maxBytes, roomPerByte }: BodySize,
  { small, large, pace }: Gate,
  sender: string,
): Body {
  const declared = declaredLength(request) ?? 0;
  if (declared > maxBytes) throw bodyTooLarge(maxBytes);
  const arrival = openArrival(request, pace);
  const release = () => {
    small.release(arrival);
    large.release(arrival);
  };
  // After the client has gone, no other code of a request is sure to run.
  request.signal.addEventListener('abort', release);

  function hold(bytes: number, received: number): void {
    const room = bytes * roomPerByte;
    const isSmall = received <= SMALL_BODY_MAX && small.hold(arrival, sender, room);
    (isSmall ? large : small).release(arrival);
    if (!isSmall && !large.hold(arrival, sender, room)) throw busyWithUploads();
  }

  let received = 0;
  let grown = 0;
  return {
    async *pieces() {
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
    holder: arrival,
    release,
  };
}

/**
 * Reads and drops the rest of a body. Otherwise a client that still sends would see a broken connection in place of the
 * answer. A body that is too large is cancelled, and so is a body without a lease of `drained`.
 */
export async function drain(
  request: Request,
  { drained, pace }: Gate,
  sender: string,
): Promise<void> {
  const arrival = openArrival(request, pace);
  const hasRoom = () => drained.hold(arrival, sender, PIECE_BYTES_MAX);
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
