import { brokenWorkbook } from './zip.ts';

/** A longer tag or text is no part of a workbook. */
const PART_LENGTH_MAX = 1_048_576;

export type XmlReader = {
  /** @param tag its name and attributes, without `<` and `>` */
  open(name: string, tag: string): void;
  close(name: string): void;
  text(text: string): void;
};

/**
 * Reads the XML of a workbook as it arrives.
 * @throws FileError if it is no XML
 */
export function createXmlParser(reader: XmlReader) {
  const decoder = new TextDecoder();
  let rest = '';

  function takeTag(tag: string): void {
    const first = tag[0];
    if (first === '?' || first === '!') return;
    if (first === '/') {
      reader.close(nameOf(tag.slice(1)));
      return;
    }
    const name = nameOf(tag);
    reader.open(name, tag);
    if (tag.endsWith('/')) reader.close(name);
  }

  return (piece: Uint8Array): void => {
    const text = rest + decoder.decode(piece, { stream: true });
    let at = 0;
    for (;;) {
      const open = text.indexOf('<', at);
      const end = open < 0 ? -1 : text.indexOf('>', open);
      if (end < 0) break;
      if (open > at) reader.text(unescaped(text.slice(at, open)));
      takeTag(text.slice(open + 1, end));
      at = end + 1;
    }
    rest = text.slice(at);
    if (rest.length > PART_LENGTH_MAX) throw brokenWorkbook();
  };
}

/** The name of a tag, without its prefix. */
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

/** The value of an attribute; undefined if the tag does not have it. */
export function attributeOf(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}=`) + name.length + 2;
  const quote = tag[at];
  if (at < name.length + 2 || (quote !== '"' && quote !== "'")) return undefined;
  const end = tag.indexOf(quote, at + 1);
  return end < 0 ? undefined : unescaped(tag.slice(at + 1, end));
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const ENTITY_LENGTH_MAX = 8;

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  const [first = '', ...parts] = text.split('&');
  return parts.reduce((whole, part) => {
    const end = part.indexOf(';');
    const name = part.slice(0, Math.max(end, 0));
    if (end < 0 || end > ENTITY_LENGTH_MAX) return `${whole}&${part}`;
    const character = name.startsWith('#') ? characterOf(name.slice(1)) : ENTITIES.get(name);
    return character === undefined ? `${whole}&${part}` : whole + character + part.slice(end + 1);
  }, first);
}

function characterOf(code: string): string | undefined {
  const value = Number(code.startsWith('x') ? `0${code}` : code);
  return value > 0 && value <= 0x10_ff_ff ? String.fromCodePoint(value) : undefined;
}
