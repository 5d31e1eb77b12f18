/** @typedef {{ method: string, body?: string | FormData | null, isJson?: boolean, timeoutMs: number }} Request */

/** Answers that were asked for while the scripts of the page loaded, by token and address. */
const tab = /** @type {Window & { early?: Map<string, Promise<Response>> }} */ (window);

/** An answer that nobody took until then is out of date. */
const EARLY_MS = 10_000;

/** The address of an organization's resources. @param {string} organization */
export const addressOfOrganization = (organization) =>
  `/api/v1/organizations/${encodeURIComponent(organization)}`;

/** The address of a page of a list. @param {string} path @param {number} page */
export const pageOf = (path, page) => `${path}?page=${page}&page_size=100`;

/** The address of runners. @param {string} id of the race @param {string} search @param {number} page */
export const runnersOf = (id, search, page) =>
  `/events/${id}/runners?page=${page}&search=${encodeURIComponent(search)}`;

/**
 * @param {string} token
 * @param {string} address
 * @param {Request} request
 */
const send = (token, address, { method, body = null, isJson, timeoutMs }) =>
  fetch(address, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(isJson && { 'Content-Type': 'application/json' }),
    },
    body,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });

/** Asks before somebody needs the answers. @param {string} token @param {readonly string[]} addresses @param {number} timeoutMs */
export function askEarly(token, addresses, timeoutMs) {
  const early = new Map(tab.early);
  for (const address of addresses) {
    const key = `${token} ${address}`;
    if (early.has(key)) continue;
    const answer = send(token, address, { method: 'GET', timeoutMs });
    // The caller that takes the answer gets the failure.
    answer.catch(() => {});
    early.set(key, answer);
  }
  tab.early = early;
  setTimeout(() => early.clear(), EARLY_MS);
}

/** Sends a request, unless its answer was asked for early. @type {typeof send} */
export function request(token, address, sent) {
  const key = `${token} ${address}`;
  const early = sent.method === 'GET' ? tab.early?.get(key) : undefined;
  if (early) tab.early?.delete(key);
  return early ?? send(token, address, sent);
}
