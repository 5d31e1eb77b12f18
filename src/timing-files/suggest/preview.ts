import { withLineFeeds } from '../read/csv-reader.ts';
import { decideEncoding, type Encoding, startDecoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import { MEANINGS, PARAMETER_OF, type Parameters, PLAIN, writeQuery } from '../read/parameters.ts';
import type { ResultStatus } from '../read/result-status.ts';
import { readByBlock } from '../read/results-file.ts';
import { cutTo } from '../read/text.ts';
import { columnsOf } from './column.ts';
import { classify } from './column-classes.ts';
import { type FileStart, readStart, recognize } from './file-start.ts';
import { fileWarnings, noRows } from './file-warnings.ts';
import { bibTexts } from './guess-bib.ts';
import { guessEncoding, isUncertain } from './guess-encoding.ts';
import { sampleRows } from './sample.ts';
import { type Suggestion, suggest } from './suggestion.ts';
import { type PreviewFailure, type PreviewRow, type Tally, tallyRows } from './tally.ts';
import { lastLineCut, notRead, splitsUnlikely } from './upload-warnings.ts';
import type { Warning } from './warning.ts';

export type Preview = {
  encoding: Encoding;
  delimiter: string;
  /** Line of the header; 0 if there is none. */
  header_line: number;
  columns: PreviewColumn[];
  /** Counts of `reading`, without a comparison with the event. */
  counts: PreviewCounts;
  rows: PreviewRow[];
  failed: PreviewFailure[];
  warnings: Warning[];
  suggestion: { query: string; why: string } | null;
  /**
   * The parameters that `columns`, `counts`, `rows` and `failed` belong to: those sent or, if the file
   * cannot be read with them, those suggested. Undefined if the file cannot be read with either.
   */
  reading: Parameters | undefined;
  suggested: Parameters | undefined;
};

type PreviewColumn = {
  name: string;
  meaning: 'bib' | 'chip_time' | 'gun_time' | 'status' | 'split' | null;
  why: string;
  samples: string[];
};

type PreviewCounts = {
  total_processed: number;
  errors: number;
  duplicates: number;
  statuses: Record<ResultStatus, number>;
};

export type PreviewOptions = {
  /** Lets other work go on, after each block. */
  pause?: () => Promise<void>;
  /** Those of the texts that are bibs of the event. */
  bibsOf?: (texts: readonly string[]) => Promise<ReadonlySet<string>>;
};

/**
 * Reads a file as an upload with these parameters would, and suggests parameters.
 * @param blocks the whole file. They are iterated several times
 * @throws FileError if the file cannot be read with any parameters, or not with these
 */
export async function previewFile(
  blocks: Iterable<Uint8Array>,
  parameters: Parameters,
  { pause = async () => {}, bibsOf = async () => new Set() }: PreviewOptions = {},
): Promise<Preview> {
  const decided = decideEncoding(blocks, parameters.encoding);
  const isOpen = parameters.encoding === undefined && isUncertain(decided, blocks);
  const encoding = isOpen ? guessEncoding(blocks) : decided;
  const given = encoding === decided ? parameters : { ...parameters, encoding };
  const { text, isCut } = startOf(blocks, encoding);
  const first = readStart(text, parameters);
  const start = { ...first, rows: await sampleRows(blocks, encoding, first, pause) };
  const known = await bibsOf(bibTexts(columnsOf(start)));
  const tallies = new Map<string, Tally | FileError>();
  const tallyOf = async (chosen: Parameters) => {
    const query = writeQuery(chosen);
    const tally =
      tallies.get(query) ?? (await tallyRows(readByBlock(blocks, decided, chosen), pause));
    tallies.set(query, tally);
    return tally;
  };

  const sent = await tallyOf(parameters);
  const suggestion = suggest(start, given, known);
  const suggested = suggestion.parameters && (await tallyOf(suggestion.parameters));
  const [reading, tally] =
    sent instanceof FileError ? [suggestion.parameters, suggested] : [parameters, sent];
  const read = tally instanceof FileError ? undefined : tally;
  const whole = suggested ?? sent;
  const last = whole instanceof FileError ? undefined : whole.lastRow;
  return {
    encoding,
    delimiter: start.delimiter,
    header_line: start.headerLine,
    columns: describeColumns(start, parameters, suggestion),
    counts: countsOf(read),
    rows: read?.shown ?? [],
    failed: read?.failed ?? [],
    warnings: merged([
      ...suggestion.doubts,
      ...(suggested && !(suggested instanceof FileError)
        ? warningsOf(suggested, start, suggestion.parameters)
        : []),
      ...(sent instanceof FileError
        ? [{ code: 'file_refused' as const, detail: sent.message, rows: [] }]
        : warningsOf(sent, start, parameters).map((one) => withRemedy(one, suggestion))),
      ...(parameters.splits || !suggestion.parameters?.splits || suggestion.leftOut.length === 0
        ? []
        : [splitsUnlikely(suggestion.leftOut)]),
      ...suggestion.leftOut.slice(0, COLUMNS_WARNED).map(notRead),
      ...(last ? lastLineCut(last, start.header.length, isCut) : []),
    ]),
    suggestion: suggestion.parameters
      ? { query: writeQuery(suggestion.parameters), why: suggestion.why }
      : null,
    reading: read && reading,
    suggested: suggestion.parameters,
  };
}

function warningsOf(tally: Tally, start: FileStart, parameters: Parameters = PLAIN): Warning[] {
  const [bib = -1] = recognize(start, parameters)?.bib ?? [];
  const isBibNamed = classify(start.header[bib] ?? '') === 'bib';
  if (tally.total === 0) return [noRows(parameters)];
  return fileWarnings({ ...tally, format: parameters.timeFormat, isBibNamed });
}

const START_LENGTH = 65_536;

/** The complete lines at the start of a file, and whether its last line has no end. */
export function startOf(blocks: Iterable<Uint8Array>, encoding: Encoding) {
  const decoding = startDecoding(encoding);
  let text = '';
  let isWhole = true;
  let last = new Uint8Array();
  for (const bytes of blocks) {
    if (text.length >= START_LENGTH) isWhole = false;
    else text += decoding.decode(bytes) ?? '';
    if (bytes.length > 0) last = new Uint8Array(bytes.slice(-2));
  }
  if (isWhole) text += decoding.end() ?? '';
  isWhole &&= text.length <= START_LENGTH;
  const whole = withLineFeeds(text.slice(0, START_LENGTH));
  // A file that ends without a newline may still be on its way.
  const isCut = isLastLineCut(last, encoding);
  if (isWhole) return { text: `${whole}\n`, isCut };
  const end = whole.lastIndexOf('\n') + 1;
  return { text: end === 0 ? whole : whole.slice(0, end), isCut };
}

function isLastLineCut(last: Uint8Array, encoding: Encoding): boolean {
  const at = encoding === 'utf-16le' ? -2 : -1;
  const byte = last.at(at);
  return byte !== undefined && byte !== 0x0a && byte !== 0x0d;
}

const COLUMNS_WARNED = 30;

/** If all rows fail, adds the parameters with which they load. */
function withRemedy(warning: Warning, { parameters, why }: Suggestion): Warning {
  if (warning.code !== 'rows_fail_alike' || !parameters) return warning;
  return { ...warning, detail: `${warning.detail} ${why} Add ?${writeQuery(parameters)}.` };
}

const countsOf = (tally: Tally | undefined): PreviewCounts => ({
  total_processed: tally?.total ?? 0,
  errors: tally?.errors ?? 0,
  duplicates: tally?.duplicates ?? 0,
  statuses: tally?.statuses ?? { FINISHED: 0, DNS: 0, DNF: 0, DSQ: 0 },
});

/** Each warning once. Those of the suggestion come first. */
const merged = (warnings: readonly Warning[]): Warning[] =>
  [
    ...new Map([...warnings].reverse().map((one) => [`${one.code} ${one.detail}`, one])).values(),
  ].reverse();

const SAMPLE_LENGTH = 100;
const SAMPLES_SHOWN = 3;

function describeColumns(
  start: FileStart,
  given: Parameters,
  { parameters, leftOut }: Suggestion,
): PreviewColumn[] {
  const sent = recognize(start, given);
  const columns = sent ?? (parameters && recognize(start, parameters));
  const reasons = new Map(leftOut.map(({ index, why }) => [index, why]));
  const by = sent ? given : parameters;
  return start.header.map((name, index) => {
    const meaning = columns && MEANINGS.find((one) => columns[one].includes(index));
    const isSplit = !meaning && columns?.splitIndexes.includes(index);
    const isNamed = (meaning ? by?.columns[meaning] : by?.splits) !== undefined;
    const whyRead = isSplit
      ? 'every column without another meaning is a split'
      : 'its name says so';
    const whyNamed = sent ? 'a parameter names it' : 'the suggestion names it';
    const why = isNamed ? whyNamed : whyRead;
    return {
      name,
      meaning: meaning ? PARAMETER_OF[meaning] : isSplit ? 'split' : null,
      why: meaning || isSplit ? why : (reasons.get(index) ?? 'it is not read'),
      samples: start.rows
        .map(({ cells }) => cutTo(SAMPLE_LENGTH, (cells[index] ?? '').trim()))
        .filter((cell) => cell !== '')
        .slice(0, SAMPLES_SHOWN),
    };
  });
}
