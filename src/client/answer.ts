/** No answer of the API is longer. An endless answer would fill the memory. */
const BYTES_MAX = 256 * 1_024 * 1_024;

/** The body of an answer, piece by piece. @throws Error for a body that breaks off or is too long */
async function* piecesOf(response: Response, bytesMax: number) {
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
    yield value;
  }
}

/** The whole body of an answer. @throws Error for a body that breaks off or is too long */
export async function bodyOf(response: Response, bytesMax = BYTES_MAX): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of piecesOf(response, bytesMax)) pieces.push(piece);
  return new Blob(pieces, { type: response.headers.get('Content-Type') ?? '' });
}

/**
 * Parses each line of an answer as it comes: the text of a large export would take much memory.
 * @param isAccepted whether a line is a line of the API
 * @param keep makes the value to keep of a line
 * @returns undefined if a line is no object or not accepted
 * @throws Error for a body that breaks off or is too long
 */
export async function linesOf(
  response: Response,
  isAccepted: (line: object) => boolean,
  keep: (line: object) => unknown = (line) => line,
): Promise<unknown[] | undefined> {
  const decoder = new TextDecoder();
  const kept: unknown[] = [];
  let isExpected = true;
  let rest = '';
  const take = (text: string) => {
    if (text === '' || !isExpected) return;
    const line = parseJson(text);
    isExpected = isObject(line) && isAccepted(line);
    if (isExpected) kept.push(keep(line));
  };
  for await (const piece of piecesOf(response, BYTES_MAX)) {
    const text = decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf('\n');
    // A line of many pieces is searched once.
    if (end >= 0) (rest + text.slice(0, end)).split('\n').forEach(take);
    rest = end < 0 ? rest + text : text.slice(end + 1);
  }
  take(rest + decoder.decode());
  return isExpected ? kept : undefined;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** @returns undefined if the text is not JSON */
export function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
