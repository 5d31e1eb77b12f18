import { formatRaceTime } from '../timing-files/read/race-time.ts';

const MIB = 1_024 * 1_024;
const BOUNDARY = 'bench';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** More bytes than the form around a file needs. */
const FORM_ROOM = 1_024;
/** The largest file that the API accepts, in bytes. */
export const CSV_MAX = 16 * MIB - FORM_ROOM;

/** The body of a request with this file. */
export const form = (file: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="results.csv"\r\n` +
        'Content-Type: text/csv\r\n\r\n',
    ),
    Buffer.from(file),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Text of a header and lines: `rows` lines, or as many as fit into `maxBytes`. */
export function lines(
  header: string,
  rows: number,
  line: (row: number) => string,
  maxBytes = CSV_MAX,
): string {
  const written = [header];
  let bytes = Buffer.byteLength(header) + 1;
  for (let row = 1; row <= rows; row++) {
    const text = line(row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) break;
    written.push(text);
  }
  return `${written.join('\n')}\n`;
}

export type RaceRow = {
  bib_number: string;
  chip_time: string;
  gun_time: string;
  splits: Record<string, string>;
};

/** The result of a bib. The result is equal in every format. */
export function raceRow(bib: number, splits = 3): RaceRow {
  const chipTimeMs = 4_000_000 + ((bib * 7_919) % 9_000_000);
  const times = Array.from({ length: splits }, (_, index) => [
    `Km ${5 * (index + 1)}`,
    formatRaceTime(Math.round((chipTimeMs * (index + 1)) / (splits + 1))),
  ]);
  return {
    bib_number: String(bib),
    chip_time: formatRaceTime(chipTimeMs),
    gun_time: formatRaceTime(chipTimeMs + 12_345),
    splits: Object.fromEntries(times),
  };
}

export const raceHeader = (splits = 3): string =>
  ['Dorsal', 'Tiempo chip', 'Tiempo pistola', ...Object.keys(raceRow(1, splits).splits)].join(',');

export function raceLine(bib: number, splits = 3): string {
  const row = raceRow(bib, splits);
  return [row.bib_number, row.chip_time, row.gun_time, ...Object.values(row.splits)].join(',');
}
