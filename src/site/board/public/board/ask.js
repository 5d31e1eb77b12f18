/** Without an answer for this time, the server does not answer. */
const ANSWER_BUDGET_MS = 10_000;

/**
 * Requests an answer. It may be unchanged (304) or missing (404). `at` is the moment of the answer by the
 * server's clock, and `ageMs` how long a cache kept it before.
 * @typedef {{ kind: 'new', body: unknown, version: string | undefined, ageMs: number, at: number }
 *   | { kind: 'same', ageMs: number, at: number } | { kind: 'none' }} Answer
 */

/** The server was reached and cannot answer. Any other failure is one of the connection. */
export class ServerFailure extends Error {}

/**
 * @param {string} url
 * @param {string | undefined} version the ETag of what is known
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 * @throws ServerFailure if the server answers with an error or not in time
 * @throws Error if there is no connection, or something else answers
 */
export async function ask(url, version, signal) {
  const tooLate = AbortSignal.timeout(ANSWER_BUDGET_MS);
  try {
    return await send(url, version, signal ? AbortSignal.any([signal, tooLate]) : tooLate);
  } catch (cause) {
    if (tooLate.aborted) throw new ServerFailure(`${url} did not answer`, { cause });
    throw cause;
  }
}

/**
 * @param {string} url
 * @param {string | undefined} version
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
async function send(url, version, signal) {
  const answer = await fetch(url, {
    // The page compares versions itself. The browser's cache would store answers that nobody reads.
    cache: 'no-store',
    credentials: 'omit',
    headers: version === undefined ? {} : { 'If-None-Match': version },
    signal,
  });
  const ageMs = Number(answer.headers.get('Age') ?? 0) * 1_000;
  const writtenAt = Date.parse(answer.headers.get('Date') ?? '');
  const at = Number.isNaN(writtenAt) ? Date.now() : writtenAt + ageMs;
  if (answer.status === 304) return { kind: 'same', ageMs, at };
  if (answer.status === 404) return { kind: 'none' };
  if (!answer.ok) throw new ServerFailure(`${url} answered ${answer.status}`);
  const body = await answer.json();
  return { kind: 'new', body, version: answer.headers.get('ETag') ?? undefined, ageMs, at };
}
