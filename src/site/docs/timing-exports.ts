import * as z from 'zod';
import exports from './timing-exports.json' with { type: 'json' };

/** Column names as in the header. */
const ReadColumns = z.strictObject({
  bib: z.string(),
  chipTime: z.string().optional(),
  gunTime: z.string().optional(),
  status: z.string().optional(),
  splits: z.array(z.string()).optional(),
});

const SentFile = z.strictObject({
  encoding: z.enum(['UTF-8', 'UTF-8 with BOM', 'latin-1', 'UTF-16']),
  lines: z.array(z.string()),
  /** The meaning of each column, or a part of the error if the file is refused. */
  read: z.union([ReadColumns, z.strictObject({ refused: z.string() })]),
});

const TimingExport = z.strictObject({
  source: z.string(),
  sent: SentFile,
  /** The failing lines, each with a part of the reason. */
  failed: z.record(z.string(), z.string()).optional(),
  /** The change with which the whole file loads, as Markdown, and the changed file. */
  advice: z.strictObject({ text: z.string(), changed: SentFile }).optional(),
});

export type SentFile = z.infer<typeof SentFile>;
export type TimingExport = z.infer<typeof TimingExport>;

/**
 * Small exports of timing software and spreadsheets with synthetic runners, and how the API reads them. The CSV guide
 * shows the exports as a table. src/worker/results/upload/timing-exports.test.ts uploads each file.
 */
export const TIMING_EXPORTS = z.array(TimingExport).parse(exports);

/** The text of a file. The file's bytes are this text in `encoding`. */
export const textOf = ({ lines }: SentFile): string => lines.map((line) => `${line}\r\n`).join('');

export const delimiterOf = ({ lines }: SentFile): string =>
  [';', '\t'].find((delimiter) => lines.join().includes(delimiter)) ?? ',';
