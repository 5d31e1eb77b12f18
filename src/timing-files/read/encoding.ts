import { FileError } from './file-error.ts';
import { Pattern } from './pattern.ts';

/**
 * A name known to TextDecoder, in TextDecoder's spelling, or a name in `CODE_PAGES`. `windows-1252` is latin-1 with
 * different characters at the bytes 0x80 to 0x9F.
 */
export type Encoding = string;

/** The characters of the bytes from 0x80 on, in encodings of DOS programs unknown to TextDecoder. */
const CODE_PAGES: Readonly<Record<Encoding, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};
const CODE_PAGE = new Pattern(/^\s*(?:cp|ibm|dos)?[-_ ]?(437|850)\s*$/i);

/** Files that people send by mistake, by their first bytes. */
const OTHER_FILES = [
  ['\xd0\xcf\x11\xe0', 'old_workbook'],
  ['%PDF', 'pdf'],
  ['\x1f\x8b', 'compressed'],
  // Some programs name such a file .xls.
  ['<', 'html'],
  ['{"', 'json'],
  ['[{', 'json_rows'],
] as const;

/** The name of an encoding in TextDecoder's spelling; undefined for an unknown encoding. */
export function encodingNamed(label: string): Encoding | undefined {
  const [, codePage] = CODE_PAGE.groups(label);
  if (codePage !== undefined) return `cp${codePage}`;
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
 * The encoding announced by the first bytes of a file, or UTF-8.
 * @throws FileError if the file is of another kind, such as a PDF
 */
export function announcedEncoding(bytes: Uint8Array): Encoding {
  const start = String.fromCharCode(...bytes.subarray(0, START_LENGTH));
  const text = start.slice(start.startsWith(UTF_8_MARK) ? UTF_8_MARK.length : 0).trimStart();
  const dense = text.replaceAll('\n', '').replaceAll('\r', '').replaceAll(' ', '');
  const other = OTHER_FILES.find(([mark]) => dense.startsWith(mark));
  if (other?.[1] === 'json_rows')
    throw FileError.of('json_rows', { shape: '{"results": [\u2026]}' });
  if (other) throw FileError.of(other[1]);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Decodes bytes in pieces. The last call has none. */
type Decoder = (bytes?: Uint8Array) => string;

/** A decoder of an encoding. The decoder throws a TypeError if bytes break an encoding of Unicode. */
function createDecoder(encoding: Encoding): Decoder {
  const codePage = CODE_PAGES[encoding];
  if (codePage !== undefined) return (bytes) => (bytes ? inCodePage(codePage, bytes) : '');
  const fatal = encoding.startsWith('utf-');
  const decoder = new TextDecoder(encoding, { fatal, ignoreBOM: false });
  return (bytes) => (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
}

const ASCII_END = 0x80;

const inCodePage = (codePage: string, bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) {
    text += byte < ASCII_END ? String.fromCharCode(byte) : (codePage[byte - ASCII_END] ?? '');
  }
  return text;
};

/**
 * Whether a text has control characters of the C1 set. No program writes C1 characters, so the text was decoded in a
 * wrong encoding.
 */
export function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 && code < 0xa0) return true;
  }
  return false;
}

/**
 * The text of each block and, at last, of a character that the blocks leave open.
 * @throws FileError if the bytes break an announced or named encoding of Unicode
 */
export function* decodeBlocks(blocks: Iterable<Uint8Array>, encoding: Encoding): Generator<string> {
  const decode = createDecoder(encoding);
  try {
    for (const bytes of blocks) yield decode(bytes);
    yield decode();
  } catch {
    throw FileError.of(encoding === 'utf-8' ? 'bytes_not_utf8' : 'utf16_damaged');
  }
}

/**
 * The encoding of a whole file. A file is latin-1, from its first byte, if any byte is not UTF-8.
 * @param given the encoding named by a person
 * @throws FileError if the file is of another kind, or if a file in UTF-16 is damaged
 */
export function decideEncoding(blocks: readonly Uint8Array[], given?: Encoding): Encoding {
  if (given !== undefined) return given;
  const encoding = announcedEncoding(blocks[0] ?? new Uint8Array());
  try {
    for (const _ of decodeBlocks(blocks, encoding));
    return encoding;
  } catch (error) {
    if (encoding === 'utf-8' && error instanceof FileError) return 'windows-1252';
    throw error;
  }
}
