/** No answer of the API is longer. An endless answer would fill the memory. */
const BYTES_MAX = 256 * 1_024 * 1_024;

/** The whole body of an answer. @throws Error for a body that breaks off or is too long */
export async function bodyOf(response: Response, bytesMax = BYTES_MAX): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new RangeError(`The answer is longer than ${bytesMax} bytes.`);
    }
    pieces.push(value);
  }
  return new Blob(pieces, { type: response.headers.get('Content-Type') ?? '' });
}
