import { describe, expect, test } from 'vitest';
import { type Cells, openRowStream } from './row-stream.ts';

const FIELDS = [{ name: 'bib', dataTypeID: 25 }, { name: 'list [' }];
const ROWS: Cells[] = [
  ['17', 'a "quoted" [text] {with} brackets, \\ and ñ😀'],
  [null, ''],
  ['18', '\\"]'],
];
const first = { fields: [{ name: 'id' }], rows: [['k', 't']], command: 'SELECT' };

/** Neon promises no order of members. */
const ANSWERS = {
  'fields first': { results: [first, { command: 'SELECT', fields: FIELDS, rows: ROWS }] },
  'rows first': { results: [first, { rows: ROWS, fields: FIELDS, rowAsArray: true }] },
};

/** The bytes in pieces of this length. */
function cut(text: string, length: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let from = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (from >= bytes.length) {
        controller.close();
        return controller.byobRequest?.respond(0);
      }
      controller.enqueue(bytes.slice(from, from + length));
      from += length;
    },
  });
}

async function read(text: string, length: number) {
  const { head, rows } = await openRowStream(cut(text, length), 2);
  const read: Cells[] = [];
  for await (const row of rows.rows) read.push(row);
  return { head: JSON.parse(head), rows: read };
}

describe('openRowStream', () => {
  test.each(Object.entries(ANSWERS))(
    'reads an answer that is cut anywhere: %s',
    async (_, answer) => {
      const text = JSON.stringify(answer);
      for (const length of [1, 2, 3, 7, 64, 10_000]) {
        expect(await read(text, length)).toEqual({
          head: { results: [first, { fields: [], rows: [] }] },
          rows: ROWS,
        });
      }
    },
  );

  test('reads a result without rows', async () => {
    const text = JSON.stringify({ results: [first, { fields: FIELDS, rows: [] }] });
    expect((await read(text, 5)).rows).toEqual([]);
  });

  test('fails if the answer breaks off, wherever it does', async () => {
    const text = JSON.stringify(ANSWERS['fields first']);
    const complete: number[] = [];
    for (let end = 1; end < text.length; end += 1) {
      await read(text.slice(0, end), 16).then(
        () => complete.push(end),
        () => {},
      );
    }
    expect(complete).toEqual([]);
  });
});
