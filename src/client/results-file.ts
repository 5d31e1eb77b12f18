import { orAborted } from './waiting.ts';

/**
 * A CSV: the text itself, its bytes, or where they come from. A file on disk is best opened as a Blob
 * (`openAsBlob` of node:fs), which is read as it is sent; a stream can be read once, and so is held
 * in memory for the attempts to come.
 */
export type ResultsFile =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

const MIB = 1_024 * 1_024;
/** The largest file that the API takes. */
const LARGEST_FILE_BYTES = 16 * MIB;

/**
 * The form that carries a file, which can be sent any number of times.
 * @throws RangeError where a stream has more bytes than the API takes; whatever the stream throws;
 *   the signal's reason
 */
export async function formOf(file: ResultsFile, signal: AbortSignal | undefined) {
  const blob = await blobOf(file, signal);
  const content = new FormData();
  content.set('file', blob, 'results.csv');
  return { content, bytes: blob.size };
}

async function blobOf(file: ResultsFile, signal: AbortSignal | undefined): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (typeof file === 'string') return new Blob([file]);
  // A copy, as all below: its sender may go on to use the buffer.
  if (file instanceof Uint8Array) return new Blob([new Uint8Array(file)]);
  const source = sourceOf(file);
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await orAborted(source.next(), signal);
      if (done || !value) return new Blob(kept);
      bytes += value.byteLength;
      if (bytes > LARGEST_FILE_BYTES) {
        throw new RangeError(`The file is larger than ${LARGEST_FILE_BYTES / MIB} MiB`);
      }
      kept.push(new Uint8Array(value));
    }
  } catch (error) {
    source.stop(error);
    throw error;
  }
}

type Source = {
  next(): Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
  stop(reason: unknown): void;
};

/** What a stream and an iterable have in common; not every runtime can iterate a stream. */
function sourceOf(file: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Source {
  // The failure that stops a source is told; one in stopping it tells nothing more.
  const ignore = () => {};
  if ('getReader' in file) {
    const reader = file.getReader();
    return {
      next: () => reader.read(),
      stop: (reason: unknown) => void reader.cancel(reason).catch(ignore),
    };
  }
  const iterator = file[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    stop: () => void iterator.return?.().then(ignore, ignore),
  };
}
