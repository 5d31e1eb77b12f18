import type { RequestOptions } from './connection.ts';
import type { ResultsFileQuery } from './types.ts';

/**
 * A CSV file: text, bytes or a source of bytes. Open a file on disk with `openAsBlob` of node:fs: the client reads the
 * file during the upload. A stream can be read only once, so the client keeps the bytes in memory for retries.
 */
export type ResultsFile =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

const MIB = 1_024 * 1_024;
/** The largest file accepted by the API. */
const LARGEST_FILE_BYTES = 16 * MIB;

/** The parameters of an upload's file: `suggestion.query` of a preview, or an object of parameters. */
export type FileOptions = RequestOptions & { read?: string | ResultsFileQuery | undefined };

/** The parameters of a file with the times of a single point. */
export type PassingFileOptions = RequestOptions & {
  read?: string | Omit<ResultsFileQuery, 'status' | 'split' | 'status_word'> | undefined;
};

/**
 * The parameters of a file as pairs.
 * @param read the parameters to read the file. An empty list of splits stands for a file without splits
 * @param beside the further parameters of the request. `suggestion.query` has the point too
 */
export const fileQuery = (
  read: FileOptions['read'],
  beside: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): [string, string | readonly string[] | undefined][] => [
  ...Object.entries(beside),
  ...readQuery(read).filter(([name]) => !(name in beside)),
];

function readQuery(read: FileOptions['read'] = ''): [string, string][] {
  if (typeof read === 'string') return [...new URLSearchParams(read)];
  return Object.entries(read).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [[name, String(value)]];
    return (value.length === 0 ? [''] : value).map((one) => [name, String(one)]);
  });
}

/**
 * Makes a form with the file. The form can be sent several times.
 * @throws RangeError for a stream over the API's limit, any error of the stream, or the signal's reason
 */
export async function formOf(file: ResultsFile, signal: AbortSignal | undefined) {
  const blob = await blobOf(file, signal);
  const content = new FormData();
  // A `File` has a name. The API shows the name in the list of uploads.
  content.set('file', blob, file instanceof File ? file.name : 'results.csv');
  return { content, bytes: blob.size };
}

async function blobOf(file: ResultsFile, signal: AbortSignal | undefined): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (typeof file === 'string') return new Blob([file]);
  // Copies the bytes, here and below: the caller may reuse the buffer.
  if (file instanceof Uint8Array) return new Blob([new Uint8Array(file)]);
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, kept) {
      bytes += chunk.byteLength;
      if (bytes > LARGEST_FILE_BYTES) {
        throw new RangeError(`The file is larger than ${LARGEST_FILE_BYTES / MIB} MiB`);
      }
      kept.enqueue(new Uint8Array(chunk));
    },
  });
  const stream = 'getReader' in file ? file : streamOf(file);
  return new Response(stream.pipeThrough(counted, signal && { signal })).blob();
}

/** Not every runtime has `ReadableStream.from`. */
function streamOf(file: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = file[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await iterator.next();
      if (done) stream.close();
      else stream.enqueue(new Uint8Array(value));
    },
    cancel: () => void iterator.return?.().catch(() => {}),
  });
}
