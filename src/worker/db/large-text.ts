/** The text is converted to bytes in blocks of about this length. */
const BLOCK_LENGTH = 65_536;

const encoder = new TextEncoder();

/**
 * A text parameter of up to many MiB. The parameter is held once, as the bytes that neon-transport.ts sends. A string
 * would exist three times: as a string, in the JSON of the request and in the request's UTF-8.
 */
export class LargeText {
  /**
   * Stands for the text in the driver's JSON. The placeholder is random, so no further value equals the placeholder.
   */
  readonly placeholder = `large-text:${crypto.randomUUID()}`;

  /** UTF-8 of the text as JSON, without the surrounding quotes. */
  readonly jsonBlocks: readonly Uint8Array[];

  private constructor(jsonBlocks: readonly Uint8Array[]) {
    this.jsonBlocks = jsonBlocks;
  }

  /** @param pieces of the text; no piece may end inside a surrogate pair */
  static of(pieces: Iterable<string>): LargeText {
    const jsonBlocks: Uint8Array[] = [];
    let block = '';
    for (const piece of pieces) {
      block += piece;
      if (block.length < BLOCK_LENGTH) continue;
      jsonBlocks.push(jsonBytes(block));
      block = '';
    }
    return new LargeText([...jsonBlocks, jsonBytes(block)]);
  }

  /** @param blocks UTF-8 of a text without signs that JSON escapes */
  static ofPlain(blocks: readonly Uint8Array[]): LargeText {
    return new LargeText(blocks);
  }

  /** The driver calls this method on each parameter that is an object. */
  toPostgres(): string {
    return this.placeholder;
  }
}

/** The JSON of a request, with each text in place of its placeholder. `texts` are in the JSON's order. */
export function insertLargeTexts(json: string, texts: readonly LargeText[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { placeholder, jsonBlocks } of texts) {
    const at = json.indexOf(placeholder, from);
    pieces.push(encoder.encode(json.slice(from, at)), ...jsonBlocks);
    from = at + placeholder.length;
  }
  return [...pieces, encoder.encode(json.slice(from))];
}

const jsonBytes = (text: string): Uint8Array => encoder.encode(JSON.stringify(text).slice(1, -1));
