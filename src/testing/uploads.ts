import { asc, eq } from 'drizzle-orm';
import { registrations, resultBatches, results } from '../worker/db/schema.ts';
import { ResultsUploadOut } from '../worker/results/upload/answer-schemas.ts';
import { ResultsFilePreview } from '../worker/results/upload/preview-answer-schemas.ts';
import { streamOf } from './csv.ts';
import type { createRace } from './factories.ts';
import { db } from './factories.ts';
import { request, withKey } from './harness.ts';

export type Race = Omit<Awaited<ReturnType<typeof createRace>>, 'keys'>;

type Sending = {
  type?: string;
  headers?: Record<string, string>;
  send?: typeof request;
  /** Path below the event. */
  to?: string;
};

const BOUNDARY = 'finish-line';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const poster =
  (defaultPath: string, defaultType: string) =>
  (
    { path, key }: Pick<Race, 'path' | 'key'>,
    body: BodyInit,
    { type = defaultType, headers = {}, send = request, to = defaultPath }: Sending = {},
  ) =>
    send(path + to, {
      method: 'POST',
      headers: { ...withKey(key), 'Content-Type': type, ...headers },
      body,
    });

export const postJson = poster('/results', 'application/json');

export const postForm = poster('/results/file', FORM_TYPE);

export const postCsv = (race: Race, csv: string | Uint8Array, sending: Sending = {}) =>
  postForm(race, form([filePart(csv)]), sending);

/** Uploads rows. @returns the answer */
export const uploadRows = async (race: Race, rows: readonly unknown[]) =>
  answered(await postJson(race, JSON.stringify({ results: rows })));

/** Uploads a file. @returns the answer */
export const uploadCsv = async (race: Race, csv: string | Uint8Array) =>
  answered(await postCsv(race, csv));

/** Asks for the preview of a file. */
export const postPreview = (
  race: Pick<Race, 'path' | 'key'>,
  file: string | Uint8Array,
  query = '',
) => postForm(race, form([filePart(file)]), { to: `/results/file/preview?${query}` });

/** Previews a file. @returns the answer */
export async function preview(
  race: Race,
  file: string | Uint8Array,
  query = '',
): Promise<ResultsFilePreview> {
  const response = await postPreview(race, file, query);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return ResultsFilePreview.strict().parse(JSON.parse(text));
}

/** Uploads a file with the parameters of a query. @returns the answer */
export const uploadFile = async (race: Race, file: string | Uint8Array, query: string) =>
  answered(await postForm(race, form([filePart(file)]), { to: `/results/file?${query}` }));

/** Reads the answer of an accepted upload, and checks the sum of its counts. */
export async function answered(response: Response): Promise<ResultsUploadOut> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  const out = ResultsUploadOut.strict().parse(JSON.parse(text));
  const { total_processed, uploaded, updated, not_found, errors, duplicates, left, failed } = out;
  if (uploaded + updated + not_found + errors + duplicates + left.length !== total_processed) {
    throw new Error(`The counts do not add up: ${text}`);
  }
  if (failed.length !== not_found + errors) throw new Error(`"failed" is not complete: ${text}`);
  if (failed.some(({ row }, index) => row <= (failed[index - 1]?.row ?? 0))) {
    throw new Error(`"failed" is not in row order: ${text}`);
  }
  return out;
}

type Part = { headers: string; content: string | Uint8Array };

export const filePart = (content: string | Uint8Array): Part => ({
  headers:
    'Content-Disposition: form-data; name="file"; filename="results.csv"\r\nContent-Type: text/csv',
  content,
});

export const textPart = (name: string, content: string | Uint8Array): Part => ({
  headers: `Content-Disposition: form-data; name="${name}"`,
  content,
});

/** The bytes of a form. */
export function form(parts: readonly Part[], { end = `--${BOUNDARY}--\r\n` } = {}): Uint8Array {
  return bytesOf([
    ...parts.flatMap(({ headers, content }) => [
      `--${BOUNDARY}\r\n${headers}\r\n\r\n`,
      content,
      '\r\n',
    ]),
    end,
  ]);
}

export function bytesOf(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const encoder = new TextEncoder();
  const encoded = pieces.map((piece) =>
    typeof piece === 'string' ? encoder.encode(piece) : piece,
  );
  const bytes = new Uint8Array(encoded.reduce((length, piece) => length + piece.length, 0));
  let written = 0;
  for (const piece of encoded) {
    bytes.set(piece, written);
    written += piece.length;
  }
  return bytes;
}

/** A body in pieces, without a Content-Length. */
export function bodyOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const iterator = streamOf(pieces);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return(undefined);
    },
  });
}

export async function storedResults(eventId: string) {
  const rows = await db
    .select({
      bib: registrations.bib_number,
      status: results.status,
      chip: results.chip_time_ms,
      gun: results.gun_time_ms,
      splits: results.splits,
    })
    .from(results)
    .innerJoin(registrations, eq(registrations.id, results.registration_id))
    .where(eq(results.event_id, eventId))
    .orderBy(asc(registrations.bib_number));
  return Object.fromEntries(rows.map(({ bib, ...stored }) => [String(bib), stored]));
}

export const storedBatches = (eventId: string) =>
  db
    .select()
    .from(resultBatches)
    .where(eq(resultBatches.event_id, eventId))
    .orderBy(asc(resultBatches.effect_order));
