import { PACE, readBody } from '../../../worker/http/body.ts';
import { readCsvBatch } from '../../../worker/results/upload/csv-batch.ts';
import { CSV_BODY_MAX } from '../../../worker/results/upload/schemas.ts';

/** Reads a CSV file as the API does, up to the arrays that it would send to Postgres. */
export default {
  async fetch(request) {
    const batch = await readCsvBatch(readBody(request, CSV_BODY_MAX, PACE));
    return Response.json({ rows: batch.loadable.rows.length });
  },
} satisfies ExportedHandler;
