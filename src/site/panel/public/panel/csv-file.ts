import { spreadsheetDelimiter } from './formats.ts';

/** A spreadsheet runs a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Makes a CSV file that Excel opens by double click. */
export function csvFile(rows: readonly (readonly string[])[]) {
  const delimiter = spreadsheetDelimiter() === 'semicolon' ? ';' : ',';
  const lines = rows.map((cells) => cells.map(cellOf).join(delimiter));
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
}

const cellOf = (text: string) =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Saves a file under a name that every system accepts. */
export function saveFile(file: Blob, name: string, extension = 'csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').slice(0, 100)}.${extension}`;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
