import { ApiError, invalid, unavailable } from '../errors.ts';
import { CONTESTED_GRACE_MS, type Pace } from '../gate/pace.ts';
import { inTime } from '../in-time.ts';

const KIB = 1_024;

/** A client that has sent little gets a small buffer. Later buffers grow with the bytes received. */
const FIRST_PIECE_BYTES = 4 * KIB;
/** Small pieces cost more processor time. */
export const PIECE_BYTES_MAX = 64 * KIB;

const BUSY_RETRY_AFTER_SECONDS = 5;

/** Reads a body while the bytes arrive. A slow body gives way to other holders of the memory. */
export function openArrival(request: Request, pace: Pace) {
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  // Only a read of the body awaits `ended`.
  ended.catch(() => {});
  let isReading = false;
  let received = 0;
  let startedAtMs = 0;
  const behindMs = () => Date.now() - startedAtMs - (1_000 * received) / pace.bytesPerSecond;

  return {
    isSlow: () => isReading && behindMs() > CONTESTED_GRACE_MS,
    giveWay: () => end(busyWithUploads()),

    /**
     * @throws ApiError VALIDATION_ERROR if the body breaks off or comes too slowly, SERVICE_UNAVAILABLE if the body
     *   gave way
     */
    async *pieces(): AsyncGenerator<Uint8Array> {
      if (!request.body) return;
      const declared = declaredLength(request) ?? Number.POSITIVE_INFINITY;
      const reader = openReader(request.body);
      let pieceBytes = FIRST_PIECE_BYTES;
      startedAtMs = Date.now();
      isReading = true;
      try {
        // The body has the declared length: its end needs no further read.
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
        // The cancel ends a waiting read.
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

export function declaredLength(request: Request): number | undefined {
  const sent = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(sent) ? Number(sent) : undefined;
}

export const busyWithUploads = () =>
  unavailable('Other uploads are being read. Try again.', BUSY_RETRY_AFTER_SECONDS);

const tooSlow = ({ graceMs, bytesPerSecond }: Pace) =>
  invalid(
    'body_too_slow',
    `The body comes too slowly: after the first ${graceMs / 1_000} seconds, at least ` +
      `${bytesPerSecond / 1_024} KiB a second are expected. Send it in parts.`,
  );
