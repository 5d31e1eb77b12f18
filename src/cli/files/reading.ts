import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { decideEncoding } from '../../timing-files/read/encoding.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { openFile } from '../../timing-files/read/open-file.ts';
import {
  OF_RESULTS_ALONE,
  PARAMETER_NAMES,
  type Parameters,
  parseParameters,
} from '../../timing-files/read/parameters.ts';
import type { RaceClock } from '../../timing-files/read/race-clock.ts';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { type ClaimedResult, judge } from '../../timing-files/read/result.ts';
import { type FileRow, readRows as rowsIn } from '../../timing-files/read/results-file.ts';
import { guessStatus } from '../../timing-files/read/status-words.ts';
import { readStart } from '../../timing-files/suggest/file-start.ts';
import { EXIT, failure } from '../exit-codes.ts';
import type { UnreadableRow } from '../queue/difference.ts';
import {
  type FileRowText,
  keyOf,
  type Passing,
  rowOf,
  splitsOf,
  textOf,
  textOfPassing,
} from '../queue/item.ts';
import { pastedPath, say } from '../words.ts';
import { addedTo, isReadAlike, type Reading, withPoint } from './race-file.ts';
import { unreadable } from './watched-files.ts';

type FileFlags = readonly (readonly [string, string])[];

export type ChosenReading = {
  parameters: Parameters;
  /** Whether race.json has the header, or flags set the reading. */
  isKnown: boolean;
  /** The warnings accepted by a person. */
  accepted: readonly string[];
  /** Columns added since a person looked at the file. Added columns are not read. */
  added: readonly string[];
  /** Whether the times are times of day. The clock turns times of day into race times. */
  isOfDay: boolean;
  clock: RaceClock | undefined;
  /** The file, or the sheet of a workbook, in blocks: all rows at once would take much memory. */
  content: readonly Uint8Array[];
};

/** The content of a file. Of each bib, the last row with a result counts. */
export type ReadFile = ChosenReading & {
  header: string[];
  delimiter: string;
  /** By key: results as texts of `textOf`, and passings as texts of `textOfPassing`. */
  rows: Map<string, FileRowText>;
  /** The rows of the previous version. Equal rows share memory. */
  before: ReadonlyMap<string, FileRowText>;
  file: string;
  splitNames: ReadonlySet<string>;
  /** All rows in the file, with or without a result. */
  total: number;
  unreadable: UnreadableRow[];
  /** The bibs of rows without a time and a status, with or without splits: runners on the course. */
  onCourse: string[];
};

/** Each flag replaces the stored parameter of the flag's name. @throws CliError for a contradiction */
export function parametersOf(flags: FileFlags, read = ''): Parameters {
  const given = new Set(flags.map(([name]) => name));
  const before = new URLSearchParams(read);
  const isOfPoint = given.has('point') || before.has('point');
  const kept = [...before].filter(
    ([name]) => !given.has(name) && !(isOfPoint && OF_RESULTS_ALONE.has(name)),
  );
  try {
    return parseParameters([...kept, ...flags]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw failure(EXIT.usage, 'file_flags_wrong', { why: faultText(error) });
  }
}

/** The flags of a command, and the readings in race.json. */
type Said = {
  fileFlags: FileFlags;
  race: { readings?: readonly Reading[] | undefined };
  /** Whether the flag `--times-of-day` is set. */
  isOfDay: boolean;
  clock?: RaceClock | undefined;
  /** The reading of the previous version. */
  before?: Reading | undefined;
};

/**
 * Finds the reading of a file by the header, and the meaning by the name: two files may share a header.
 * @throws FileError for an unreadable workbook
 */
export async function chooseReading(
  bytes: Uint8Array,
  name: string,
  { fileFlags: flags, race: { readings = [] }, isOfDay: isSaid, clock, before }: Said,
): Promise<ChosenReading> {
  const isOwn = ({ file }: Reading) => file === basename(name);
  const all = [...readings.filter(isOwn), ...readings.filter((one) => !isOwn(one))];
  let grown: ChosenReading | undefined;
  for (const kept of before ? [...all, before] : all) {
    const read = isOwn(kept) ? kept.read : withPoint(kept.read, undefined);
    const parameters = parametersOf(flags, read);
    try {
      const content = await opened(bytes, parameters);
      const { header } = startIn({ content, parameters });
      const accepted = (isOwn(kept) && kept.accepted) || [];
      const isOfDay = isSaid || kept.times_of_day === true;
      const found = { parameters, content, accepted, isOfDay, clock };
      if (kept !== before && isReadAlike(kept, header))
        return { ...found, isKnown: true, added: [] };
      const added = addedTo(kept, header);
      if (!isOwn(kept) || added.length === 0) continue;
      const ignoring = parametersOf(
        [...flags, ...added.map((one) => ['ignore', one] as const)],
        read,
      );
      grown ??= { ...found, parameters: ignoring, isKnown: true, added };
    } catch (error) {
      // The file is of another kind.
      if (!(error instanceof FileError)) throw error;
    }
  }
  if (grown) return grown;
  const parameters = parametersOf(flags);
  const content = await opened(bytes, parameters);
  // The point does not set the reading of the columns.
  const isKnown = flags.some(([name]) => name !== 'point');
  return { parameters, content, isKnown, accepted: [], added: [], isOfDay: isSaid, clock };
}

/** Why a file cannot be read, in the language of the computer. Parameters are named as flags. */
export function faultText({ fault, values, message }: FileError): string {
  const flags = Object.entries(values).map(([name, value]) => [
    name,
    PARAMETER_NAMES.some((one) => one === value) ? `--${value}`.replaceAll('_', '-') : value,
  ]);
  return say(`fault_${fault}`, { ...Object.fromEntries(flags), detail: message });
}

/** Reads a file named by a person. @throws CliError for an unreadable file */
export async function readNamed(
  bytes: Uint8Array,
  path: string,
  said: Said & { folder: string },
): Promise<ReadFile> {
  try {
    return readRows(await chooseReading(bytes, path, said), path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const check = say('check_it', { path: pastedPath(said.folder, path) });
    throw unreadable(basename(path), `${faultText(error)} ${check}`);
  }
}

/** The bytes of a CSV as they are, or the sheet of a workbook. @throws FileError */
const opened = (bytes: Uint8Array, parameters: Parameters): Promise<Uint8Array[]> =>
  openFile(Readable.from([bytes]), parameters);

type Content = Pick<ReadFile, 'content' | 'parameters'>;

/** @throws FileError if the file is no table */
const startIn = ({ content, parameters }: Content) =>
  readStart(content, decideEncoding(content, parameters.encoding), parameters);

/** All rows of a file. @throws FileError */
export const rowsOf = ({ content, parameters }: Content): Generator<FileRow> =>
  rowsIn(content, decideEncoding(content, parameters.encoding), parameters);

/**
 * Reads a file as the API would.
 * @param isCut whether the last line has no line end: such a line with missing cells is left out
 * @param before the rows of the previous version
 * @throws FileError for a file unreadable with these parameters; CliError for times of day without a clock
 */
export function readRows(
  chosen: ChosenReading,
  file = '',
  isCut = false,
  before: ReadFile['before'] = new Map(),
): ReadFile {
  const { isOfDay, clock } = chosen;
  if (isOfDay && !clock) throw failure(EXIT.unclear, 'no_starts');
  const { header, delimiter } = startIn(chosen);
  const read: ReadFile = {
    ...chosen,
    header,
    delimiter,
    rows: new Map(),
    before,
    file,
    splitNames: new Set(),
    total: 0,
    unreadable: [],
    onCourse: [],
  };
  let last: FileRow | undefined;
  for (const row of rowsOf(read)) {
    if (last) addRow(read, last);
    else read.splitNames = new Set(row.columns.splitNames);
    last = row;
  }
  if (last && !(isCut && last.cells.length < header.length)) addRow(read, last);
  // The previous versions would stay in memory.
  read.before = new Map();
  return read;
}

function addRow(read: ReadFile, row: FileRow): void {
  read.total += 1;
  try {
    const claimed = read.isOfDay ? claimOfDay(read, row) : row.claim();
    const cells = [claimed.status, claimed.chipTime, claimed.gunTime];
    if (cells.every((cell) => cell.trim() === '')) {
      addUnfinished(read, row, claimed);
      return;
    }
    const result = rowOf(judge(claimed));
    const { bib_number, chip_time, gun_time } = result;
    const time = chip_time ?? gun_time;
    const { point } = read.parameters;
    if (point === undefined) keepRow(read, bib_number, row, textOf(result));
    else if (time !== null) addPassing(read, row, { bib_number, point, time });
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    read.unreadable.push(failureOf(row, error));
  }
}

/** A time since the gun is a gun time. @throws RowError */
function claimOfDay({ clock, parameters: { point } }: ReadFile, row: FileRow): ClaimedResult {
  const { columns, csvRow } = row;
  const { chipTime, gunTime, splitIndexes, splitNames } = columns;
  const bib = row.bib() ?? '';
  const turn = (at: number, where?: string) => {
    const cell = csvRow.cells[at] ?? '';
    const timeMs = clock?.timeMs(bib, cell, where);
    if (timeMs !== undefined) csvRow.cells[at] = formatRaceTime(timeMs);
  };
  for (const at of new Set([...chipTime, ...gunTime])) turn(at, point);
  for (const [index, at] of splitIndexes.entries()) turn(at, splitNames[index]);
  const claimed = row.claim();
  return { ...claimed, chipTime: '', gunTime: claimed.gunTime || claimed.chipTime };
}

/** No name matches: names are longer, or are no status word. */
const isOutWord = (cell: string): boolean => {
  const status = cell.length >= 3 ? guessStatus(cell) : undefined;
  return status !== undefined && status !== 'FINISHED' && /^d(n[fs]|sq)$|.{6}/i.test(cell.trim());
};

const failureOf = (row: FileRow, { message, code }: RowError): UnreadableRow => ({
  line: row.row,
  bib: row.bib(),
  reason: message,
  code,
});

function keepRow(
  { rows, before, file }: ReadFile,
  key: string,
  { row: line }: FileRow,
  text: string,
): void {
  const known = before.get(key);
  rows.set(key, known?.line === line && known.text === text ? known : { line, text, file });
}

function addPassing(read: ReadFile, row: FileRow, passing: Passing): void {
  const { bib_number, point } = passing;
  keepRow(read, keyOf(bib_number, point), row, textOfPassing(passing));
}

/** A runner on the course: the splits so far are passings. @throws RowError for a row without a bib */
function addUnfinished(read: ReadFile, row: FileRow, claimed: ClaimedResult): void {
  const { bib, ...splits } = judge({ ...claimed, status: 'DNF' });
  // A status word in an unexpected column.
  const word = row.cells.find(isOutWord);
  if (word !== undefined) {
    read.unreadable.push({ line: row.row, bib, reason: `"${word}"`, code: 'status_unread' });
    return;
  }
  read.onCourse.push(bib);
  for (const [point, time] of Object.entries(splitsOf({ bib, ...splits }))) {
    addPassing(read, row, { bib_number: bib, point, time });
  }
}
