import Busboy, { type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { invalid } from '../errors.ts';

const FIELD = 'file';

/**
 * The bytes of the form's one field `file`, as the body arrives (contract section 4.7).
 * @throws ApiError VALIDATION_ERROR where the body is no form, breaks off, or has no such field.
 */
export async function* readFileField(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Uint8Array> {
  const arrived: Uint8Array[] = [];
  let files = 0;
  const form = openForm(contentType);
  form.on('file', (name: string, file: BusboyFileStream) => {
    // A part that breaks off says so here as well as on the form, where it is heard.
    file.on('error', () => {});
    if (name !== FIELD) return void file.resume();
    files += 1;
    file.on('data', (bytes: Uint8Array) => arrived.push(bytes));
  });
  // Before the first byte: a failure must find its listener.
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve);
    form.on('error', reject);
  });
  ended.catch(() => {});

  for await (const piece of body) {
    await Promise.race([ended, new Promise((resolve) => form.write(piece, resolve))]);
    yield* arrived.splice(0);
    if (files > 1) throw invalid(`The form has more than one field "${FIELD}".`);
  }
  form.end();
  await ended.catch((error: unknown) => {
    throw invalid(`The form is incomplete: ${error instanceof Error ? error.message : 'no end'}.`);
  });
  yield* arrived.splice(0);
  if (files !== 1) throw invalid(`The form has ${files} fields "${FIELD}"; one is expected.`);
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // However it is labelled: some clients send a CSV without a file name. And the parser stands
      // still, for good, in a long text behind a file; a file that nobody wants is passed over.
      isPartAFile: () => true,
      limits: { parts: 20, headerPairs: 100, headerSize: 16_384 },
    });
  } catch (error) {
    throw invalid(
      `The form cannot be read: ${error instanceof Error ? error.message : 'unknown'}.`,
    );
  }
}
