import { markdownTable, type Report } from './measure.ts';
import { startServers } from './race.ts';
import { type Api, fileOf, rowsFrom, startApi } from './uploads.ts';
import type { Build } from './worker.ts';

const REGISTRATIONS = 50_000;
const LIVE_ROWS = 20;
const UPLOAD_ROWS = 5_000;
const PAGE_SIZE = 100;

/** What travels between the Worker and Postgres for one request, counted by the gateway. */
export async function benchTraffic(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const api = await startApi(build, servers, REGISTRATIONS);
    try {
      const counted: string[][] = [];
      for (const { name, rows, send } of requests(api)) {
        // The first of a key also marks it as used.
        await send();
        const { requestBytes, responseBytes } = await countTraffic(api, send);
        const bytes = requestBytes + responseBytes;
        counted.push([
          name,
          String(requestBytes),
          String(responseBytes),
          rows === undefined ? '–' : (bytes / rows).toFixed(0),
        ]);
      }
      const header = ['operation', 'bytes to Postgres', 'bytes from Postgres', 'a row'];
      return { lines: [], notes: [markdownTable(header, counted), METHOD] };
    } finally {
      await api.stop();
    }
  } finally {
    await servers.stop();
  }
}

const METHOD =
  'Traffic: bytes of the bodies that the gateway to Postgres received and sent for one request of ' +
  'the API, all its trips together, as the driver writes them: JSON with the statements in it. An ' +
  'upload also identifies its key and finds its event before it writes.';

type Request = { name: string; rows?: number; send: () => Promise<void> };

function requests({ origin, race, keys: [key = ''], sendJson, sendCsv }: Api): Request[] {
  const read = (name: string, path: string): Request => ({
    name,
    async send() {
      const response = await fetch(`${origin}${path}`, { headers: { 'X-API-Key': key } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text}`);
    },
  });
  const json = (rows: number): Request => ({
    name: `JSON of ${rows} rows`,
    rows,
    send: () => sendJson(rowsFrom(1, rows)),
  });
  const file = fileOf(REGISTRATIONS);
  return [
    read('listEvents', '/public/v1/events'),
    read('getEvent', race.path),
    read(
      `listEventParticipants, ${PAGE_SIZE} a page`,
      `${race.path}/participants?page_size=${PAGE_SIZE}`,
    ),
    read('lookupEventParticipants', `${race.path}/participants/lookup?bib=17`),
    read('getEventStats', `${race.path}/stats`),
    json(LIVE_ROWS),
    json(UPLOAD_ROWS),
    { name: `CSV of ${REGISTRATIONS} rows`, rows: REGISTRATIONS, send: () => sendCsv(file) },
  ];
}

async function countTraffic({ servers }: Api, send: () => Promise<void>) {
  const { traffic } = servers.stack.neon;
  const before = { ...traffic };
  await send();
  return {
    requestBytes: traffic.requestBytes - before.requestBytes,
    responseBytes: traffic.responseBytes - before.responseBytes,
  };
}
