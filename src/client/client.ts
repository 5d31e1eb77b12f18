import {
  type ConditionalOptions,
  Connection,
  type ConnectionOptions,
  type RequestOptions,
  secretHeader,
  type Tagged,
} from './connection.ts';
import { List, type Page } from './list.ts';
import {
  type FileOptions,
  fileQuery,
  formOf,
  type PassingFileOptions,
  pointQuery,
  type ResultsFile,
} from './results-file.ts';
import type {
  LookupQuery,
  MissingResultQuery,
  PageQuery,
  ParticipantExportQuery,
  ParticipantQuery,
  Passing,
  PassingExportQuery,
  PassingPoint,
  PassingQuery,
  PassingsUploadIn,
  Result,
  ResultExportQuery,
  ResultQuery,
  ResultsUploadIn,
  StartListQuery,
} from './types.ts';

export type RaceResultsClientOptions = ConnectionOptions & {
  apiKey: string;
  /** The header that carries the key. The default is `Authorization`. */
  header?: 'Authorization' | 'X-API-Key' | undefined;
};

export type ReasonOptions = RequestOptions & {
  /** Why, for whoever reads the history: one line of at most 200 characters. */
  reason?: string | undefined;
};

export type UploadOptions = ReasonOptions & {
  /**
   * Names the upload. The API stores uploads of the same content under the same key once. The default is a
   * new key for each call. A program that may be restarted keeps the key with what it sends.
   */
  idempotencyKey?: string | undefined;
};

export type DryRunOptions = RequestOptions & {
  /** The API answers what would happen and writes nothing. */
  dryRun?: boolean | undefined;
};

/** The options of `revertResultBatch`. */
export type RevertOptions = DryRunOptions & ReasonOptions;

/**
 * The public API: each operation is a method. The client retries temporary failures of the operations that
 * are safe to repeat. A method throws a `RaceResultsError` or the reason of the caller's signal.
 */
export class RaceResultsClient {
  readonly #api: Connection;

  /** @throws TypeError or RangeError for an invalid option */
  constructor({ apiKey, header = 'Authorization', ...options }: RaceResultsClientOptions) {
    const key = secretHeader('apiKey', apiKey);
    const value = header === 'Authorization' ? `Bearer ${key}` : key;
    this.#api = new Connection(options, { [header]: value });
  }

  /** Lists the organization's events, latest event date first. Scope `events:read`. */
  listEvents(query?: PageQuery, options?: RequestOptions) {
    return this.#api.list('listEvents', { ...options, query });
  }

  /** Returns one event. Scope `events:read`. */
  getEvent(eventId: string, options?: RequestOptions) {
    return this.#api.send('getEvent', { ...options, ids: [eventId] });
  }

  /**
   * Lists the paid, non-cancelled registrations. They contain personal data. An iteration continues after
   * the last participant of each page, so it misses nobody if somebody cancels meanwhile.
   * Scope `participants:read`.
   */
  listEventParticipants(eventId: string, query?: ParticipantQuery, options?: RequestOptions) {
    const call = { ...options, ids: [eventId], query };
    return this.#api.list('listEventParticipants', call, (last) => ({
      after: last.inscription_id,
    }));
  }

  /**
   * All participants as of one moment, for one request of the limit. It is read before the first item comes,
   * so an iteration that has begun is complete. Scope `participants:read`.
   */
  exportEventParticipants(
    eventId: string,
    query?: ParticipantExportQuery,
    options?: RequestOptions,
  ) {
    return this.#api.lines('exportEventParticipants', { ...options, ids: [eventId], query });
  }

  /**
   * Everybody who has not cancelled, as a timing program imports them, as of one moment. Scope
   * `inscriptions:read`.
   */
  exportEventStartList(eventId: string, query?: StartListQuery, options?: RequestOptions) {
    return this.#api.lines('exportEventStartList', { ...options, ids: [eventId], query });
  }

  /** Returns one paid, non-cancelled registration. Scope `participants:read`. */
  getEventParticipant(eventId: string, inscriptionId: string, options?: RequestOptions) {
    return this.#api.send('getEventParticipant', { ...options, ids: [eventId, inscriptionId] });
  }

  /** Finds the registrations that match every given bib, chip and document. Scope `participants:read`. */
  lookupEventParticipants(eventId: string, query: LookupQuery, options?: RequestOptions) {
    return this.#api.list('lookupEventParticipants', { ...options, ids: [eventId], query });
  }

  /** Returns the statistics of an event. Scope `stats:read`. */
  getEventStats(eventId: string, options?: RequestOptions) {
    return this.#api.send('getEventStats', { ...options, ids: [eventId] });
  }

  /**
   * Lists the matching results with their positions, finishers first. To poll, pass the `etag` of the last
   * page as `ifNoneMatch`: the call returns 'not modified' until the page changes. Scope `events:read`.
   */
  listEventResults(
    eventId: string,
    query: ResultQuery,
    options: ConditionalOptions,
  ): Promise<Tagged<Page<Result>> | 'not modified'>;
  listEventResults(
    eventId: string,
    query?: ResultQuery,
    options?: RequestOptions,
  ): List<Result, Tagged<Page<Result>>>;
  listEventResults(eventId: string, query: ResultQuery = {}, options: RequestOptions = {}) {
    return this.#polledList<Result>('listEventResults', eventId, query, options);
  }

  /**
   * All results as of one moment, in the order of the list. It is read before the first item comes, so an
   * iteration that has begun is complete. Scope `events:read`.
   */
  exportEventResults(eventId: string, query?: ResultExportQuery, options?: RequestOptions) {
    return this.#api.lines('exportEventResults', { ...options, ids: [eventId], query });
  }

  /** Returns the result of a bib with its positions. Poll it like `listEventResults`. Scope `events:read`. */
  getEventResult(
    eventId: string,
    bibNumber: string,
    options: ConditionalOptions,
  ): Promise<Tagged<Result> | 'not modified'>;
  getEventResult(
    eventId: string,
    bibNumber: string,
    options?: RequestOptions,
  ): Promise<Tagged<Result>>;
  getEventResult(eventId: string, bibNumber: string, options?: RequestOptions) {
    const call = { ...options, ids: [eventId, bibNumber] };
    return this.#api.sendIfModified<Result>('getEventResult', call);
  }

  /**
   * Stores at most 5000 results. A bib has one result, and the last upload wins. `failed` lists the rows that
   * failed; all other rows are stored. Every attempt of a call has the same idempotency key, so the rows are
   * stored once. Scope `results:write`.
   */
  uploadEventResults(eventId: string, upload: ResultsUploadIn, options?: UploadOptions) {
    return this.#api.send('uploadEventResults', {
      ...options,
      idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(),
      ids: [eventId],
      query: { reason: options?.reason },
      json: upload,
    });
  }

  /**
   * Stores the results of a CSV file of at most 16 MiB, like `uploadEventResults`. In `failed`, `row` is the
   * line of the file. `read` says how to read a file whose columns or times have other forms. Scope
   * `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async uploadEventResultsFile(
    eventId: string,
    file: ResultsFile,
    options?: FileOptions & UploadOptions,
  ) {
    return this.#api.send('uploadEventResultsFile', {
      ...options,
      idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(),
      ids: [eventId],
      query: [...fileQuery(options?.read), ['reason', options?.reason] as const],
      form: await formOf(file, options?.signal),
    });
  }

  /**
   * Shows how an upload would read a file, and writes nothing. Give `suggestion.query` of the answer to
   * `uploadEventResultsFile` as `read`. Scope `results:write`.
   * @throws RangeError if a stream is larger than 16 MiB, and any error of the stream
   */
  async previewEventResultsFile(eventId: string, file: ResultsFile, options?: FileOptions) {
    return this.#api.send('previewEventResultsFile', {
      ...options,
      ids: [eventId],
      query: fileQuery(options?.read),
      form: await formOf(file, options?.signal),
    });
  }

  /**
   * Stores at most 5000 passings. A bib has one passing at each point, and the last upload wins. `failed` lists the
   * rows that failed; all other rows are stored. Every attempt of a call has the same idempotency key. Scope
   * `results:write`.
   */
  uploadEventPassings(eventId: string, upload: PassingsUploadIn, options?: UploadOptions) {
    return this.#api.send('uploadEventPassings', {
      ...options,
      idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(),
      ids: [eventId],
      json: upload,
    });
  }

  /**
   * Stores the times of a file as passings of one point, like `uploadEventPassings`. In `failed`, `row` is the line of
   * the file. Scope `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async uploadEventPassingsFile(
    eventId: string,
    point: string,
    file: ResultsFile,
    options?: PassingFileOptions & UploadOptions,
  ) {
    return this.#api.send('uploadEventPassingsFile', {
      ...options,
      idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID(),
      ids: [eventId],
      query: pointQuery(point, options?.read),
      form: await formOf(file, options?.signal),
    });
  }

  /**
   * Shows how an upload would read a file of one point, and writes nothing. Give `suggestion.query` of the answer to
   * `uploadEventPassingsFile` as `read`. Scope `results:write`.
   * @throws RangeError if a stream is larger than 16 MiB, and any error of the stream
   */
  async previewEventPassingsFile(
    eventId: string,
    point: string,
    file: ResultsFile,
    options?: PassingFileOptions,
  ) {
    return this.#api.send('previewEventPassingsFile', {
      ...options,
      ids: [eventId],
      query: pointQuery(point, options?.read),
      form: await formOf(file, options?.signal),
    });
  }

  /**
   * Lists the matching passings in the order of time, with the positions at each point. Poll it like
   * `listEventResults`. Scope `events:read`.
   */
  listEventPassings(
    eventId: string,
    query: PassingQuery,
    options: ConditionalOptions,
  ): Promise<Tagged<Page<Passing>> | 'not modified'>;
  listEventPassings(
    eventId: string,
    query?: PassingQuery,
    options?: RequestOptions,
  ): List<Passing, Tagged<Page<Passing>>>;
  listEventPassings(eventId: string, query: PassingQuery = {}, options: RequestOptions = {}) {
    return this.#polledList<Passing>('listEventPassings', eventId, query, options);
  }

  /**
   * All passings as of one moment, in the order of time. It is read before the first item comes, so an iteration
   * that has begun is complete. Scope `events:read`.
   */
  exportEventPassings(eventId: string, query?: PassingExportQuery, options?: RequestOptions) {
    return this.#api.lines('exportEventPassings', { ...options, ids: [eventId], query });
  }

  /** Lists the points in the order of the course, with how many have passed each. Scope `events:read`. */
  listEventPassingPoints(
    eventId: string,
    query: PageQuery,
    options: ConditionalOptions,
  ): Promise<Tagged<Page<PassingPoint>> | 'not modified'>;
  listEventPassingPoints(
    eventId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ): List<PassingPoint, Tagged<Page<PassingPoint>>>;
  listEventPassingPoints(eventId: string, query: PageQuery = {}, options: RequestOptions = {}) {
    return this.#polledList<PassingPoint>('listEventPassingPoints', eventId, query, options);
  }

  /**
   * Deletes all passings of a point. With `dryRun`, the API answers how many there are and deletes nothing. Scope
   * `results:write`.
   */
  deleteEventPassings(eventId: string, point: string, { dryRun, ...options }: DryRunOptions = {}) {
    const query = { point, ...(dryRun && { dry_run: 'true' }) };
    return this.#api.send('deleteEventPassings', { ...options, ids: [eventId], query });
  }

  /** Lists the versions of a runner's result, the first one first. Scope `events:read`. */
  listEventResultVersions(
    eventId: string,
    bibNumber: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [eventId, bibNumber], query };
    return this.#api.list('listEventResultVersions', call);
  }

  /** Lists the official versions of the results, the last one first. Scope `events:read`. */
  listOfficialResults(eventId: string, query?: PageQuery, options?: RequestOptions) {
    return this.#api.list('listOfficialResults', { ...options, ids: [eventId], query });
  }

  /** Returns an official version as a file: its signature, and the document. Scope `events:read`. */
  getOfficialResults(eventId: string, version: number, options?: RequestOptions) {
    const call = { ...options, ids: [eventId, String(version)], isText: true };
    return this.#api.send('getOfficialResults', call);
  }

  /** Lists the uploads and reverts of an event, the one that took effect last first. Scope `events:read`. */
  listResultBatches(eventId: string, query?: PageQuery, options?: RequestOptions) {
    return this.#api.list('listResultBatches', { ...options, ids: [eventId], query });
  }

  /** Lists the results that a batch changed, by bib. Scope `events:read`. */
  listResultBatchChanges(
    eventId: string,
    batchId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    return this.#api.list('listResultBatchChanges', { ...options, ids: [eventId, batchId], query });
  }

  /**
   * Takes a batch back. Results that a later batch has replaced stay as they are. A second call changes
   * nothing. With `dryRun`, the API answers what would happen and writes nothing. Scope `results:write`.
   */
  revertResultBatch(
    eventId: string,
    batchId: string,
    { dryRun, reason, ...options }: RevertOptions = {},
  ) {
    const query = { reason, ...(dryRun && { dry_run: 'true' }) };
    return this.#api.send('revertResultBatch', { ...options, ids: [eventId, batchId], query });
  }

  /**
   * Takes the result of a bib away. It is a batch: `revertResultBatch` brings the result back. The client does
   * not retry it, because a second call finds no result. Scope `results:write`.
   */
  deleteEventResult(
    eventId: string,
    bibNumber: string,
    { reason, ...options }: ReasonOptions = {},
  ) {
    const call = { ...options, ids: [eventId, bibNumber], query: { reason }, isOnce: true };
    return this.#api.send('deleteEventResult', call);
  }

  /** A list, or the page that the query asks for if it is modified. */
  #polledList<Item>(
    operation: 'listEventResults' | 'listEventPassings' | 'listEventPassingPoints',
    eventId: string,
    query: PageQuery,
    options: RequestOptions,
  ) {
    const call = { ...options, ids: [eventId], query };
    if ('ifNoneMatch' in options) return this.#api.sendIfModified<Page<Item>>(operation, call);
    return new List<Item, Tagged<Page<Item>>>(query, (query) =>
      this.#api.sendTagged(operation, { ...call, query }),
    );
  }

  /** Lists the paid registrations that have a bib and no result, by bib. Scope `events:read`. */
  listMissingResults(eventId: string, query?: MissingResultQuery, options?: RequestOptions) {
    return this.#api.list('listMissingResults', { ...options, ids: [eventId], query });
  }
}
