import { addressOf, type Query } from './address.ts';
import { bodyOf, isObject, linesOf, parseJson } from './answer.ts';
import { errorOf, isRaceResultsError, NetworkError, TimeoutError } from './errors.ts';
import { List, type Page } from './list.ts';
import { retryDelayMs } from './retry.ts';
import type { Answers } from './types.ts';

import { sleep } from './waiting.ts';

const TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 5;
/** Answers with one JSON value per line. */
const LINES = 'application/x-ndjson';
/** No JSON answer is longer. A parsed value takes up to 32 times the memory of the text. */
const JSON_BYTES_MAX = 64 * 1_024 * 1_024;
/** The longest delay of a timer. A timer with a longer delay fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** The timeout grows by the time of the body at this rate. */
const SLOWEST_UPLOAD_BYTES_PER_MS = 32;

export type ConnectionOptions = {
  /** The address of the API, such as `https://results.example`. */
  baseUrl: string;
  /**
   * The time of an attempt, including the whole answer. The default is 60 000. The client adds the time of an upload at
   * 32 kB/s.
   */
  timeoutMs?: number | undefined;
  /** The most attempts per request, including the first. The default is 5. With 1, the client never retries. */
  maxAttempts?: number | undefined;
  /** Replaces the `fetch` of the runtime. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Whether to accept the body of an error or an answer, or an item of a list or an export. A body that is not accepted
   * throws an UnexpectedAnswerError. Without this function, the client checks only whether bodies are objects.
   */
  accepts?: ((operation: keyof Answers, body: unknown, isError: boolean) => boolean) | undefined;
};

export type RequestOptions = {
  /** The time of an attempt, for this call alone. */
  timeoutMs?: number | undefined;
  /** Ends the call, also between attempts. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
};

export type ConditionalOptions = RequestOptions & {
  /** The `etag` of the last answer, or undefined before the first. */
  ifNoneMatch: string | undefined;
};

/** An answer with the answer's `ETag`. */
export type Tagged<Answer> = Answer & { etag: string | undefined };

/** The answer to an upload. `replayed` is true if an earlier attempt or call with this key stored the upload. */
export type Replayable<Answer> = Answer & { replayed: boolean };

export type Call = RequestOptions & {
  /** The values of the path, in the path's order. */
  ids?: readonly string[];
  query?: Query | undefined;
  /** The `ETag` to send in If-None-Match. */
  ifNoneMatch?: string | undefined;
  idempotencyKey?: string;
  /** A body sent as JSON. */
  json?: object;
  /** A repeatable body, and the body's approximate size. */
  form?: { content: FormData; bytes: number };
  /** The form of the answer, for an operation with several forms. */
  accept?: string;
  /** Makes the value to keep of each line of an answer. */
  keep?: (line: object) => unknown;
  /** The answer is a text. */
  isText?: boolean;
  /** The answer is a file, whose bytes stay as they are. */
  isFile?: boolean;
  /** The answer is a page of a list. */
  isPage?: boolean;
  /** The call is never sent twice. */
  isOnce?: boolean;
};

/** An operation, with the method and the path of the requests. */
export type Operation<Id extends keyof Answers = keyof Answers> = {
  id: Id;
  method: string;
  /** The path, with the names of the values in braces. */
  path: string;
};

type Body = string | FormData | undefined;

type Received<T> = { body: T; headers: Headers; etag: string | undefined; isModified: boolean };

/** Sends and retries calls. The secret stays private. */
export class Connection {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #maxAttempts: number;
  readonly #fetch: ConnectionOptions['fetch'];
  readonly #accepts: NonNullable<ConnectionOptions['accepts']>;

  /** @throws TypeError or RangeError for an invalid option */
  constructor(
    {
      baseUrl,
      timeoutMs = TIMEOUT_MS,
      maxAttempts = MAX_ATTEMPTS,
      fetch,
      accepts = () => true,
    }: ConnectionOptions,
    headers: Record<string, string>,
  ) {
    const { protocol, origin, pathname } = new URL(baseUrl);
    if (!/^https?:$/.test(protocol))
      throw new TypeError('baseUrl must start with https:// or http://');
    if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
      throw new RangeError(`timeoutMs must be from 1 to ${LONGEST_TIMEOUT_MS}`);
    }
    if (!(maxAttempts >= 1)) throw new RangeError('maxAttempts must be 1 or more');
    this.#baseUrl = origin + pathname.replace(/\/+$/, '');
    this.#headers = headers;
    this.#timeoutMs = timeoutMs;
    this.#maxAttempts = maxAttempts;
    this.#fetch = fetch;
    this.#accepts = accepts;
  }

  /**
   * Returns the body of a successful answer.
   * @throws RaceResultsError after the last attempt, or the signal's reason
   */
  async send<Id extends keyof Answers>(operation: Operation<Id>, call: Call): Promise<Answers[Id]> {
    return (await this.#receive<Answers[Id]>(operation, call)).body;
  }

  /** Sends a call with an idempotency key. `replayed` tells whether an earlier attempt or call stored the upload. */
  sendNamed<Id extends keyof Answers>(operation: Operation<Id>, call: Call) {
    return this.#sendNamed<Answers[Id]>(operation, call);
  }

  /** A list whose pages are read with `query`. `behind` is the query for the items after an item. */
  list<Id extends keyof Answers>(
    operation: Operation<Id>,
    call: Call,
    behind?: (last: Answers[Id]) => object,
  ): List<Answers[Id]> {
    const load = async (query: object) =>
      (await this.#receive<Page<Answers[Id]>>(operation, { ...call, query, isPage: true })).body;
    return new List(operation.id, call.query ?? {}, load, behind);
  }

  /** The items of an export. The whole export is read before the first item comes. */
  async *lines<Id extends keyof Answers>(
    operation: Operation<Id>,
    call: Call,
  ): AsyncIterable<Answers[Id]> {
    const { body } = await this.#receive<Answers[Id][]>(operation, { ...call, accept: LINES });
    yield* body;
  }

  /** The lines of an export with `changed_since`, each as `keep` makes the line, and the facts of the headers. */
  async changed<Line extends object, Kept>(
    operation: Operation,
    call: Call,
    keep: (line: Line) => Kept,
  ) {
    const ofLines = { ...call, accept: LINES, keep: (line: object) => keep(line as Line) };
    const { body, headers } = await this.#receive<Kept[]>(operation, ofLines);
    const total = Number(headers.get('Total'));
    return { lines: body, cursor: headers.get('Next-Cursor') ?? '', total };
  }

  /** A list with an `ETag` for each page, or the asked page, if modified. */
  polledList<Id extends keyof Answers>(
    operation: Operation<Id>,
    call: Call,
    behind?: (last: Answers[Id]) => object,
  ) {
    type Loaded = Page<Answers[Id]>;
    const ofPage = { ...call, isPage: true };
    if ('ifNoneMatch' in call) return this.#sendIfModified<Loaded>(operation, ofPage);
    const load = async (query: object) => {
      const { body, etag } = await this.#receive<Loaded>(operation, { ...ofPage, query });
      return { ...body, etag };
    };
    return new List<Answers[Id], Tagged<Loaded>>(operation.id, call.query ?? {}, load, behind);
  }

  /** Returns the body with the `ETag`, or 'not modified' after a 304. */
  sendIfModified<Id extends keyof Answers>(operation: Operation<Id>, call: Call) {
    return this.#sendIfModified<Answers[Id]>(operation, call);
  }

  /** Returns the body as a file. @param accept the type of the file */
  async sendFile(operation: Operation, call: Call, accept: string): Promise<Blob> {
    return (await this.#receive<Blob>(operation, { ...call, accept, isFile: true })).body;
  }

  async #sendIfModified<T>(operation: Operation, call: Call): Promise<Tagged<T> | 'not modified'> {
    const received = await this.#receive<T>(operation, call);
    return received.isModified ? { ...received.body, etag: received.etag } : 'not modified';
  }

  async #sendNamed<T>(operation: Operation, call: Call): Promise<Replayable<T>> {
    const { body, headers } = await this.#receive<T>(operation, call);
    return { ...body, replayed: headers.get('Idempotency-Replayed') === 'true' };
  }

  async #receive<T>(operation: Operation, call: Call): Promise<Received<T>> {
    // Every attempt sends this text, even if the caller changes the object meanwhile.
    const body = call.form?.content ?? (call.json && JSON.stringify(call.json));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt<T>(operation, call, body);
      } catch (error) {
        const isLast = call.isOnce || attempt >= this.#maxAttempts;
        if (isLast || !isRaceResultsError(error)) throw error;
        const delayMs = retryDelayMs(error, attempt);
        if (delayMs === undefined) throw error;
        await sleep(delayMs, call.signal);
      }
    }
  }

  async #attempt<T>(operation: Operation, call: Call, sent: Body): Promise<Received<T>> {
    const { response, whole } = await this.#exchange(operation, call, sent);
    const { ok, status, headers } = response;
    const body = typeof whole === 'string' && !(ok && call.isText) ? parseJson(whole) : whole;
    const isModified = status !== 304 || call.ifNoneMatch === undefined;
    // A deletion answers nothing, and neither does a PUT without a body, which turns something on.
    const isSwitch = operation.method === 'PUT' && call.json === undefined;
    const isEmpty = status === 204 && (isSwitch || operation.method === 'DELETE');
    if (isModified && !isEmpty && !(ok && this.#isExpected(operation, call, body))) {
      const isOfApi = !ok && this.#accepts(operation.id, body, true);
      throw errorOf(operation.id, response, isOfApi ? body : undefined);
    }
    return { body, headers, etag: headers.get('ETag') ?? undefined, isModified };
  }

  #isExpected({ id }: Operation, call: Call, body: unknown): boolean {
    const isAccepted = (one: unknown) => isObject(one) && this.#accepts(id, one, false);
    if (call.isText || call.isFile) return true;
    // Each line is checked on its arrival.
    if (call.accept === LINES) return Array.isArray(body);
    return call.isPage ? isPage(body) && body.data.every(isAccepted) : isAccepted(body);
  }

  /** Sends one request and reads the whole answer: as a file or as lines if so asked and successful, else as a text. */
  async #exchange(operation: Operation, call: Call, body: Body) {
    const { signal, ids = [], query = {}, ifNoneMatch, idempotencyKey, json, accept } = call;
    signal?.throwIfAborted();
    const { id, method, path } = operation;
    const url = this.#baseUrl + addressOf(path, ids, query);
    const bytes = call.form?.bytes ?? String(body ?? '').length;
    const sendingMs = bytes / SLOWEST_UPLOAD_BYTES_PER_MS;
    const timeoutMs = Math.min((call.timeoutMs ?? this.#timeoutMs) + sendingMs, LONGEST_TIMEOUT_MS);
    // AbortSignal.any would leak memory: the new signal stays attached to the caller's signal.
    const end = new AbortController();
    const abort = () => end.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    const send = this.#fetch ?? fetch;
    try {
      const response = await send(url, {
        method,
        headers: {
          ...this.#headers,
          ...(accept && { Accept: accept }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...(json && { 'Content-Type': 'application/json' }),
          ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
        },
        ...(body !== undefined && { body }),
        // The API never redirects. Another server must not get the key.
        redirect: 'manual',
        signal: end.signal,
      });
      if (response.ok && accept === LINES) {
        const isAccepted = (line: object) => this.#accepts(id, line, false);
        return { response, whole: await linesOf(response, isAccepted, call.keep) };
      }
      const isLong = call.isFile || call.isText;
      const file = await bodyOf(response, isLong ? undefined : JSON_BYTES_MAX);
      return { response, whole: call.isFile && response.ok ? file : await file.text() };
    } catch (error) {
      signal?.throwIfAborted();
      if (end.signal.aborted) throw new TimeoutError(id, timeoutMs, error);
      throw new NetworkError(id, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/**
 * Checks a secret for a header.
 * @param secret unknown, because a program without types may pass anything
 * @throws TypeError if the secret is missing or not valid in a header; the message never contains the secret
 */
export function secretHeader(what: string, secret: unknown): string {
  if (typeof secret !== 'string' || secret.trim() === '') {
    throw new TypeError(`${what} is missing or blank`);
  }
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new TypeError(`${what} has blanks, line breaks or characters beyond ASCII`);
}

/** Whether a list can be read on: a proxy may answer any JSON. */
const isPage = (body: unknown): body is Page<unknown> =>
  isObject(body) &&
  'data' in body &&
  Array.isArray(body.data) &&
  'meta' in body &&
  isObject(body.meta) &&
  'total' in body.meta &&
  'total_pages' in body.meta &&
  [body.meta.total, body.meta.total_pages].every(isCount);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
