import Papa from 'papaparse';
import { createCsvReader } from '../../results/csv-reader.ts';
import { readCsvBatch } from '../../results/csv-rows.ts';

const PIECE_LENGTH = 65_536;

let file = new Uint8Array();
let text = '';

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.length; from += PIECE_LENGTH) {
    yield file.subarray(from, from + PIECE_LENGTH);
  }
}

const readers: Record<string, () => Promise<number>> = {
  /** The API's: bytes in, rows judged. */
  batch: async () => (await readCsvBatch(pieces())).total,
  /** The API's reader alone: bytes in, rows of cells out. */
  async rows() {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
    let rows = 0;
    const reader = createCsvReader(
      () => ',',
      () => {
        rows += 1;
      },
    );
    for await (const bytes of pieces()) reader.write(decoder.decode(bytes, { stream: true }));
    reader.end();
    return rows;
  },
  /** Papa Parse alone, on the text as a whole. */
  papaparse: async () => Papa.parse(text, { delimiter: ',' }).data.length,
};

/** `PUT /` takes a file, `GET /<reader>` reads it and tells how many rows there are. */
export default {
  async fetch(request) {
    if (request.method === 'PUT') {
      file = new Uint8Array(await request.arrayBuffer());
      text = new TextDecoder().decode(file);
      return new Response();
    }
    const read = readers[new URL(request.url).pathname.slice(1)];
    return read ? Response.json(await read()) : new Response(null, { status: 404 });
  },
} satisfies ExportedHandler;
