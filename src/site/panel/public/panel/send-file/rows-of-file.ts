import {
  createCsvReader,
  namedDelimiter,
  withLineFeeds,
} from '../../../../../timing-files/read/csv-reader.ts';
import { sniffDelimiter } from '../../../../../timing-files/read/delimiter.ts';
import { decideEncoding, decodeBlocks } from '../../../../../timing-files/read/encoding.ts';
import { openFile } from '../../../../../timing-files/read/open-file.ts';
import { parseParameters } from '../../../../../timing-files/read/parameters.ts';

/**
 * The header and some rows of a file as a separate file, and the query for reading this file. The remaining lines are
 * blank, so that the API names the lines of the whole file. The lines stay as written: only the API understands the
 * rows.
 * @param query how the file is read
 * @param rows the lines on which the rows begin
 */
export async function rowsOfFile(file: File, query: string, rows: ReadonlySet<number>) {
  const sent = new URLSearchParams(query);
  const parameters = parseParameters(sent);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const blocks = await openFile(once(bytes), parameters);
  const text = [...decodeBlocks(blocks, decideEncoding(blocks, parameters.encoding))].join('');
  const lines = withLineFeeds(text).split('\n');
  const starts: number[] = [];
  let delimiter = ',';
  const reader = createCsvReader(
    (start) => {
      delimiter = sniffDelimiter(start, parameters);
      return delimiter;
    },
    ({ line }) => starts.push(line),
    parameters.headerLine,
  );
  reader.write(text);
  reader.end();
  const hasHeader = parameters.headerLine !== 0;
  const kept = lines.map(() => '');
  const keep = (from: number, to = lines.length + 1) => {
    for (let line = from; line < to; line += 1) kept[line - 1] = lines[line - 1] ?? '';
  };
  keep(1, starts[hasHeader ? 1 : 0]);
  for (const [at, line] of starts.entries()) if (rows.has(line)) keep(line, starts[at + 1]);
  // Only the header, or most of the rows, show the delimiter.
  if (!hasHeader && !namedDelimiter(text)) kept.unshift(`sep=${delimiter}`);
  sent.delete('encoding');
  sent.delete('sheet');
  return { file: new File([kept.join('\n')], file.name), query: `${sent}` };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}
