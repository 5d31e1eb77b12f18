/** Answers requested during the loading of the page's scripts, by authorization and address. */
const tab = window as Window & { early?: Map<string, Promise<Response>> };

/** An answer still unused after this time is out of date. */
const EARLY_MS = 10_000;

const send = (address: string, init: RequestInit) =>
  fetch(address, { ...init, cache: 'no-store', credentials: 'omit' });

const keyOf = (address: string, { headers }: RequestInit) =>
  `${new Headers(headers).get('Authorization')} ${address}`;

/** The header with the token of a session. */
export const authorizationOf = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Asks before a view needs the answers. */
export function askEarly(token: string, addresses: readonly string[], timeoutMs: number) {
  const early = new Map(tab.early);
  const init = {
    headers: authorizationOf(token),
    redirect: 'manual' as const,
    signal: AbortSignal.timeout(timeoutMs),
  };
  for (const path of addresses) {
    const address = location.origin + path;
    const key = keyOf(address, init);
    if (early.has(key)) continue;
    const answer = send(address, init);
    // The caller that takes the answer gets the failure.
    answer.catch(() => {});
    early.set(key, answer);
  }
  tab.early = early;
  setTimeout(() => early.clear(), EARLY_MS);
}

/** Sends a request, unless the answer was requested early. */
export function request(address: string, init: RequestInit): Promise<Response> {
  const key = keyOf(address, init);
  const early = init.method === 'GET' ? tab.early?.get(key) : undefined;
  if (early) tab.early?.delete(key);
  return early ?? send(address, init);
}
