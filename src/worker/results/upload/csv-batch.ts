import { createJudge } from '../../../timing-files/judge/judge.ts';
import { type Warning, withoutWeight } from '../../../timing-files/judge/warning.ts';
import {
  announcedEncoding,
  decideEncoding,
  type Encoding,
} from '../../../timing-files/read/encoding.ts';
import { FileError, orRefusal } from '../../../timing-files/read/file-error.ts';
import { openArriving } from '../../../timing-files/read/open-file.ts';
import { type Parameters, PLAIN } from '../../../timing-files/read/parameters.ts';
import { type FileRow, readByBlock, readPaused } from '../../../timing-files/read/results-file.ts';
import { inTurns, stepByStep } from '../../../timing-files/read/turns.ts';
import type { SheetStart, WorkbookWatch } from '../../../timing-files/read/workbook.ts';
import { askForTable } from '../../../timing-files/suggest/alternatives.ts';
import { lookAt } from '../../../timing-files/suggest/file-start.ts';
import type { Collector } from '../../../timing-files/suggest/preview.ts';
import { explainRefusal } from '../../../timing-files/suggest/refusal.ts';
import { type Batch, createBatchBuilder } from './batch.ts';

/** The rows of a file, and warnings for a person. */
export type OfFile<Batch> = Batch & { warnings: readonly Warning[] };

/**
 * Reads the results of a file during its arrival (uploadEventResultsFile). @throws FileError as `readFileBatch` does
 */
export const readCsvBatch = (
  file: AsyncIterable<Uint8Array>,
  parameters: Parameters = PLAIN,
  watch?: WorkbookWatch,
): Promise<OfFile<Batch>> => readFileBatch(file, parameters, createBatchBuilder, watch);

/**
 * Reads a file during its arrival.
 * @param collect starts a collector of the file's rows
 * @throws FileError if the file as a whole cannot be read with the parameters
 */
export async function readFileBatch<Batch>(
  file: AsyncIterable<Uint8Array>,
  parameters: Parameters,
  collect: () => Collector<Batch>,
  watch?: WorkbookWatch,
): Promise<OfFile<Batch>> {
  const start = (blocks: readonly Uint8Array[], encoding: Encoding) =>
    startReading(blocks, encoding, parameters, collect());
  const blocks: Uint8Array[] = [];
  const sheets: SheetStart[] = [];
  const onSheets = (all: readonly SheetStart[]) => void sheets.push(...all);
  const opened = openArriving(file, parameters, { ...watch, onSheets });
  const read = await readArriving(opened, blocks, () =>
    start(blocks, firstEncoding(blocks, parameters)),
  );
  if (!(read instanceof FileError)) {
    return sheets.length === 0 ? read : withQuestion(read, blocks, parameters, sheets);
  }
  // Only the whole file shows whether the encoding is latin-1, and how a refused file can be read.
  try {
    const encoding = decideEncoding(blocks, parameters.encoding);
    if (encoding === firstEncoding(blocks, parameters)) throw read;
    const reading = start(blocks, encoding);
    for await (const _ of inTurns(blocks)) reading.readOn();
    return await withQuestion(reading.finish(), blocks, parameters, sheets);
  } catch (error) {
    throw error instanceof FileError
      ? await stepByStep(explainRefusal(error, blocks, parameters, sheets))
      : error;
  }
}

/** Adds the question which sheet or encoding is meant. An upload names no choices: the preview does. */
async function withQuestion<Batch>(
  batch: OfFile<Batch>,
  blocks: readonly Uint8Array[],
  parameters: Parameters,
  sheets: readonly SheetStart[],
): Promise<OfFile<Batch>> {
  const doubt = await stepByStep(askForTable(sheets, lookAt(blocks, parameters)));
  if (!doubt) return batch;
  const { choices: _, ...warning } = doubt;
  return { ...batch, warnings: [warning, ...batch.warnings] };
}

/**
 * Reads a file in the encoding announced by its first bytes.
 * @param blocks takes all received bytes
 */
async function readArriving<Batch>(
  arriving: AsyncIterable<Uint8Array>,
  blocks: Uint8Array[],
  start: () => Reading<Batch>,
): Promise<OfFile<Batch> | FileError> {
  let reading: Reading<Batch> | FileError | undefined;
  for await (const block of inTurns(arriving)) {
    blocks.push(block);
    const begun = reading;
    if (begun instanceof FileError) continue;
    reading = orRefusal(() => (begun ?? start()).readOn());
  }
  const begun = reading;
  return begun instanceof FileError ? begun : orRefusal(() => (begun ?? start()).finish());
}

const firstEncoding = (
  [first = new Uint8Array()]: readonly Uint8Array[],
  { encoding }: Parameters,
): Encoding => encoding ?? announcedEncoding(first);

type Reading<Batch> = {
  /** Reads a further block, which may just have been added. */
  readOn(): Reading<Batch>;
  finish(): OfFile<Batch>;
};

function startReading<Batch>(
  blocks: readonly Uint8Array[],
  encoding: Encoding,
  parameters: Parameters,
  batch: Collector<Batch>,
): Reading<Batch> {
  const judge = createJudge();
  const rowsOf = readByBlock(blocks, encoding, parameters);
  const take = (rows: readonly FileRow[]) => {
    for (const row of rows) judge.add(row, batch.add(row));
  };
  return {
    readOn() {
      take(rowsOf.next().value ?? []);
      return this;
    },
    finish() {
      for (const rows of rowsOf) take(rows);
      const { duplicates, repeated } = batch;
      const read = batch.finish(() => readPaused(blocks, encoding, parameters));
      const findings = judge.findings({ parameters, duplicates, repeated });
      return { ...read, warnings: findings.map(withoutWeight) };
    },
  };
}
