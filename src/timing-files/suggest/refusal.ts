import { FileError } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import { readStart } from './file-start.ts';
import { guessEncoding } from './guess-encoding.ts';
import { suggest } from './suggestion.ts';

/** Adds to an error what the file looks like, and the parameters with which it can be read. */
export function explainRefusal(error: FileError, parameters: Parameters): FileError {
  const { lack, start, message } = error;
  if (start === '') return error;
  try {
    const remedy = findRemedy(start, parameters);
    return new FileError(remedy === '' ? message : `${message} ${remedy}`, lack);
  } catch (other) {
    // A file that no parameters make readable needs that said, not the missing column.
    if (other instanceof FileError) return other;
    throw other;
  }
}

function findRemedy(text: string, sent: Parameters): string {
  const { start, given } = inItsEncoding(text, sent);
  const found = readStart(start, given);
  const { parameters, why, doubts } = suggest(found, given);
  const parts = [
    found.headerLine === 0 ? 'The file has no header.' : '',
    found.headerLine > 0 && !found.isFirst ? `Line ${found.headerLine} looks like the header.` : '',
    ...doubts.map(({ detail }) => detail),
    parameters ? `${why} Add ?${writeQuery(parameters)} to the address.` : '',
    'To see how a file would be read, post it to …/results/file/preview.',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const LATIN_1 = 'windows-1252';

/** The start of a file that was read as latin-1, in the encoding that its letters speak for. */
function inItsEncoding(start: string, given: Parameters): { start: string; given: Parameters } {
  const bytes = given.encoding === undefined ? latin1Bytes(start) : undefined;
  const encoding = bytes ? guessEncoding([bytes]) : LATIN_1;
  return encoding === LATIN_1
    ? { start, given }
    : { start: new TextDecoder(encoding).decode(bytes), given: { ...given, encoding } };
}

/** The bytes of a text in latin-1; undefined if it has other characters. */
function latin1Bytes(text: string): Uint8Array | undefined {
  const all = new TextDecoder(LATIN_1).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map(Array.from(all, (character, byte) => [character, byte]));
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = byteOf.get(text[at] ?? '');
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}
