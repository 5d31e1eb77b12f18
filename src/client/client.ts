import {
  type Call,
  type ConditionalOptions,
  Connection,
  type ConnectionOptions,
  path,
  type RequestOptions,
  secretHeader,
  type Tagged,
} from './connection.ts';
import { List, type Page } from './list.ts';
import { formOf, type ResultsFile } from './results-file.ts';
import type {
  Event,
  EventStats,
  LookupQuery,
  PageQuery,
  Participant,
  ParticipantLookup,
  Result,
  ResultQuery,
  ResultsUploadIn,
  ResultsUploadOut,
} from './types.ts';

export type RaceResultsClientOptions = ConnectionOptions & {
  apiKey: string;
  /** The header that carries the key, `Authorization` unless told otherwise. */
  header?: 'Authorization' | 'X-API-Key' | undefined;
};

/**
 * The public API, an operation a method. What failed for the moment is tried again, all of them being
 * safe to repeat. Every method throws a `RaceResultsError`, or the reason of the caller's signal.
 */
export class RaceResultsClient {
  readonly #connection: Connection;

  /** @throws TypeError or RangeError where an option can never work. */
  constructor({ apiKey, header = 'Authorization', ...options }: RaceResultsClientOptions) {
    const key = secretHeader('apiKey', apiKey);
    const value = header === 'Authorization' ? `Bearer ${key}` : key;
    this.#connection = new Connection(options, { [header]: value });
  }

  /** The organization's events, the latest first. Scope `events:read`. */
  listEvents(query: PageQuery = {}, options?: RequestOptions): List<Event> {
    return this.#list('listEvents', '/public/v1/events', query, options);
  }

  /** Scope `events:read`. */
  getEvent(eventId: string, options?: RequestOptions): Promise<Event> {
    return this.#send({ operation: 'getEvent', path: path`/public/v1/events/${eventId}` }, options);
  }

  /** The paid registrations as they were filled in: personal data. Scope `participants:read`. */
  listEventParticipants(
    eventId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<Participant> {
    return this.#list(
      'listEventParticipants',
      path`/public/v1/events/${eventId}/participants`,
      query,
      options,
    );
  }

  /** The registrations with exactly this bib, chip or document, or all that are given. Scope `participants:read`. */
  lookupEventParticipants(
    eventId: string,
    query: LookupQuery,
    options?: RequestOptions,
  ): List<ParticipantLookup> {
    return this.#list(
      'lookupEventParticipants',
      path`/public/v1/events/${eventId}/participants/lookup`,
      query,
      options,
    );
  }

  /** Scope `stats:read`. */
  getEventStats(eventId: string, options?: RequestOptions): Promise<EventStats> {
    return this.#send(
      { operation: 'getEventStats', path: path`/public/v1/events/${eventId}/stats` },
      options,
    );
  }

  /**
   * The results that match with their positions, finishers first. Whoever polls gives the `etag` of the page that they
   * have as `ifNoneMatch`, and gets the page once it is another. Scope `events:read`.
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
      repeatable: true,
    };
    if ('ifNoneMatch' in options) {
      return this.#connection.sendIfModified<Page<Result>>({ ...call, query }, options);
    }
    return new List<Result, Tagged<Page<Result>>>(query, (query) =>
      this.#connection.sendTagged({ ...call, query }, options),
    );
  }

  /** The result of a bib with its positions; asked for again like `listEventResults`. Scope `events:read`. */
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
      repeatable: true,
    };
    return 'ifNoneMatch' in options
      ? this.#connection.sendIfModified<Result>(call, options)
      : this.#connection.sendTagged<Result>(call, options);
  }

  /**
   * Stores at most 5000 results; a bib has one, and the last one sent counts. Rows that did not load
   * are in `failed`, the others did. Where the answer to an attempt was lost, the next one finds its
   * rows stored and counts them as `updated`. Scope `results:write`.
   */
  async uploadEventResults(
    eventId: string,
    upload: ResultsUploadIn,
    options?: RequestOptions,
  ): Promise<ResultsUploadOut> {
    const content = JSON.stringify(upload);
    return this.#send(
      {
        operation: 'uploadEventResults',
        method: 'POST',
        path: path`/public/v1/events/${eventId}/results`,
        headers: { 'Content-Type': 'application/json' },
        body: { content, bytes: content.length },
      },
      options,
    );
  }

  /**
   * Stores the results of a CSV of at most 16 MiB, like `uploadEventResults`; `row` of what failed is
   * the line of the file. Scope `results:write`.
   * @throws RangeError where a stream is larger, and whatever the stream throws
   */
  async uploadEventResultsFile(
    eventId: string,
    file: ResultsFile,
    options?: RequestOptions,
  ): Promise<ResultsUploadOut> {
    return this.#send(
      {
        operation: 'uploadEventResultsFile',
        method: 'POST',
        path: path`/public/v1/events/${eventId}/results/file`,
        body: await formOf(file, options?.signal),
      },
      options,
    );
  }

  #list<Item>(
    operation: string,
    path: string,
    query: PageQuery,
    options: RequestOptions | undefined,
  ): List<Item> {
    const call = { operation, path };
    return new List(query, (query) => this.#send<Page<Item>>({ ...call, query }, options));
  }

  #send<T>(call: Omit<Call, 'repeatable'>, options: RequestOptions | undefined): Promise<T> {
    return this.#connection.send({ ...call, repeatable: true }, options);
  }
}
