import { createBracketFinder } from '../json-brackets.ts';

/** The values of a row, as Postgres writes them. */
export type Cells = readonly (string | null)[];

/** The rows of a transaction's last statement, during their arrival. */
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

/** Ends the transfer of unread rows among these answers. */
export function cancelStreams(answers: readonly unknown[]): void {
  for (const answer of answers) if (answer instanceof RowStream) answer.cancel();
}

/** The depth of the brackets in Neon's answer: `{"results":[{"rows":[["17",…],…],…},…]}`. */
const RESULT_DEPTH = 3;
const ROW_DEPTH = 5;

/** A plain reader gets 4 KiB of a body at a time, and each read costs a turn of the event loop. */
const PIECE_BYTES = 131_072;

/** Stands for the last result in `head`. */
const EMPTY_RESULT = '{"fields":[],"rows":[]}]}';

/**
 * Reads Neon's answer to a transaction up to the rows of its last statement. A large answer does not fit into the
 * isolate: the bytes, the text and the values would exist together.
 * @returns the answer without these rows as JSON, and the rows
 */
export async function openRowStream(
  body: ReadableStream<Uint8Array>,
  statements: number,
): Promise<{ head: string; rows: RowStream }> {
  const reader = body.getReader({ mode: 'byob' });
  const slices = sliceAnswer(reader, statements);
  const head = await slices.next();
  if (head.done) throw new Error(`The database answered fewer than ${statements} results.`);
  async function* parsed(): RowStream['rows'] {
    for await (const row of slices) yield JSON.parse(row);
  }
  // Cancelling fails where the transfer has failed already.
  const cancel = () => void reader.cancel().catch(() => {});
  return { head: head.value + EMPTY_RESULT, rows: new RowStream(parsed(), cancel) };
}

/**
 * Cuts Neon's answer into the text before its last result and the rows of this result. All else is left out.
 * @throws Error if the answer ends before its last bracket
 */
async function* sliceAnswer(
  reader: ReadableStreamBYOBReader,
  statements: number,
): AsyncGenerator<string, void> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const findCuts = createCutFinder(statements);
  /** The bytes after the last cut. */
  let rest = '';
  let isComplete = false;
  let buffer = new ArrayBuffer(PIECE_BYTES);
  for (;;) {
    const { value: piece } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(buffer));
    if (!piece || piece.length === 0) break;
    // The read takes the buffer and gives the buffer back.
    buffer = piece.buffer;
    const cut = findCuts(piece);
    let from = 0;
    for (const { at, isEnd } of cut.cuts) {
      const slice = rest + utf8.decode(piece.subarray(from, at), { stream: true });
      if (isEnd) yield slice;
      rest = '';
      from = at;
    }
    rest += utf8.decode(piece.subarray(from), { stream: true });
    isComplete = cut.isComplete;
  }
  if (!isComplete) throw new Error('The answer of the database broke off.');
}

/** An offset in the bytes. @property isEnd whether a slice ends at the offset; otherwise a slice begins */
type Cut = { at: number; isEnd: boolean };

/** Finds the cuts of `sliceAnswer` in a JSON text in any pieces. The cuts do not depend on the order of members. */
function createCutFinder(statements: number) {
  let depth = 0;
  let results = 0;
  let cuts: Cut[] = [];
  const isRow = (isArray: boolean) => results === statements && depth === ROW_DEPTH && isArray;
  const findBrackets = createBracketFinder({
    open(at, isArray) {
      depth += 1;
      if (depth === RESULT_DEPTH && ++results === statements) cuts.push({ at, isEnd: true });
      // `fields` has objects at the depth of rows.
      if (isRow(isArray)) cuts.push({ at, isEnd: false });
    },
    close(at, isArray) {
      if (isRow(isArray)) cuts.push({ at: at + 1, isEnd: true });
      depth -= 1;
    },
  });
  return (piece: Uint8Array) => {
    cuts = [];
    findBrackets(piece);
    return { cuts, isComplete: depth === 0 && results === statements };
  };
}
