import Papa from 'papaparse';

/** Parses the whole text of a CSV file at once, which is the fastest way of Papa Parse. */
export default {
  async fetch(request) {
    const { data } = Papa.parse(await request.text());
    // Without the header.
    return Response.json({ rows: data.length - 1 });
  },
} satisfies ExportedHandler;
