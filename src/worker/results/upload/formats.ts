import type { Context } from 'hono';
import { openFile } from '../../../timing-files/read/open-file.ts';
import { type Parameters, parseParameters } from '../../../timing-files/read/parameters.ts';
import type { RaceClock } from '../../../timing-files/read/race-clock.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';
import { eachOf, type Paused } from '../../../timing-files/read/turns.ts';
import type { SheetStart } from '../../../timing-files/read/workbook.ts';
import {
  type Collector,
  type Preview,
  previewFile,
} from '../../../timing-files/suggest/preview.ts';
import type { AppEnv } from '../../http/context.ts';
import type { BodyRead, Weight } from '../../http/endpoint.ts';
import { type JsonBody, openingJson, readBytes } from '../../http/json-text.ts';
import { inPieces } from '../../http/turn.ts';
import type { SenderKind } from '../sender.ts';
import { type OfFile, readFileBatch } from './csv-batch.ts';
import { FILE_MEDIA_TYPES, readFileBytes } from './file-bytes.ts';
import { createContentHash, type IdempotencyHeader, type NamedContent } from './idempotency.ts';
import { findBibs } from './preview.ts';
import { clockFor, clockOf } from './race.ts';
import type { AskedUpload, ReadBody } from './receive.ts';
import { CSV_BODY_MAX, JSON_BODY_MAX } from './schemas.ts';

/** A body of JSON. The bytes stay in memory, twice while the body ends. */
export const JSON_BODY = {
  mediaTypes: ['application/json'],
  maxBytes: JSON_BODY_MAX,
  roomPerByte: 2,
};

/** A body with a file, or a form with a file. */
export const FILE_BODY = { mediaTypes: FILE_MEDIA_TYPES, maxBytes: CSV_BODY_MAX, roomPerByte: 1 };

/** A batch of a live feed is light. */
export const LIVE_ROWS_MAX = 100;
/** A live batch is smaller, unless its rows have hundreds of splits. */
const LIVE_BYTES_MAX = 256 * 1_024;

/** The weight of an upload of JSON. The number of bytes is known before the parsing, and mostly before the reading. */
export const weightOfJson = ({ bytes, rows }: BodyRead): Weight =>
  bytes > LIVE_BYTES_MAX || rows > LIVE_ROWS_MAX ? 'heavy' : 'light';

/**
 * Reads JSON.
 * @param rowsIn the rows as they were sent
 * @param parse reads the rows, and their times of day by a clock
 */
export const readingJson =
  <Batch extends { total: number }>(
    asked: AskedUpload<unknown, IdempotencyHeader>,
    by: SenderKind,
    rowsIn: (sent: JsonBody) => Paused<Pick<SentRow, 'bib'>>,
    parse: (sent: JsonBody, clock?: RaceClock) => Generator<void, Batch>,
  ): ReadBody<JsonUpload<Batch>> =>
  async (body, _contentType, _grow, heed) => {
    const { c, header, race, run, param } = asked;
    const content = createContentHash(header['idempotency-key'], `json${describedBy(c)}`);
    const sent = await inPieces(c, openingJson(await readBytes(content.of(body))));
    const bibs: string[] = [];
    if (race)
      await inPieces(
        c,
        eachOf(rowsIn(sent), (row) => void bibs.push(row.bib() ?? '')),
      );
    const clock = race && (await clockFor(race, bibs, { run, eventId: param.event_id, by }));
    const batch = await inPieces(c, parse(sent, clock));
    await heed({ rows: batch.total });
    return { batch, facts: { source: 'json', ...content.facts() } };
  };

type JsonUpload<Batch> = { batch: Batch; facts: { source: 'json' } & NamedContent };

type FileUpload<Batch> = {
  batch: OfFile<Batch>;
  fileName: string | null;
  content: NamedContent;
};

/** Reads an uploaded file. @param collect starts a collector of the file's rows */
export const readingFile =
  <Batch>(
    asked: AskedUpload<unknown, IdempotencyHeader>,
    collect: () => Collector<Batch>,
  ): ReadBody<FileUpload<Batch>> =>
  async (body, contentType, grow) => {
    const content = createContentHash(asked.header['idempotency-key'], describedBy(asked.c));
    let fileName: string | null = null;
    const file = readFileBytes(body, contentType, (name) => {
      fileName = name;
    });
    const batch = await readFileBatch(content.of(file), parametersOf(asked), collect, { grow });
    return { batch, fileName, content: content.facts() };
  };

/** Reads a file for a preview. @param collect starts to keep the rows of a reading */
export const readingPreview =
  <Batch>(
    asked: AskedUpload,
    by: SenderKind,
    collect: (isShown: boolean) => Collector<Batch>,
  ): ReadBody<Preview<Batch>> =>
  async (body, contentType, grow) => {
    const parameters = parametersOf(asked);
    const sheets: SheetStart[] = [];
    const onSheets = (all: readonly SheetStart[]) => void sheets.push(...all);
    const file = readFileBytes(body, contentType);
    const blocks = await openFile(file, parameters, { grow, onSheets });
    const bibsOf = findBibs(asked.run, asked.param.event_id, by);
    return previewFile(blocks, parameters, { collect, sheets, bibsOf });
  };

/** The description of the content in an upload's query. A repeated upload may correct the reason. */
function describedBy(c: Context<AppEnv>): string {
  const { reason: _, ...queries } = c.req.queries();
  return JSON.stringify(queries);
}

/** How the query says to read the file. */
function parametersOf({ c, race }: AskedUpload): Parameters {
  const query = new URL(c.req.url).searchParams;
  for (const name of ['reason', 'sender', 'leave']) query.delete(name);
  const parameters = parseParameters(query);
  return race ? { ...parameters, clock: clockOf(race) } : parameters;
}
