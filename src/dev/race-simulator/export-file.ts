import { appendFile, open, rename, utimes, writeFile } from 'node:fs/promises';
import type { Report, ResultRow } from './plan.ts';

/** A pause in the middle of a line, as when timing software flushes its buffer. */
const HALF_LINE_MS = 150;

const STYLES = [
  ...(['append', 'rewrite', 'replace', 'half line', 'byte by byte'] as const),
  ...(['no last line end', 'a row is away', 'clock back'] as const),
];
type Style = (typeof STYLES)[number];

type ExportFile = {
  /** Writes these reports into the file, each time in another style. */
  write(reports: readonly Report[]): Promise<void>;
  /** Writes the whole file once more, in one piece. */
  finish(): Promise<void>;
  /** The number of rows in the file. */
  rows(): number;
};

/**
 * Writes a results file as timing software does: it appends lines, rewrites the file or replaces it, leaves out
 * the last line end or for a while a row, and its clock may go back. A reader may find half a line at any time. A
 * bib keeps its line.
 * @param splits names of all splits
 */
export async function startExport(
  path: string,
  splits: readonly string[],
  sleep: (ms: number) => Promise<unknown>,
): Promise<ExportFile> {
  const header = ['bib', 'status', 'chip_time', 'gun_time', ...splits].join(';');
  const lines = new Map<string, string>();
  let turn = 0;
  let isWhole = true;
  const text = () => `${[header, ...lines.values()].join('\r\n')}\r\n`;
  await writeFile(path, text());

  const writeInParts = async (parts: readonly string[], flags: string) => {
    const file = await open(path, flags);
    try {
      for (const [at, part] of parts.entries()) {
        if (at > 0) await sleep(HALF_LINE_MS / parts.length);
        await file.appendFile(part);
      }
    } finally {
      await file.close();
    }
  };
  const writers: Record<Style, (added: string) => Promise<void>> = {
    append: (added) => appendFile(path, added),
    rewrite: () => writeFile(path, text()),
    async replace() {
      await writeFile(`${path}.tmp`, text());
      await rename(`${path}.tmp`, path);
    },
    async 'half line'(added) {
      const middle = Math.floor(added.length / 2);
      await writeInParts([added.slice(0, middle), added.slice(middle)], 'a');
    },
    'byte by byte': (added) => writeInParts([...added], 'a'),
    'no last line end': () => writeFile(path, text().trimEnd()),
    'a row is away': () => writeFile(path, text().replace(/(?<=\r\n).*?\r\n/, '')),
    async 'clock back'() {
      await writeFile(path, text());
      await utimes(path, 1, 1);
    },
  };

  return {
    rows: () => lines.size,
    async write(reports) {
      if (reports.length === 0) return;
      const isAdded = reports.every(({ row }) => !lines.has(row.bib_number));
      const before = lines.size;
      for (const { row } of reports) lines.set(row.bib_number, lineOf(row, splits));
      const added = [...lines.values()].slice(before).map((line) => `${line}\r\n`);
      const style = STYLES[turn % STYLES.length] ?? 'rewrite';
      turn += 1;
      // A correction changes an earlier line, so that the file cannot be appended to. Nor can one that is not whole.
      const isAppendable = isAdded && isWhole;
      isWhole = style !== 'no last line end' && style !== 'a row is away';
      const isAppending = style === 'append' || style === 'half line' || style === 'byte by byte';
      await writers[isAppending && !isAppendable ? 'rewrite' : style](added.join(''));
    },
    finish: () => writers.rewrite(''),
  };
}

const lineOf = (row: ResultRow, splits: readonly string[]): string =>
  [
    row.bib_number,
    row.status,
    row.chip_time ?? '',
    row.gun_time ?? '',
    ...splits.map((name) => row.splits[name] ?? ''),
  ].join(';');
