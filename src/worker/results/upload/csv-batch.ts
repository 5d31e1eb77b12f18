import { FileError } from '../../../timing-files/read/file-error.ts';
import { openFile } from '../../../timing-files/read/open-file.ts';
import { type Parameters, PLAIN } from '../../../timing-files/read/parameters.ts';
import { type FileRow, readResultsFile } from '../../../timing-files/read/results-file.ts';
import { explainRefusal } from '../../../timing-files/suggest/refusal.ts';
import { createColumnWatch } from '../../../timing-files/suggest/upload-warnings.ts';
import { invalid } from '../../errors.ts';
import { type Batch, createBatchBuilder } from './batch.ts';

/**
 * Reads the batch of a results file (uploadEventResultsFile).
 * @param grow gets the number of bytes of text that a workbook takes
 * @throws ApiError VALIDATION_ERROR if the file as a whole cannot be read as results
 */
export async function readCsvBatch(
  file: AsyncIterable<Uint8Array>,
  parameters: Parameters = PLAIN,
  grow?: (bytes: number) => void,
): Promise<Batch> {
  let watch = createColumnWatch();
  let batch = createBatchBuilder(watch.measures);
  try {
    const taker = {
      add(row: FileRow) {
        watch.add(row);
        batch.add(row);
      },
      // The rows read so far must not stay in memory beside those that replace them.
      startOver() {
        watch = createColumnWatch();
        batch = createBatchBuilder(watch.measures);
      },
    };
    const readAgain = await readResultsFile(openFile(file, parameters, grow), taker, parameters);
    const read = batch.finish(readAgain);
    return { ...read, warnings: watch.warnings(read, parameters) };
  } catch (error) {
    throw error instanceof FileError ? invalid(explainRefusal(error, parameters).message) : error;
  }
}
