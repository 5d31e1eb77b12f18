import {
  type ConditionalOptions,
  Connection,
  type ConnectionOptions,
  path,
  type RequestOptions,
  secretHeader,
  type Tagged,
} from './connection.ts';
import { List, type Page } from './list.ts';
import { type FileOptions, fileQuery, formOf, type ResultsFile } from './results-file.ts';
import type {
  Event,
  EventStats,
  ExportedResult,
  LookupQuery,
  MissingResult,
  MissingResultQuery,
  PageQuery,
  Participant,
  ParticipantExportQuery,
  ParticipantLookup,
  ParticipantQuery,
  Result,
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
  ResultExportQuery,
  ResultQuery,
  ResultsFilePreview,
  ResultsUploadIn,
  ResultsUploadOut,
} from './types.ts';
import { idempotencyHeader, type UploadOptions } from './upload.ts';

export type RaceResultsClientOptions = ConnectionOptions & {
  apiKey: string;
  /** The header that carries the key. The default is `Authorization`. */
  header?: 'Authorization' | 'X-API-Key' | undefined;
};

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
  listEvents(query: PageQuery = {}, options?: RequestOptions): List<Event> {
    return this.#api.list('listEvents', path`/public/v1/events`, query, options);
  }

  /** Returns one event. Scope `events:read`. */
  getEvent(eventId: string, options?: RequestOptions): Promise<Event> {
    return this.#api.get('getEvent', path`/public/v1/events/${eventId}`, options);
  }

  /**
   * Lists the paid, non-cancelled registrations. They contain personal data. An iteration continues after
   * the last participant of each page, so it misses nobody if somebody cancels meanwhile.
   * Scope `participants:read`.
   */
  listEventParticipants(
    eventId: string,
    query: ParticipantQuery = {},
    options?: RequestOptions,
  ): List<Participant> {
    const participants = path`/public/v1/events/${eventId}/participants`;
    const behind = (last: Participant) => ({ after: last.inscription_id });
    return this.#api.list('listEventParticipants', participants, query, options, behind);
  }

  /**
   * All participants as of one moment, for one request of the limit. It is read before the first item comes,
   * so an iteration that has begun is complete. Scope `participants:read`.
   */
  exportEventParticipants(
    eventId: string,
    query: ParticipantExportQuery = {},
    options?: RequestOptions,
  ): AsyncIterable<Participant> {
    const participants = path`/public/v1/events/${eventId}/participants/export`;
    return this.#api.lines('exportEventParticipants', participants, query, options);
  }

  /** Returns one paid, non-cancelled registration. Scope `participants:read`. */
  getEventParticipant(
    eventId: string,
    inscriptionId: string,
    options?: RequestOptions,
  ): Promise<Participant> {
    const participant = path`/public/v1/events/${eventId}/participants/${inscriptionId}`;
    return this.#api.get('getEventParticipant', participant, options);
  }

  /** Finds the registrations that match every given bib, chip and document. Scope `participants:read`. */
  lookupEventParticipants(
    eventId: string,
    query: LookupQuery,
    options?: RequestOptions,
  ): List<ParticipantLookup> {
    return this.#api.list(
      'lookupEventParticipants',
      path`/public/v1/events/${eventId}/participants/lookup`,
      query,
      options,
    );
  }

  /** Returns the statistics of an event. Scope `stats:read`. */
  getEventStats(eventId: string, options?: RequestOptions): Promise<EventStats> {
    return this.#api.get('getEventStats', path`/public/v1/events/${eventId}/stats`, options);
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
  listEventResults(
    eventId: string,
    query: ResultQuery = {},
    options: RequestOptions | ConditionalOptions = {},
  ) {
    const call = {
      operation: 'listEventResults',
      path: path`/public/v1/events/${eventId}/results`,
    };
    if ('ifNoneMatch' in options) {
      return this.#api.sendIfModified<Page<Result>>({ ...call, query }, options);
    }
    return new List<Result, Tagged<Page<Result>>>(query, (query) =>
      this.#api.sendTagged({ ...call, query }, options),
    );
  }

  /**
   * All results as of one moment, in the order of the list. It is read before the first item comes, so an
   * iteration that has begun is complete. Scope `events:read`.
   */
  exportEventResults(
    eventId: string,
    query: ResultExportQuery = {},
    options?: RequestOptions,
  ): AsyncIterable<ExportedResult> {
    const results = path`/public/v1/events/${eventId}/results/export`;
    return this.#api.lines('exportEventResults', results, query, options);
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
  getEventResult(
    eventId: string,
    bibNumber: string,
    options: RequestOptions | ConditionalOptions = {},
  ) {
    const call = {
      operation: 'getEventResult',
      path: path`/public/v1/events/${eventId}/results/${bibNumber}`,
    };
    return 'ifNoneMatch' in options
      ? this.#api.sendIfModified<Result>(call, options)
      : this.#api.sendTagged<Result>(call, options);
  }

  /**
   * Stores at most 5000 results. A bib has one result, and the last upload wins. `failed` lists the rows that
   * failed; all other rows are stored. Every attempt of a call has the same idempotency key, so the rows are
   * stored once. Scope `results:write`.
   */
  uploadEventResults(
    eventId: string,
    upload: ResultsUploadIn,
    options?: UploadOptions,
  ): Promise<ResultsUploadOut> {
    const address = path`/public/v1/events/${eventId}/results`;
    const call = {
      operation: 'uploadEventResults',
      method: 'POST',
      path: address,
      headers: idempotencyHeader(options),
      json: upload,
    } as const;
    return this.#api.send(call, options);
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
  ): Promise<ResultsUploadOut> {
    return this.#api.send(
      {
        operation: 'uploadEventResultsFile',
        method: 'POST',
        path: path`/public/v1/events/${eventId}/results/file`,
        query: fileQuery(options?.read),
        headers: idempotencyHeader(options),
        form: await formOf(file, options?.signal),
      },
      options,
    );
  }

  /**
   * Shows how an upload would read a file, and writes nothing. Give `suggestion.query` of the answer to
   * `uploadEventResultsFile` as `read`. Scope `results:write`.
   * @throws RangeError if a stream is larger than 16 MiB, and any error of the stream
   */
  async previewEventResultsFile(
    eventId: string,
    file: ResultsFile,
    options?: FileOptions,
  ): Promise<ResultsFilePreview> {
    return this.#api.send(
      {
        operation: 'previewEventResultsFile',
        method: 'POST',
        path: path`/public/v1/events/${eventId}/results/file/preview`,
        query: fileQuery(options?.read),
        form: await formOf(file, options?.signal),
      },
      options,
    );
  }

  /** Lists the uploads and reverts of an event, newest first. Scope `events:read`. */
  listResultBatches(
    eventId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ResultBatch> {
    return this.#api.list(
      'listResultBatches',
      path`/public/v1/events/${eventId}/result-batches`,
      query,
      options,
    );
  }

  /** Lists the results that a batch changed, by bib. Scope `events:read`. */
  listResultBatchChanges(
    eventId: string,
    batchId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ResultChange> {
    return this.#api.list(
      'listResultBatchChanges',
      path`/public/v1/events/${eventId}/result-batches/${batchId}/changes`,
      query,
      options,
    );
  }

  /**
   * Takes a batch back. Results that a later batch has replaced stay as they are. A second call changes
   * nothing. With `dryRun`, the API answers what would happen and writes nothing. Scope `results:write`.
   */
  revertResultBatch(
    eventId: string,
    batchId: string,
    { dryRun = false, ...options }: RequestOptions & { dryRun?: boolean | undefined } = {},
  ): Promise<ResultBatchReversal> {
    const address = path`/public/v1/events/${eventId}/result-batches/${batchId}/revert`;
    const call = {
      operation: 'revertResultBatch',
      method: 'POST',
      path: address,
      query: dryRun ? { dry_run: 'true' } : {},
    } as const;
    return this.#api.send(call, options);
  }

  /**
   * Takes the result of a bib away. It is a batch: `revertResultBatch` brings the result back. The client does
   * not retry it, because a second call finds no result. Scope `results:write`.
   */
  deleteEventResult(
    eventId: string,
    bibNumber: string,
    options?: RequestOptions,
  ): Promise<ResultDeletion> {
    const address = path`/public/v1/events/${eventId}/results/${bibNumber}`;
    const call = {
      operation: 'deleteEventResult',
      method: 'DELETE',
      path: address,
      isOnce: true,
    } as const;
    return this.#api.send(call, options);
  }

  /** Lists the paid registrations that have a bib and no result, by bib. Scope `events:read`. */
  listMissingResults(
    eventId: string,
    query: MissingResultQuery = {},
    options?: RequestOptions,
  ): List<MissingResult> {
    return this.#api.list(
      'listMissingResults',
      path`/public/v1/events/${eventId}/missing-results`,
      query,
      options,
    );
  }
}
