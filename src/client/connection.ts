import { errorOf, isRaceResultsError, NetworkError, TimeoutError } from './errors.ts';
import { retryDelayMs } from './retry.ts';
import { sleep } from './waiting.ts';

const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 5;
/** What any timer takes; one that is set for longer goes off at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** A body is given the time that it takes at this rate, on top of the timeout. */
const SLOWEST_UPLOAD_BYTES_PER_MS = 32;

export type ConnectionOptions = {
  /** Where the API is: `https://results.example`. */
  baseUrl: string;
  /**
   * How long an attempt may take until its answer has arrived, 30 000 unless told otherwise. What an
   * upload takes to send at 32 kB/s is added to it.
   */
  timeoutMs?: number | undefined;
  /** How often a request is sent at most, 5 unless told otherwise; 1 is without a retry. */
  maxAttempts?: number | undefined;
  /** In place of the runtime's own `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

export type RequestOptions = {
  /** Ends the call, its waits between attempts included; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
};

export type ConditionalOptions = RequestOptions & {
  /** The `etag` of the answer that the caller has; undefined while there is none. */
  ifNoneMatch: string | undefined;
};

/** An answer, and what to ask with whether it has changed. */
export type Tagged<Answer> = Answer & { etag: string | undefined };

export type Call = {
  /** The operation's id, which stands in its errors. */
  operation: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** After the base address, with a slash before it. */
  path: string;
  query?: object;
  headers?: Record<string, string>;
  /** The tag of the answer that is not to be sent again. */
  ifNoneMatch?: string | undefined;
  /** One that can be sent again, and about how large it is. */
  body?: { content: string | FormData; bytes: number };
  /** Whether sending it twice does what sending it once does. */
  repeatable: boolean;
};

type Received<T> = { body: T; etag: string | undefined; isModified: boolean };

/** Sends calls with a secret that nothing else can read, until they are answered. */
export class Connection {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #maxAttempts: number;
  readonly #fetch: ConnectionOptions['fetch'];

  /** @throws TypeError or RangeError where an option can never work. */
  constructor(
    { baseUrl, timeoutMs = TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS, fetch }: ConnectionOptions,
    headers: Record<string, string>,
  ) {
    const { protocol, origin, pathname } = new URL(baseUrl);
    if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl is to begin with https://');
    if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
      throw new RangeError(`timeoutMs is to be from 1 to ${LONGEST_TIMEOUT_MS}`);
    }
    if (!(maxAttempts >= 1)) throw new RangeError('maxAttempts is to be 1 or more');
    this.#baseUrl = origin + pathname.replace(/\/+$/, '');
    this.#headers = headers;
    this.#timeoutMs = timeoutMs;
    this.#maxAttempts = maxAttempts;
    this.#fetch = fetch;
  }

  /**
   * The body of a good answer.
   * @throws RaceResultsError after the last attempt; the signal's reason
   */
  async send<T>(call: Call, options?: RequestOptions): Promise<T> {
    const { body } = await this.#receive<T>(call, options);
    return body;
  }

  /** The same, with its tag. */
  async sendTagged<T>(call: Call, options?: RequestOptions): Promise<Tagged<T>> {
    const { body, etag } = await this.#receive<T>(call, options);
    return { ...body, etag };
  }

  /** The same, unless it is the answer that the caller has. */
  async sendIfModified<T>(
    call: Call,
    { ifNoneMatch, ...options }: ConditionalOptions,
  ): Promise<Tagged<T> | 'not modified'> {
    const received = await this.#receive<T>({ ...call, ifNoneMatch }, options);
    return received.isModified ? { ...received.body, etag: received.etag } : 'not modified';
  }

  async #receive<T>(call: Call, { signal }: RequestOptions = {}): Promise<Received<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt<T>(call, signal);
      } catch (error) {
        const isLast = !call.repeatable || attempt >= this.#maxAttempts;
        if (isLast || !isRaceResultsError(error)) throw error;
        const delayMs = retryDelayMs(error, attempt);
        if (delayMs === undefined) throw error;
        await sleep(delayMs, signal);
      }
    }
  }

  async #attempt<T>(call: Call, signal: AbortSignal | undefined): Promise<Received<T>> {
    const { response, text } = await this.#exchange(call, signal);
    const { ok, status, headers } = response;
    const body = parseJson(text);
    const isModified = status !== 304 || call.ifNoneMatch === undefined;
    const isAnswer = !isModified || status === 204 || (ok && typeof body === 'object');
    if (!isAnswer) throw errorOf(call.operation, response, body);
    return { body, etag: headers.get('ETag') ?? undefined, isModified };
  }

  /** One request, and all of what is answered. */
  async #exchange(
    { operation, method = 'GET', path, query = {}, headers, ifNoneMatch, body }: Call,
    signal: AbortSignal | undefined,
  ) {
    signal?.throwIfAborted();
    const sendingMs = body ? body.bytes / SLOWEST_UPLOAD_BYTES_PER_MS : 0;
    const timeoutMs = Math.min(this.#timeoutMs + sendingMs, LONGEST_TIMEOUT_MS);
    // Not AbortSignal.any, which holds on to a caller's signal for as long as that lives.
    const end = new AbortController();
    const abort = () => end.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    const send = this.#fetch ?? fetch;
    try {
      const response = await send(this.#baseUrl + path + queryString(query), {
        method,
        headers: {
          ...this.#headers,
          ...headers,
          ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
        },
        ...(body && { body: body.content }),
        // The API never redirects, and whoever does is not to be sent the key.
        redirect: 'manual',
        signal: end.signal,
      });
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      if (end.signal.aborted) throw new TimeoutError(operation, timeoutMs, error);
      throw new NetworkError(operation, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/**
 * A header that carries a secret.
 * @throws TypeError where no header can, in words that do not repeat it as `fetch` would
 */
export function secretHeader(what: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new TypeError(`${what} is empty, or has blanks, line breaks or characters beyond ASCII`);
}

/** A path whose values cannot leave their segment. */
export const path = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

function queryString(query: object): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** undefined where the text is no JSON; JSON itself has no undefined. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
