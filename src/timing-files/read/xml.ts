import { FileError } from './file-error.ts';
import { brokenWorkbook } from './zip.ts';

/** Characters of a cell, in each spreadsheet. */
const CELL_TEXT_MAX = 32_767;
/** Characters of a tag, or of a text with each character written as an entity. */
const WRITTEN_MAX = 10 * CELL_TEXT_MAX;

/** The elements whose texts make up the text of a cell or a shared text. */
const TEXTS = new Set(['v', 't']);
const TEXT_HOLDERS = new Set(['c', 'si']);
/** The pronunciation of a text is not part of the text. */
const SPOKEN = 'rPh';

/** Receives the elements of a part of a workbook. Names have no prefix. */
export type XmlReader = {
  /** @param tag the name and attributes, without `<` and `>` */
  open?(name: string, tag: string): void;
  /** @param text the text of the latest cell or shared text */
  close?(name: string, text: string): void;
};

/**
 * Reads the XML of a workbook during its arrival.
 * @throws FileError if the text is no XML, or a cell has more text than a spreadsheet allows
 */
export function createXmlParser({ open = () => {}, close = () => {} }: XmlReader) {
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  let isText = false;
  let isSpoken = false;

  function takeTag(tag: string): void {
    const first = tag[0];
    if (first === '?' || first === '!') return;
    if (first === '/') {
      closeTag(nameOf(tag.slice(1)));
      return;
    }
    const name = nameOf(tag);
    if (TEXT_HOLDERS.has(name)) text = '';
    if (TEXTS.has(name)) isText = true;
    if (name === SPOKEN) isSpoken = true;
    open(name, tag);
    if (tag.endsWith('/')) closeTag(name);
  }

  function takeText(written: string): void {
    if (written.length <= WRITTEN_MAX) text += unescaped(written);
    if (written.length > WRITTEN_MAX || text.length > CELL_TEXT_MAX) throw cellTooLong();
  }

  function closeTag(name: string): void {
    if (TEXTS.has(name)) isText = false;
    if (name === SPOKEN) isSpoken = false;
    close(name, text);
  }

  return (piece: Uint8Array): void => {
    const xml = rest + decoder.decode(piece, { stream: true });
    let at = 0;
    for (;;) {
      const start = xml.indexOf('<', at);
      const end = start < 0 ? -1 : xml.indexOf('>', start);
      if (end < 0) break;
      if (isText && !isSpoken && start > at) takeText(xml.slice(at, start));
      takeTag(xml.slice(start + 1, end));
      at = end + 1;
    }
    rest = xml.slice(at);
    if (rest.length > WRITTEN_MAX) throw isText ? cellTooLong() : brokenWorkbook();
  };
}

const cellTooLong = () => FileError.of('cell_too_long', { most: CELL_TEXT_MAX });

/** The name of a tag, without the prefix. */
function nameOf(tag: string): string {
  let end = 0;
  let start = 0;
  for (; end < tag.length; end += 1) {
    const sign = tag[end];
    if (sign === ':') start = end + 1;
    else if (sign === ' ' || sign === '/' || sign === '\n' || sign === '\r' || sign === '\t') break;
  }
  return tag.slice(start, end);
}

/** The value of an attribute; undefined if the tag lacks the attribute. */
export function attributeOf(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}=`) + name.length + 2;
  const quote = tag[at];
  if (at < name.length + 2 || (quote !== '"' && quote !== "'")) return undefined;
  const end = tag.indexOf(quote, at + 1);
  return end < 0 ? undefined : unescaped(tag.slice(at + 1, end));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const ENTITY_LENGTH_MAX = 8;

/** A text with its entities replaced by their characters. An unknown entity stays. */
function unescaped(text: string): string {
  let whole = '';
  let end = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const [name = ''] = text.slice(at + 1, at + 2 + ENTITY_LENGTH_MAX).split(';', 1);
    const character = name.length > ENTITY_LENGTH_MAX ? undefined : characterOf(name);
    if (character === undefined || text[at + 1 + name.length] !== ';') continue;
    whole += text.slice(end, at) + character;
    end = at + name.length + 2;
  }
  return whole + text.slice(end);
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
