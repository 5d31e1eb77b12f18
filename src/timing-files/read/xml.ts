import { FileError } from './file-error.ts';
import { brokenWorkbook } from './zip.ts';

/** Characters of a cell, in each spreadsheet. */
const CELL_TEXT_MAX = 32_767;
/** Characters of a tag, or of a text with each character written as an entity. */
const WRITTEN_MAX = 10 * CELL_TEXT_MAX;

/** The pronunciation of a text is not part of the text. */
const SPOKEN = 'rPh';

/** Whether the texts of an element make up the text of a cell or a shared text. */
const hasText = (name: string): boolean => name === 'v' || name === 't';
const holdsText = (name: string): boolean => name === 'c' || name === 'si';

const [BLANK = 0, EXCLAMATION, SLASH, COLON, SEMICOLON, EQUALS, QUESTION] = Array.from(
  ' !/:;=?',
  (sign) => sign.charCodeAt(0),
);

/** Receives the elements of a part of a workbook. Names have no prefix. */
export type XmlReader = {
  /** @param tag the name and attributes, without `<` and `>` */
  open?(name: string, tag: string): void;
  /** @param text the text of the latest cell or shared text */
  close?(name: string, text: string): void;
};

/**
 * Reads the XML of a workbook during its arrival. The parser returns the number of tags and entities of a piece.
 * @throws FileError if the text is no XML, or a cell has more text than a spreadsheet allows
 */
export function createXmlParser({ open = () => {}, close = () => {} }: XmlReader) {
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  let isText = false;
  let isSpoken = false;
  let entities = 0;

  function takeTag(xml: string, from: number, to: number): void {
    const first = xml.charCodeAt(from);
    if (first === QUESTION || first === EXCLAMATION) return;
    const isEnd = first === SLASH;
    const name = nameIn(xml, isEnd ? from + 1 : from, to);
    if (isEnd) {
      closeTag(name);
      return;
    }
    if (holdsText(name)) text = '';
    if (hasText(name)) isText = true;
    if (name === SPOKEN) isSpoken = true;
    open(name, name.length === to - from ? name : xml.slice(from, to));
    if (xml.charCodeAt(to - 1) === SLASH) closeTag(name);
  }

  function takeText(written: string): void {
    if (written.length > WRITTEN_MAX) throw cellTooLong();
    const { text: plain, count } = unescaped(written);
    entities += count;
    text += plain;
    if (text.length > CELL_TEXT_MAX) throw cellTooLong();
  }

  function closeTag(name: string): void {
    if (hasText(name)) isText = false;
    if (name === SPOKEN) isSpoken = false;
    close(name, text);
  }

  return (piece: Uint8Array): number => {
    const xml = rest + decoder.decode(piece, { stream: true });
    let [at, tags] = [0, 0];
    entities = 0;
    for (;;) {
      const start = find(xml, '<', at);
      const end = start < 0 ? -1 : find(xml, '>', start);
      if (end < 0) break;
      if (isText && !isSpoken && start > at) takeText(xml.slice(at, start));
      takeTag(xml, start + 1, end);
      tags += 1;
      at = end + 1;
    }
    rest = xml.slice(at);
    if (rest.length > WRITTEN_MAX) throw isText ? cellTooLong() : brokenWorkbook();
    return tags + entities;
  };
}

/** The name of the tag between two places, without the prefix. */
function nameIn(xml: string, from: number, to: number): string {
  let start = from;
  let end = from;
  for (; end < to; end += 1) {
    const sign = xml.charCodeAt(end);
    if (sign === COLON) start = end + 1;
    else if (sign <= BLANK || sign === SLASH) break;
  }
  return xml.slice(start, end);
}

/** `indexOf` is fast for a long way. Most tags and texts are short. */
const SHORT_WAY = 32;

function find(xml: string, sign: string, from: number): number {
  const code = sign.charCodeAt(0);
  const near = Math.min(from + SHORT_WAY, xml.length);
  for (let at = from; at < near; at += 1) if (xml.charCodeAt(at) === code) return at;
  return xml.indexOf(sign, near);
}

const cellTooLong = () => FileError.of('cell_too_long', { most: CELL_TEXT_MAX });

/** The value of an attribute; undefined if the tag lacks the attribute. */
export function attributeOf(tag: string, name: string): string | undefined {
  for (let at = 1; at < tag.length; at += 1) {
    if (tag.charCodeAt(at) !== EQUALS || tag.charCodeAt(at - name.length - 1) !== BLANK) continue;
    if (!tag.startsWith(name, at - name.length)) continue;
    const quote = tag[at + 1];
    if (quote !== '"' && quote !== "'") return undefined;
    const end = tag.indexOf(quote, at + 2);
    return end < 0 ? undefined : unescaped(tag.slice(at + 2, end)).text;
  }
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const ENTITY_LENGTH_MAX = 8;

/** A text with its entities replaced by their characters, and the number of `&`. An unknown entity stays. */
function unescaped(written: string): { text: string; count: number } {
  let text = '';
  let end = 0;
  let count = 0;
  for (let at = written.indexOf('&'); at >= 0; at = written.indexOf('&', at + 1)) {
    count += 1;
    let close = at + 1;
    while (close <= at + 1 + ENTITY_LENGTH_MAX && written.charCodeAt(close) !== SEMICOLON)
      close += 1;
    if (written.charCodeAt(close) !== SEMICOLON) continue;
    const character = characterOf(written.slice(at + 1, close));
    if (character === undefined) continue;
    text += written.slice(end, at) + character;
    end = close + 1;
  }
  return { text: count === 0 ? written : text + written.slice(end), count };
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
