/** The values of a row, as Postgres writes them. */
export type Cells = readonly (string | null)[];

/** The rows of a transaction's last statement, while they arrive. */
export class RowStream<Row = Cells> {
  /** Some rows at a time. It throws if the answer breaks off. */
  readonly batches: AsyncGenerator<Row[], void>;
  /** Ends the transfer. */
  readonly cancel: () => void;

  constructor(batches: RowStream<Row>['batches'], cancel: () => void) {
    this.batches = batches;
    this.cancel = cancel;
  }

  map<Other>(change: (row: Row) => Other): RowStream<Other> {
    const { batches } = this;
    async function* changed() {
      for await (const rows of batches) yield rows.map(change);
    }
    return new RowStream(changed(), this.cancel);
  }
}

/** Ends the transfer of the rows among these answers, because nobody will read them. */
export function cancelStreams(answers: readonly unknown[]): void {
  for (const answer of answers) if (answer instanceof RowStream) answer.cancel();
}

/** The depth of the brackets in Neon's answer: `{"results":[{"rows":[["17",…],…],…},…]}`. */
const RESULT_DEPTH = 3;
const ROW_DEPTH = 5;

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Stands for the last result in the part of the answer that is read at once. */
const EMPTY_RESULT = '{"fields":[],"rows":[]}]}';

/**
 * Reads Neon's answer to a transaction up to the rows of its last statement. A large answer, read at once,
 * would not fit into the isolate: as bytes, as a text and as values it is there three times.
 * @returns the answer without these rows as JSON, and the rows
 */
export async function openRowStream(
  body: ReadableStream<Uint8Array>,
  statements: number,
): Promise<{ head: string; rows: RowStream }> {
  const reader = body.getReader();
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const scan = createScanner(statements);
  let head = '';

  /** @throws Error if the answer ends before its last bracket */
  async function readOn(): Promise<string | undefined> {
    const { done, value } = await reader.read();
    if (!done) return utf8.decode(value, { stream: true });
    if (!scan.isComplete()) throw new Error('The answer of the database broke off.');
    return undefined;
  }

  for (;;) {
    const text = await readOn();
    if (text === undefined)
      throw new Error(`The database answered fewer than ${statements} results.`);
    const { lastResultAt, rows } = scan.read(text);
    if (lastResultAt === undefined) {
      head += text;
      continue;
    }
    head += text.slice(0, lastResultAt) + EMPTY_RESULT;
    const batches = batchesFrom(rows, readOn, (more) => scan.read(more).rows);
    // Cancelling fails where the transfer has failed already.
    return { head, rows: new RowStream(batches, () => void reader.cancel().catch(() => {})) };
  }
}

async function* batchesFrom(
  first: Cells[],
  readOn: () => Promise<string | undefined>,
  rowsIn: (text: string) => Cells[],
): RowStream['batches'] {
  if (first.length > 0) yield first;
  for (let text = await readOn(); text !== undefined; text = await readOn()) {
    const rows = rowsIn(text);
    if (rows.length > 0) yield rows;
  }
}

/** Finds rows in a JSON text that may be cut anywhere. It relies on no order of the members. */
function createScanner(statements: number) {
  let depth = 0;
  let results = 0;
  let isInString = false;
  let isEscaped = false;
  let isInRow = false;
  /** The pieces of a row whose end has not arrived. */
  let kept: string[] = [];
  // Places in the piece that is being read.
  let lastResultAt: number | undefined;
  let rowAt = 0;
  let firstRowAt: number | undefined;
  let rowsEnd: number | undefined;

  /** @returns the index after the closing quote, or the length if the string continues in the next piece */
  function endOfString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const character = piece.charCodeAt(at);
      if (isEscaped) {
        isEscaped = false;
      } else if (character === BACKSLASH) {
        isEscaped = true;
      } else if (character === QUOTE) {
        isInString = false;
        return at + 1;
      }
    }
    return piece.length;
  }

  function open(at: number, isArray: boolean): void {
    depth += 1;
    if (depth === RESULT_DEPTH && ++results === statements) lastResultAt = at;
    // `fields` has objects at the depth of rows.
    if (depth !== ROW_DEPTH || !isArray || results < statements) return;
    isInRow = true;
    rowAt = at;
    firstRowAt ??= at;
  }

  function close(at: number): void {
    if (depth === ROW_DEPTH && isInRow) {
      isInRow = false;
      rowsEnd = at + 1;
    }
    depth -= 1;
  }

  function readBrackets(piece: string): void {
    for (let at = isInString ? endOfString(piece, 0) : 0; at < piece.length; at++) {
      switch (piece.charCodeAt(at)) {
        case QUOTE:
          isInString = true;
          at = endOfString(piece, at + 1) - 1;
          break;
        case OPEN_ARRAY:
          open(at, true);
          break;
        case OPEN_OBJECT:
          open(at, false);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          close(at);
          break;
      }
    }
  }

  return {
    isComplete: () => depth === 0 && results === statements,

    /** @returns where the last result begins, if it does so in this piece, and the rows that end in it */
    read(piece: string): { lastResultAt: number | undefined; rows: Cells[] } {
      lastResultAt = undefined;
      rowAt = 0;
      firstRowAt = isInRow ? 0 : undefined;
      rowsEnd = undefined;
      readBrackets(piece);
      let rows: Cells[] = [];
      if (rowsEnd !== undefined) {
        rows = JSON.parse(`[${kept.join('')}${piece.slice(firstRowAt, rowsEnd)}]`);
        kept = [];
      }
      if (isInRow) kept.push(piece.slice(rowAt));
      return { lastResultAt, rows };
    },
  };
}
