import { notRead, splitsUnlikely } from '../judge/column-findings.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { createJudge } from '../judge/judge.ts';
import { type Finding, REFUTED, type Warning, withoutWeight } from '../judge/warning.ts';
import type { CsvRow } from '../read/csv-reader.ts';
import type { Encoding } from '../read/encoding.ts';
import { FileError } from '../read/file-error.ts';
import {
  MEANINGS,
  PARAMETER_OF,
  type Parameters,
  saysNothing,
  writeQuery,
} from '../read/parameters.ts';
import { formatRaceTimeOrNull } from '../read/race-time.ts';
import { RowError } from '../read/reason-codes.ts';
import { judgeRow, type Result } from '../read/result.ts';
import { byStatus, type ResultStatus } from '../read/result-status.ts';
import { type FileRow, readByBlock, readPaused } from '../read/results-file.ts';
import { cutTo } from '../read/text.ts';
import { inTurns, type Paused, stepByStep } from '../read/turns.ts';
import type { SheetStart } from '../read/workbook.ts';
import { askForTable, bibTextsAmong } from './alternatives.ts';
import { type FileStart, lookAt, recognize } from './file-start.ts';
import { sampleAlong, sampleRows } from './sample.ts';
import { question, type Suggestion, suggest } from './suggestion.ts';

/** How many rows, and how many failures, a preview shows. */
export const ROWS_PREVIEWED = 10;

/** The answer of a preview, and the rows of its readings in the collector's form. */
export type Preview<Kept> = {
  encoding: Encoding;
  delimiter: string;
  /** Line of the header; 0 without a header. */
  header_line: number;
  columns: PreviewColumn[];
  statuses: Record<ResultStatus, number>;
  rows: PreviewRow[];
  warnings: Warning[];
  suggestion: { query: string; why: string } | null;
  /**
   * The reading behind `columns`, `statuses` and `rows`: with the sent parameters or, if the sent parameters fail, with
   * the suggested parameters. Undefined if both fail.
   */
  shown: Kept | undefined;
  /** The reading with the suggested parameters, if the parameters differ. */
  suggested: Kept | undefined;
};

type PreviewColumn = {
  name: string;
  meaning: 'bib' | 'chip_time' | 'gun_time' | 'status' | 'split' | null;
  why: string;
  samples: string[];
};

type PreviewRow = {
  row: number;
  bib_number: string;
  status: ResultStatus;
  chip_time: string | null;
  gun_time: string | null;
  splits: Record<string, string | null>;
  /** The line of the later row of the same bib, which counts; null if this row counts. */
  replaced_by: number | null;
};

/** Keeps the rows of a reading of the file. */
export type Collector<Kept> = {
  /** @returns the result of the row, or the reason against storing the row */
  add(row: FileRow): Result | RowError;
  readonly duplicates: number;
  /** The first rows that a later row of the same bib replaces, with that row. */
  readonly repeated: readonly (readonly [earlier: number, row: number])[];
  finish(readAgain: () => Paused<FileRow>): Kept;
};

type PreviewOptions<Kept> = {
  /** @param isShown whether the preview shows the reading */
  collect(isShown: boolean): Collector<Kept>;
  /** All sheets of a workbook with several sheets, if no parameter names a sheet. */
  sheets?: readonly SheetStart[];
  /** Answers the texts that are bibs of the event, with their distances. */
  bibsOf?(texts: readonly string[]): Promise<KnownBibs>;
};

/** A reading of the whole file, in bounded memory. */
type Reading<Kept> = {
  statuses: Record<ResultStatus, number>;
  rows: PreviewRow[];
  warnings: Warning[];
  /** The argument against the reading. */
  alarm: Finding | undefined;
  kept: Kept;
};

/**
 * Reads a file like an upload with these parameters, and suggests parameters.
 * @param blocks the whole file. They are iterated several times
 * @throws FileError if the file is unreadable with any parameters, or with these parameters
 */
export async function previewFile<Kept>(
  blocks: readonly Uint8Array[],
  parameters: Parameters,
  { collect, sheets = [], bibsOf = async () => new Map() }: PreviewOptions<Kept>,
): Promise<Preview<Kept>> {
  const looked = lookAt(blocks, parameters);
  const { decided, encoding, given } = looked;
  const known = await bibsOf(bibTextsAmong(sheets, looked));
  let rows: CsvRow[] | undefined;
  /** Reads the file, and samples the file during the reading unless already sampled. */
  const read = async (chosen: Parameters, isShown: boolean) => {
    const along = rows ? undefined : sampleAlong(looked.start);
    const inEncoding = chosen.encoding ?? decided;
    const { isCut } = looked.start;
    const watch = { collector: collect(isShown), known, isCut, onRow: along?.onRow };
    const reading = await orRefusal(readWhole(blocks, inEncoding, chosen, watch));
    const isSample = inEncoding === encoding && leavesNothingOut(chosen);
    if (isSample && !(reading instanceof FileError)) rows ??= along?.finish();
    return reading;
  };

  const sent = await read(parameters, true);
  const isRefused = sent instanceof FileError;
  const doubt = await stepByStep(askForTable(sheets, looked, known));
  // A refused file is read with the parameters suggested by its start. With the whole sample, the suggestion is nearly
  // always equal.
  const guess = isRefused ? await stepByStep(suggest(looked.start, given, known)) : undefined;
  const guessed = guess?.parameters && !doubt ? await read(guess.parameters, true) : undefined;
  rows ??= await sampleRows(blocks, encoding, looked.start);
  const start = { ...looked.start, rows };
  const ofSample = doubt ? question(doubt) : await stepByStep(suggest(start, given, known));
  const chosen = ofSample.parameters;
  const isOther = chosen && !areSame(chosen, parameters);
  const isGuessed = isOther && areSame(chosen, guess?.parameters);
  const other = isOther && !isGuessed ? await read(chosen, isRefused) : guessed;
  const suggested = !isOther || other instanceof FileError ? undefined : other;
  const shown = isRefused ? suggested : sent;
  const alarm = (isOther ? suggested : shown)?.alarm;
  const isSent = !isOther && !saysNothing(parameters);
  const suggestion = isSent ? ofSample : despite(alarm, ofSample, start);
  return {
    encoding,
    delimiter: start.delimiter,
    header_line: start.headerLine,
    columns: describeColumns(start, parameters, ofSample),
    statuses: shown?.statuses ?? byStatus(() => 0),
    rows: shown?.rows ?? [],
    warnings: merged([
      ...suggestion.doubts,
      ...(suggested?.warnings ?? []),
      ...(isRefused
        ? [{ code: 'file_refused' as const, detail: sent.message, values: sent.said, rows: [] }]
        : sent.warnings.map((one) => withRemedy(one, ofSample))),
      ...unlikelySplits(parameters, ofSample),
      ...ofSample.leftOut.slice(0, COLUMNS_WARNED).map(notRead),
    ]),
    suggestion: suggestion.parameters
      ? { query: writeQuery(suggestion.parameters), why: suggestion.why }
      : null,
    shown: shown?.kept,
    suggested: isRefused ? undefined : suggested?.kept,
  };
}

/** Whether the parameters leave no row out. */
const leavesNothingOut = ({ where, whereNot, statusWords }: Parameters): boolean =>
  where.length + whereNot.length === 0 && !Array.from(statusWords.values()).includes('');

const areSame = (one: Parameters, other: Parameters | undefined): boolean =>
  other !== undefined && writeQuery(one) === writeQuery(other);

type Whole<Kept> = {
  collector: Collector<Kept>;
  known: KnownBibs;
  isCut: boolean;
  onRow: ((row: FileRow) => void) | undefined;
};

/** Reads and judges all rows like an upload. */
async function readWhole<Kept>(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  parameters: Parameters,
  { collector, known, isCut, onRow }: Whole<Kept>,
): Promise<Reading<Kept>> {
  const judge = createJudge(known);
  const first: PreviewRow[] = [];
  for await (const some of inTurns(readByBlock(blocks, encoding, parameters))) {
    for (const row of some) {
      onRow?.(row);
      const judged = collector.add(row);
      judge.add(row, judged);
      const isMore = first.length < ROWS_PREVIEWED && !(judged instanceof RowError);
      if (isMore) first.push(shownOf(row, judged));
    }
  }
  const { duplicates, repeated } = collector;
  const readAgain = () => readPaused(blocks, encoding, parameters);
  const rows = await stepByStep(withRepeated(first, repeated, readAgain()));
  const kept = collector.finish(readAgain);
  const findings = judge.findings({ parameters, duplicates, repeated, isCut });
  const alarm = findings.find(({ against }) => against > 0);
  const warnings = findings.map(withoutWeight);
  return { statuses: judge.measures.statuses, rows, warnings, alarm, kept };
}

/** The question whether to store a reading despite rows outside the sample. */
function despite(alarm: Finding | undefined, ofSample: Suggestion, { headerLine }: FileStart) {
  const { parameters } = ofSample;
  if (!alarm || !parameters) return ofSample;
  // A query with text differs from "no choice".
  const query = writeQuery(parameters) || writeQuery({ ...parameters, headerLine });
  const { code, detail, values, rows } = alarm;
  const isAble = alarm.against !== REFUTED;
  const choices = isAble ? [{ query, why: `as it stands, although: ${detail}` }] : [];
  return question({ code, detail, values, rows, choices });
}

/** The error of a file that further parameters could make readable. */
async function orRefusal<Read>(reading: Promise<Read>): Promise<Read | FileError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError && error.isMendable) return error;
    throw error;
  }
}

const BIBS_REPEATED = 5;

/**
 * The first rows and, of some bibs that stand twice, both rows.
 * @param all read again up to the last row that is sought
 */
function* withRepeated(
  first: readonly PreviewRow[],
  repeated: Collector<unknown>['repeated'],
  all: Paused<FileRow>,
): Generator<void, PreviewRow[]> {
  const replacedBy = new Map(repeated);
  const shown = new Map(first.map((one) => [one.row, one]));
  const sought = new Set(repeated.slice(0, BIBS_REPEATED).flat());
  const last = Math.max(...sought);
  if (sought.size > 0) {
    for (const row of all) {
      if (!row) {
        yield;
        continue;
      }
      const judged = sought.has(row.row) ? judgeRow(row) : undefined;
      if (judged && !(judged instanceof RowError)) shown.set(row.row, shownOf(row, judged));
      if (row.row >= last) break;
    }
  }
  return Array.from(shown.values(), (one) => ({
    ...one,
    replaced_by: replacedBy.get(one.row) ?? null,
  })).toSorted((one, other) => one.row - other.row);
}

const shownOf = ({ row }: FileRow, result: Result): PreviewRow => ({
  row,
  bib_number: result.bib,
  status: result.status,
  chip_time: formatRaceTimeOrNull(result.chipTimeMs),
  gun_time: formatRaceTimeOrNull(result.gunTimeMs),
  replaced_by: null,
  splits: Object.fromEntries(
    result.splitNames.map((name, at) => [
      name,
      formatRaceTimeOrNull(result.splitTimesMs[at] ?? null),
    ]),
  ),
});

const COLUMNS_WARNED = 30;

/** Warns of columns that become splits without the suggestion. */
const unlikelySplits = ({ splits }: Parameters, { parameters, leftOut }: Suggestion): Warning[] =>
  !splits && parameters?.splits && leftOut.length > 0 ? [splitsUnlikely(leftOut)] : [];

/** If all rows fail, adds the parameters with which the rows load. */
function withRemedy(warning: Warning, { parameters, why }: Suggestion): Warning {
  if (warning.code !== 'rows_fail_alike' || !parameters) return warning;
  return { ...warning, detail: `${warning.detail} As suggested, they load: ${why}` };
}

/** The warnings without repetition. */
const merged = (warnings: readonly Warning[]): Warning[] =>
  [
    // The first has the choices.
    ...new Map(warnings.toReversed().map((one) => [`${one.code} ${one.detail}`, one])).values(),
  ].toReversed();

const SAMPLE_LENGTH = 100;
const SAMPLES_SHOWN = 3;

function describeColumns(
  start: FileStart,
  given: Parameters,
  { parameters, leftOut }: Suggestion,
): PreviewColumn[] {
  const sent = recognize(start, given);
  const columns = sent ?? (parameters && recognize(start, parameters));
  const reasons = new Map(leftOut.map(({ column, why }) => [column.index, why]));
  const by = sent ? given : parameters;
  return start.header.map((name, index) => {
    const meaning = columns && MEANINGS.find((one) => columns[one].includes(index));
    const isSplit =
      !meaning && (columns?.splitIndexes.includes(index) || columns?.splitsObject === index);
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
