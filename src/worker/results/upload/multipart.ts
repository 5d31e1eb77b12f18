import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { invalid } from '../../errors.ts';

const FIELD = 'file';

/** The encodings of a part that keep the bytes of the file. */
const PLAIN: ReadonlySet<string> = new Set(['binary', '8bit', '7bit']);

const encoded = (encoding: string) =>
  invalid(
    'not_a_form',
    `The field "${FIELD}" is sent as ${JSON.stringify(encoding.slice(0, 40))}: send the bytes of the file as ` +
      'they are, without Content-Transfer-Encoding.',
  );

/**
 * The bytes of the form's only field `file`, as the body arrives (uploadEventResultsFile).
 * @param onName receives the file's name in the form, and may refuse the name
 * @throws ApiError VALIDATION_ERROR if the body is not a form, breaks off, or has no such field
 */
export async function* readFileField(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onName: (name: string) => void,
): AsyncGenerator<Uint8Array> {
  const arrived: Uint8Array[] = [];
  let files = 0;
  let encoding = 'binary';
  let sentName: string | undefined;
  const form = await openForm(contentType);
  const onFile = (
    name: string,
    file: BusboyFileStream,
    fileName: string | undefined,
    sentAs: string,
  ) => {
    // The form reports a broken part too. Without a listener here, the error would be thrown.
    file.on('error', () => {});
    if (name !== FIELD) return void file.resume();
    files += 1;
    encoding = sentAs;
    sentName = fileName;
    file.on('data', (bytes: Uint8Array) => arrived.push(bytes));
  };
  form.on('file', onFile);
  // The listeners are added before the first byte, so that no failure is lost.
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve);
    form.on('error', reject);
  });
  ended.catch(() => {});

  for await (const piece of body) {
    await Promise.race([ended, new Promise((resolve) => form.write(piece, resolve))]);
    if (sentName) onName(sentName);
    sentName = undefined;
    yield* arrived.splice(0);
    if (!PLAIN.has(encoding.toLowerCase())) throw encoded(encoding);
    if (files > 1) throw invalid('not_a_form', `The form has more than one field "${FIELD}".`);
  }
  form.end();
  await ended.catch((error: unknown) => {
    throw invalid(
      'not_a_form',
      `The form is incomplete: ${error instanceof Error ? error.message : 'no end'}.`,
    );
  });
  yield* arrived.splice(0);
  if (files !== 1)
    throw invalid('not_a_form', `The form has ${files} fields "${FIELD}"; one is expected.`);
}

async function openForm(contentType: string): Promise<BusboyInstance> {
  // Only an upload of a file needs the package, and an isolate starts faster without the package.
  const { default: Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Some clients send a CSV without a file name. The parser stops forever at a long text field behind a file, but
      // skips a file.
      isPartAFile: () => true,
      limits: { parts: 20, headerPairs: 100, headerSize: 16_384 },
    });
  } catch (error) {
    throw invalid(
      'not_a_form',
      `The form cannot be read: ${error instanceof Error ? error.message : 'unknown'}.`,
    );
  }
}
