import { BYTE_ORDER_MARK, csvLine } from '../../../../../timing-files/write/csv.ts';
import { spreadsheetDelimiter } from '../formats.ts';

/** Makes a CSV file for Excel's double click. */
export function csvFile(rows: readonly (readonly string[])[]) {
  const delimiter = spreadsheetDelimiter() === 'semicolon' ? ';' : ',';
  const lines = rows.map((cells) => csvLine(cells, delimiter));
  return new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' });
}

/** Saves a file under a name accepted by every system. */
export function saveFile(file: Blob, name: string, extension = 'csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').slice(0, 100)}.${extension}`;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
