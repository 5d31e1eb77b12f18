import { createHash } from 'node:crypto';
import { LargeText } from '../../db/large-text.ts';
import type { Piece } from '../../db/streamed-statement.ts';
import type { Positions } from '../../positions/positions.ts';
import { createRanker } from '../../positions/ranker.ts';
import { toResultContent } from '../result.ts';
import type { SealedRow } from './reading.ts';

/**
 * The document of a version: a line of JSON for each result. A set of results has a single text: the members are in the
 * order of their names and without blanks, as in RFC 8785, and the lines are in the order of the rows.
 */
export async function* documentOf(
  pieces: AsyncIterable<Piece<SealedRow>>,
): AsyncGenerator<string, void> {
  const place = createRanker();
  for await (const { rows } of pieces) {
    // The rows come in the order of chip times. The places by the rule come with each.
    yield rows
      .map((row) => lineOf(row, { ...place(row, row.finish_time_ms), ...ruled(row) }))
      .join('');
  }
}

const ruled = ({
  position_distance,
  position_distance_gender,
  position_distance_category,
}: SealedRow) => ({ position_distance, position_distance_gender, position_distance_category });

function lineOf(row: SealedRow, positions: Positions): string {
  const { status, chip_time, gun_time, splits } = toResultContent(row);
  const before = JSON.stringify({
    bib_number: row.bib_number,
    category: row.category,
    chip_time,
    distance: row.distance,
    gender: row.gender,
    gun_time,
    position_category: positions.position_category,
    position_distance: positions.position_distance,
    position_distance_category: positions.position_distance_category,
    position_distance_gender: positions.position_distance_gender,
    position_gender: positions.position_gender,
    position_overall: positions.position_overall,
  });
  return `${before.slice(0, -1)},"splits":${sorted(splits)},"status":${JSON.stringify(status)}}\n`;
}

/** An object would order numeric names first. */
const sorted = (members: Record<string, string>): string =>
  `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(members[name])}`)
    .join()}}`;

/** A document, its length in lines and its SHA-256 in hexadecimal digits. */
type Sealed = { rows: number; digest: string; document: LargeText };

/**
 * Reads a document, and keeps only the compressed form.
 * @param hold holds memory for `bytes`. `hold` throws without free memory
 */
export async function seal(
  text: AsyncIterable<string>,
  hold: (bytes: number) => void,
): Promise<Sealed> {
  const hash = createHash('sha256');
  const encoder = new TextEncoder();
  let rows = 0;
  async function* bytes() {
    for await (const lines of text) {
      hash.update(lines);
      rows += lines.split('\n').length - 1;
      yield encoder.encode(lines);
    }
  }
  const compressed: Uint8Array[] = [];
  let length = 0;
  for await (const piece of compress(bytes())) {
    length += piece.length;
    hold(length);
    compressed.push(piece);
  }
  return { rows, digest: hash.digest('hex'), document: LargeText.of(inBase64(compressed)) };
}

/** The runtime's `ReadableStream.from` has no type yet. */
const streamOf = (pieces: AsyncGenerator<Uint8Array, void>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });

const compress = (bytes: AsyncGenerator<Uint8Array>) =>
  streamOf(bytes).pipeThrough(new CompressionStream('gzip'));

/** Removes the pieces while reading them, so that their bytes do not exist twice. */
function* inBase64(pieces: Uint8Array[]): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}

/** The text of a compressed document. */
export async function* unsealed(
  pieces: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<string, void> {
  const stream = streamOf(pieces).pipeThrough(new DecompressionStream('gzip'));
  const utf8 = new TextDecoder();
  for await (const piece of stream) yield utf8.decode(piece, { stream: true });
  yield utf8.decode();
}

/** The lines of a document in any pieces. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/**
 * A version as a file: its signature on the first line, then the document, whose digest is in the signature. Both are
 * JSON Lines.
 */
export async function* fileOf(
  signature: string,
  document: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify({ signature })}\n`;
  yield* document;
}
