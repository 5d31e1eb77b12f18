type Request = {
  method: string;
  body?: string | FormData | null;
  isJson?: boolean;
  timeoutMs: number;
};

/** Answers that were asked for while the scripts of the page loaded, by token and address. */
const tab = window as Window & { early?: Map<string, Promise<Response>> };

/** An answer that nobody took until then is out of date. */
const EARLY_MS = 10_000;

/** The address of an organization's resources. */
export const addressOfOrganization = (organization: string) =>
  `/api/v1/organizations/${encodeURIComponent(organization)}`;

/** The address of a page of a list. */
export const pageOf = (path: string, page: number) => `${path}?page=${page}&page_size=100`;

/** The address of runners. @param id of the race */
export const runnersOf = (id: string, search: string, page: number) =>
  `/events/${id}/runners?page=${page}&search=${encodeURIComponent(search)}`;

const send = (
  token: string,
  address: string,
  { method, body = null, isJson, timeoutMs }: Request,
) =>
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

/** Asks before somebody needs the answers. */
export function askEarly(token: string, addresses: readonly string[], timeoutMs: number) {
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

/** Sends a request, unless its answer was asked for early. */
export function request(token: string, address: string, sent: Request) {
  const key = `${token} ${address}`;
  const early = sent.method === 'GET' ? tab.early?.get(key) : undefined;
  if (early) tab.early?.delete(key);
  return early ?? send(token, address, sent);
}
