import { appendFile, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import type { Report, ResultRow } from './plan.ts';

/** A pause in the middle of a line, as when timing software flushes its buffer. */
const HALF_LINE_MS = 150;

const STYLES = [
  ...(['append', 'half a line', 'replace', 'no last line end', 'a row is away'] as const),
  'clock back',
] as const;

/** Writes these reports into the file, each time in another style. */
type Export = (reports: readonly Report[]) => Promise<void>;

/**
 * Writes a results file like timing software: appends lines, rewrites the file or replaces the file, leaves out the
 * last line end or for a while a row. The clock of the file may go back. A reader may find half a line at any time. A
 * bib keeps its line. Without reports the whole file is written once more.
 * @param splits names of all splits
 */
export function exportTo(
  path: string,
  splits: readonly string[],
  sleep: (ms: number) => Promise<unknown>,
): Export {
  const header = ['bib', 'status', 'chip_time', 'gun_time', ...splits].join(';');
  const lines = new Map<string, string>();
  let turn = 0;
  return async (reports) => {
    for (const { row } of reports) lines.set(row.bib_number, lineOf(row, splits));
    const text = [header, ...lines.values(), ''].join('\r\n');
    if (reports.length === 0) return writeFile(path, text);
    const style = STYLES[turn % STYLES.length];
    turn += 1;
    switch (style) {
      case 'append': {
        const before = await readFile(path, 'utf8').catch(() => '');
        // A correction changes an earlier line, so appending is impossible.
        if (!text.startsWith(before)) return writeFile(path, text);
        return appendFile(path, text.slice(before.length));
      }
      case 'half a line':
        await writeFile(path, text.slice(0, -header.length / 2));
        await sleep(HALF_LINE_MS);
        return writeFile(path, text);
      case 'replace':
        await writeFile(`${path}.tmp`, text);
        return rename(`${path}.tmp`, path);
      case 'no last line end':
        return writeFile(path, text.trimEnd());
      case 'a row is away':
        return writeFile(path, text.replace(/(?<=\r\n).*?\r\n/, ''));
      default:
        await writeFile(path, text);
        return utimes(path, 1, 1);
    }
  };
}

export const splitNamesOf = (rows: readonly ResultRow[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row.splits))),
];

export const lineOf = (row: ResultRow, splits: readonly string[]): string =>
  [
    ...[row.bib_number, row.status, row.chip_time, row.gun_time],
    ...splits.map((name) => row.splits[name]),
  ].join(';');
