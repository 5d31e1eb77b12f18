import { invalid, tooLarge } from '../errors.ts';

/**
 * The bytes of a request's body as they arrive.
 * @throws ApiError VALIDATION_ERROR (413) once there are more than `maxBytes`, at once where the
 *   Content-Length says so, and (400) when the body breaks off.
 */
export async function* readBody(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('Content-Length')) > maxBytes) throw overLimit(maxBytes);
  if (!request.body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  try {
    for (let received = 0; ; ) {
      const { done, value } = await readPiece(reader);
      if (done) return;
      received += value.length;
      if (received > maxBytes) throw overLimit(maxBytes);
      yield value;
    }
  } finally {
    // Whoever stops before the end wants no more of it; a body that is read to its end is unmoved.
    await reader.cancel();
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
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let text = '';
  try {
    for await (const piece of readBody(request, maxBytes)) {
      text += utf8.decode(piece, { stream: true });
    }
    return text + utf8.decode();
  } catch (error) {
    if (error instanceof TypeError) throw invalid('The body is not in UTF-8.');
    throw error;
  }
}

/** @throws ApiError VALIDATION_ERROR */
export function requireContentType(request: Request, expected: string): string {
  const contentType = request.headers.get('Content-Type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === expected) return contentType;
  throw invalid(`The Content-Type is ${JSON.stringify(type)}; ${expected} is expected.`);
}

const overLimit = (maxBytes: number) =>
  tooLarge(`The body is larger than ${maxBytes / 1_024 / 1_024} MiB; send it in parts.`);
