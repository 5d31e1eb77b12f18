import { openFile } from '../../../timing-files/read/open-file.ts';
import { type Parameters, parseParameters } from '../../../timing-files/read/parameters.ts';
import type { SheetStart } from '../../../timing-files/read/workbook.ts';
import {
  type Collector,
  type Preview,
  previewFile,
} from '../../../timing-files/suggest/preview.ts';
import { readJsonText } from '../../http/json-text.ts';
import type { SenderKind } from '../sender.ts';
import { type OfFile, readFileBatch } from './csv-batch.ts';
import { FILE_MEDIA_TYPES, readFileBytes, storableFileName } from './file-bytes.ts';
import { createContentHash, type NamedContent } from './idempotency.ts';
import { findBibs } from './preview.ts';
import type { AskedUpload, BodyFormat } from './receive.ts';
import { CSV_BODY_MAX, JSON_BODY_MAX } from './schemas.ts';

/** An upload of JSON. @param parse reads the text; what the idempotency key names is stored with it */
export const jsonFormat = <Read>(
  { header }: AskedUpload,
  parse: (text: string, content: NamedContent) => Read,
): BodyFormat<Read> => ({
  mediaTypes: ['application/json'],
  // The text stays in memory. A character outside latin-1 makes all of them take two bytes.
  size: { maxBytes: JSON_BODY_MAX, roomPerByte: 2 },
  read: async (body) => {
    const content = createContentHash(header['idempotency-key'], 'json');
    return parse(await readJsonText(content.of(body)), content.facts());
  },
});

const FILE = { mediaTypes: FILE_MEDIA_TYPES, size: { maxBytes: CSV_BODY_MAX, roomPerByte: 1 } };

type FileUpload<Batch> = {
  batch: OfFile<Batch>;
  fileName: string | null;
  content: NamedContent;
};

/** An upload of a file. @param collect starts to keep its rows */
export const fileFormat = <Batch>(
  asked: AskedUpload,
  collect: () => Collector<Batch>,
): BodyFormat<FileUpload<Batch>> => ({
  ...FILE,
  read: async (body, contentType, grow) => {
    const { reason: _, ...queries } = asked.c.req.queries();
    const content = createContentHash(asked.header['idempotency-key'], JSON.stringify(queries));
    let fileName: string | null = null;
    const file = readFileBytes(body, contentType, (name) => {
      fileName = storableFileName(name);
    });
    const batch = await readFileBatch(content.of(file), parametersOf(asked), collect, { grow });
    return { batch, fileName, content: content.facts() };
  },
});

/** A preview of a file. @param collect starts to keep the rows of a reading */
export const previewFormat = <Batch>(
  asked: AskedUpload,
  by: SenderKind,
  collect: (isShown: boolean) => Collector<Batch>,
): BodyFormat<Preview<Batch>> => ({
  ...FILE,
  async read(body, contentType, grow) {
    const parameters = parametersOf(asked);
    const sheets: SheetStart[] = [];
    const onSheets = (all: readonly SheetStart[]) => void sheets.push(...all);
    const file = readFileBytes(body, contentType);
    const blocks = await openFile(file, parameters, { grow, onSheets });
    const bibsOf = findBibs(asked.run, asked.param.event_id, by);
    return previewFile(blocks, parameters, { collect, sheets, bibsOf });
  },
});

/** How the query says to read the file. Its reason is none of that. */
function parametersOf({ c }: AskedUpload): Parameters {
  const query = new URL(c.req.url).searchParams;
  query.delete('reason');
  return parseParameters(query);
}
