import { createGate } from '../../../worker/gate/gate.ts';
import { openBody } from '../../../worker/http/body.ts';
import { readCsvBatch } from '../../../worker/results/upload/csv-batch.ts';
import { CSV_BODY_MAX } from '../../../worker/results/upload/schemas.ts';

/** Reads a CSV file as the API does, up to the arrays for Postgres. */
export default {
  async fetch(request) {
    const size = { maxBytes: CSV_BODY_MAX, roomPerByte: 1 };
    const body = openBody(request, size, createGate(), 'bench');
    const batch = await readCsvBatch(body.pieces());
    return Response.json({ rows: batch.loadable.rows.length });
  },
} satisfies ExportedHandler;
