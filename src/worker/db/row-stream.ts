import { createBracketFinder } from '../json-brackets.ts';

/** The values of a row, as Postgres writes them. */
export type Cells = readonly (string | null)[];

/** The rows of a transaction's last statement, while they arrive. */
export class RowStream<Row = Cells> {
  /** Throws if the answer breaks off. */
  readonly rows: AsyncGenerator<Row, void>;
  /** Ends the transfer. */
  readonly cancel: () => void;

  constructor(rows: RowStream<Row>['rows'], cancel: () => void) {
    this.rows = rows;
    this.cancel = cancel;
  }

  map<Other>(change: (row: Row) => Other): RowStream<Other> {
    const { rows } = this;
    async function* changed() {
      for await (const row of rows) yield change(row);
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
  async function readOn(): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read();
    if (!done) return value;
    if (!scan.isComplete()) throw new Error('The answer of the database broke off.');
    return undefined;
  }

  for (;;) {
    const piece = await readOn();
    if (!piece) throw new Error(`The database answered fewer than ${statements} results.`);
    const { lastResultAt, rows } = scan.read(piece);
    head += utf8.decode(piece.subarray(0, lastResultAt), { stream: true });
    if (lastResultAt === undefined) continue;
    // Cancelling fails where the transfer has failed already.
    const cancel = () => void reader.cancel().catch(() => {});
    return { head: head + EMPTY_RESULT, rows: new RowStream(rowsFrom(rows), cancel) };
  }

  async function* rowsFrom(first: Cells[]): RowStream['rows'] {
    yield* first;
    for (let piece = await readOn(); piece; piece = await readOn()) yield* scan.read(piece).rows;
  }
}

/** Finds rows in a JSON text that may be cut anywhere. It relies on no order of the members. */
function createScanner(statements: number) {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let depth = 0;
  let results = 0;
  let isInRow = false;
  /** The text of a row whose end has not arrived. */
  let kept = '';
  // Places in the piece that is being read.
  let lastResultAt: number | undefined;
  let rowAt = 0;
  let firstRowAt: number | undefined;
  let rowsEnd: number | undefined;

  const findBrackets = createBracketFinder({
    open(at, isArray) {
      depth += 1;
      if (depth === RESULT_DEPTH && ++results === statements) lastResultAt = at;
      // `fields` has objects at the depth of rows.
      if (depth !== ROW_DEPTH || !isArray || results < statements) return;
      isInRow = true;
      rowAt = at;
      firstRowAt ??= at;
    },
    close(at) {
      if (depth === ROW_DEPTH && isInRow) {
        isInRow = false;
        rowsEnd = at + 1;
      }
      depth -= 1;
    },
  });

  return {
    isComplete: () => depth === 0 && results === statements,

    /** @returns where the last result begins, if it does so in this piece, and the rows that end in it */
    read(piece: Uint8Array): { lastResultAt: number | undefined; rows: Cells[] } {
      lastResultAt = undefined;
      rowAt = 0;
      firstRowAt = isInRow ? 0 : undefined;
      rowsEnd = undefined;
      findBrackets(piece);
      let rows: Cells[] = [];
      if (rowsEnd !== undefined) {
        rows = JSON.parse(`[${kept}${utf8.decode(piece.subarray(firstRowAt, rowsEnd))}]`);
        kept = '';
      }
      if (isInRow) kept += utf8.decode(piece.subarray(rowAt), { stream: true });
      return { lastResultAt, rows };
    },
  };
}
