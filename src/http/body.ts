import { invalid, tooLarge } from '../errors.ts';

/** The largest body that the platform lets through. */
const DRAINED_MAX = 100 * 1_024 * 1_024;

/**
 * The bytes of a request's body as they arrive.
 * @throws ApiError VALIDATION_ERROR (413) once there are more than `maxBytes`, at once where the
 *   Content-Length says so, and (400) when the body breaks off; what `stop` gives once it is aborted.
 */
export async function* readBody(
  request: Request,
  maxBytes: number,
  stop?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('Content-Length')) > maxBytes) throw overLimit(maxBytes);
  if (!request.body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  try {
    for (let received = 0; ; ) {
      const { done, value } = await readPiece(reader);
      stop?.throwIfAborted();
      if (done) return;
      received += value.length;
      if (received > maxBytes) throw overLimit(maxBytes);
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads what nobody wanted of a body: many clients read no answer before they have sent everything,
 * and would see a broken connection instead of why they were refused.
 */
export async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  try {
    for (let left = DRAINED_MAX; left > 0; ) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    // The client is gone, and with it whoever would have read the answer.
  }
}

async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (error) {
    throw invalid(`The body broke off (${error instanceof Error ? error.name : 'unknown'}).`);
  }
}

/** @throws ApiError VALIDATION_ERROR also where the bytes are no UTF-8. */
export async function readText(
  request: Request,
  maxBytes: number,
  stop?: AbortSignal,
): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let text = '';
  try {
    for await (const piece of readBody(request, maxBytes, stop)) {
      text += utf8.decode(piece, { stream: true });
    }
    return text + utf8.decode();
  } catch (error) {
    if (error instanceof TypeError) throw invalid('The body is not in UTF-8.');
    throw error;
  }
}

/** @throws ApiError VALIDATION_ERROR */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

/** @throws ApiError VALIDATION_ERROR */
export function requireContentType(request: Request, expected: string): string {
  const contentType = request.headers.get('Content-Type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === expected) return contentType;
  throw invalid(`The Content-Type is ${JSON.stringify(type)}; ${expected} is expected.`);
}

function overLimit(maxBytes: number) {
  const kib = maxBytes / 1_024;
  const limit = kib < 1_024 ? `${kib} KiB` : `${kib / 1_024} MiB; send it in parts`;
  return tooLarge(`The body is larger than ${limit}.`);
}
