import { decideEncoding } from '../../../timing-files/read/encoding.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { openFile } from '../../../timing-files/read/open-file.ts';
import { type Parameters, PLAIN } from '../../../timing-files/read/parameters.ts';
import { inTurns, readByBlock, readRows } from '../../../timing-files/read/results-file.ts';
import { explainRefusal } from '../../../timing-files/suggest/refusal.ts';
import { createColumnWatch } from '../../../timing-files/suggest/upload-warnings.ts';
import { type Batch, createBatchBuilder } from './batch.ts';

/**
 * Reads the batch of a results file (uploadEventResultsFile).
 * @param grow gets the number of bytes of text that a workbook takes
 * @throws FileError if the file as a whole cannot be read as results
 */
export async function readCsvBatch(
  file: AsyncIterable<Uint8Array>,
  parameters: Parameters = PLAIN,
  grow?: (bytes: number) => void,
): Promise<Batch> {
  const blocks = await openFile(file, parameters, grow);
  try {
    return await readBatch(blocks, parameters);
  } catch (error) {
    throw error instanceof FileError ? explainRefusal(error, blocks, parameters) : error;
  }
}

async function readBatch(blocks: readonly Uint8Array[], parameters: Parameters): Promise<Batch> {
  const encoding = decideEncoding(blocks, parameters.encoding);
  const watch = createColumnWatch();
  const batch = createBatchBuilder();
  for await (const rows of inTurns(readByBlock(blocks, encoding, parameters))) {
    for (const row of rows) watch.add(row, batch.add(row));
  }
  const read = batch.finish(() => readRows(blocks, encoding, parameters));
  return { ...read, warnings: watch.warnings(read.duplicates, parameters) };
}
