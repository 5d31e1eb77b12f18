import Papa from 'papaparse';

/** Parses a CSV file with Papa Parse alone, the whole text at once: its fastest way. */
export default {
  async fetch(request) {
    const { data } = Papa.parse(await request.text());
    // Without the header.
    return Response.json({ rows: data.length - 1 });
  },
} satisfies ExportedHandler;
