import { FileError } from './file-error.ts';

/**
 * A name that TextDecoder knows, as it writes it. `windows-1252` is latin-1 with other characters at the bytes
 * 0x80 to 0x9F.
 */
export type Encoding = string;

/** Files that people send by mistake, by their first bytes. */
const OTHER_FILES: readonly [start: string, what: string][] = [
  ['PK\x03\x04', 'an archive: send the CSV or the workbook (.xlsx) itself'],
  [
    '\xd0\xcf\x11\xe0',
    'an old (.xls) or encrypted Excel workbook: open it and save it as .xlsx without a password, or as CSV',
  ],
  ['%PDF', 'a PDF: export the results as CSV'],
  ['\x1f\x8b', 'compressed: send the CSV itself'],
  [
    '<',
    'HTML or XML, which some programs name .xls: open it in a spreadsheet and save it as .xlsx or CSV',
  ],
  ['{"', 'JSON: send it to \u2026/results with the type application/json'],
  [
    '[{',
    'JSON: send it to \u2026/results with the type application/json, as {"results": [\u2026]}',
  ],
];

/** The name of an encoding as TextDecoder writes it; undefined if it has no such encoding. */
export function encodingNamed(label: string): Encoding | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const START_LENGTH = 100;
const UTF_8_MARK = '\xef\xbb\xbf';

/**
 * The encoding by the first bytes of a file. UTF-8 means that they do not say it.
 * @throws FileError if they are those of another kind of file
 */
export function announcedEncoding(bytes: Uint8Array): Encoding {
  const start = String.fromCharCode(...bytes.subarray(0, START_LENGTH));
  const text = start.slice(start.startsWith(UTF_8_MARK) ? UTF_8_MARK.length : 0).trimStart();
  const dense = text.replaceAll('\n', '').replaceAll('\r', '').replaceAll(' ', '');
  const other = OTHER_FILES.find(([mark]) => dense.startsWith(mark));
  if (other) throw new FileError(`The file is not a CSV. It is ${other[1]}.`);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

/**
 * Decodes a file piece by piece. Both methods return undefined if the bytes are not UTF-8. The whole file is
 * then latin-1, from its first byte.
 * @throws FileError if a file in UTF-16 is damaged
 */
export function startDecoding(encoding: Encoding) {
  const decoder = new TextDecoder(encoding, {
    fatal: encoding.startsWith('utf-'),
    ignoreBOM: false,
  });

  function attempt(decode: () => string): string | undefined {
    try {
      return decode();
    } catch {
      if (encoding === 'utf-8') return undefined;
      throw new FileError(
        'The file starts as UTF-16, but is damaged or cut off: export it again, preferably as UTF-8.',
      );
    }
  }

  return {
    encoding,
    decode: (bytes: Uint8Array) => attempt(() => decoder.decode(bytes, { stream: true })),
    end: () => attempt(() => decoder.decode()),
  };
}

/**
 * The encoding of a whole file.
 * @param given the encoding that a person names
 * @throws FileError if a file in UTF-16 is damaged
 */
export function decideEncoding(blocks: Iterable<Uint8Array>, given?: Encoding): Encoding {
  if (given !== undefined) return given;
  const [first = new Uint8Array()] = blocks;
  const encoding = announcedEncoding(first);
  const decoding = startDecoding(encoding);
  for (const bytes of blocks) {
    if (decoding.decode(bytes) === undefined) return 'windows-1252';
  }
  return decoding.end() === undefined ? 'windows-1252' : encoding;
}
