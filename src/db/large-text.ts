/** About how much is written at a time. */
const BLOCK_LENGTH = 65_536;

const encoder = new TextEncoder();

/** Parameters on their way into a request, by the placeholder that stands there for them. */
const placed = new Map<string, LargeText>();

/**
 * A text parameter of up to many MiB. It is kept once, as the very bytes that will travel, and put
 * into the request as this is sent: as a string it would exist three times by then, as itself, in the
 * request's JSON and in its UTF-8.
 */
export class LargeText {
  /** UTF-8 of the text as JSON writes it, without the quotes around it. */
  readonly #blocks: Uint8Array[] = [];

  /** @param pieces of the text, none of which ends amid a surrogate pair */
  constructor(pieces: Iterable<string>) {
    let open = '';
    for (const piece of pieces) {
      open += piece;
      if (open.length < BLOCK_LENGTH) continue;
      this.#blocks.push(jsonBytes(open));
      open = '';
    }
    this.#blocks.push(jsonBytes(open));
  }

  /** What the driver asks of a value that it does not know: here, the placeholder. */
  toPostgres(): string {
    const placeholder = `large-text:${crypto.randomUUID()}`;
    placed.set(placeholder, this);
    return placeholder;
  }

  toString(): string {
    const utf8 = new TextDecoder();
    const written = this.#blocks.map((block) => utf8.decode(block, { stream: true })).join('');
    return JSON.parse(`"${written}"`);
  }

  /** A request's JSON with every placed text where its placeholder stands; undefined without one. */
  static insertInto(json: string): Uint8Array[] | undefined {
    if (placed.size === 0) return undefined;
    const pieces: Uint8Array[] = [];
    let from = 0;
    // Quotes inside of a value are escaped: what stands between two bare ones is a whole value.
    for (const { 0: quoted, 1: placeholder = '', index } of json.matchAll(
      /"(large-text:[\w-]+)"/g,
    )) {
      const text = placed.get(placeholder);
      if (!text) continue;
      placed.delete(placeholder);
      pieces.push(encoder.encode(json.slice(from, index + 1)), ...text.#blocks);
      from = index + quoted.length - 1;
    }
    return from === 0 ? undefined : [...pieces, encoder.encode(json.slice(from))];
  }
}

const jsonBytes = (text: string): Uint8Array => encoder.encode(JSON.stringify(text).slice(1, -1));
