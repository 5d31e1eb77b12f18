/** A connection that says nothing for so long is lost. */
const ANSWER_BUDGET_MS = 10_000;

/**
 * What is there, unless it is of the version that is known already (304), or not there (404).
 * @typedef {{ kind: 'new', body: unknown, version: string | undefined, ageMs: number }
 *   | { kind: 'same', ageMs: number } | { kind: 'none' }} Answer
 */

/**
 * @param {string} url
 * @param {string | undefined} version the ETag of what is known
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 * @throws Error when there is no answer, or one that tells nothing
 */
export async function ask(url, version, signal) {
  const tooLate = AbortSignal.timeout(ANSWER_BUDGET_MS);
  const answer = await fetch(url, {
    // Versions are compared here: the browser's own cache would keep what nobody reads.
    cache: 'no-store',
    credentials: 'omit',
    headers: version === undefined ? {} : { 'If-None-Match': version },
    signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate,
  });
  const ageMs = Number(answer.headers.get('Age') ?? 0) * 1_000;
  if (answer.status === 304) return { kind: 'same', ageMs };
  if (answer.status === 404) return { kind: 'none' };
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const body = await answer.json();
  return { kind: 'new', body, version: answer.headers.get('ETag') ?? undefined, ageMs };
}
