/**
 * How a board serves a crowd. The Worker's default entrypoint passes board requests to the entrypoint
 * Board. Cloudflare's cache for Workers (https://developers.cloudflare.com/workers/cache/) stands between
 * the two. It keeps an answer for as long as its Cache-Control allows, in the data center and in one
 * above it. It sends one of several equal requests to Board. If Board fails, it serves the last good
 * answer. No other request passes this cache.
 *
 * 50 000 spectators who poll every 5 s send 10 000 requests a second. Each data center answers them. It
 * asks the data center above it once in 2 s, and that one asks Board:
 *
 *     requests                          10 000 a second, most of them 304
 *     of Board, and so of the database  0.5 a second and event
 *
 * In the worst case every data center asks Board itself: 300 × 0.5 = 150 requests a second.
 */
const BOARD = /^\/board\/([^/]+)(?:\/(data|results)|\/bibs\/([^/]+))?$/;
/** What selects a page of results. No other part of a query string changes an answer. */
const SELECTING = ['distance', 'gender', 'category', 'page'];

/**
 * Rewrites a board request to one canonical form. Variants in case, escapes or query string would
 * otherwise miss the cache and reach the database.
 * @returns undefined if the request is not for a board or cannot be cached
 */
export function toBoardRequest(request: Request): Request | undefined {
  // Most requests are for the API: they are not parsed here.
  if (!request.url.includes('/board/')) return undefined;
  const url = new URL(request.url);
  const [, event, data, bib] = BOARD.exec(url.pathname) ?? [];
  if (event === undefined || !['GET', 'HEAD'].includes(request.method)) return undefined;
  try {
    const parts = ['/board', decodeURIComponent(event).toLowerCase()];
    if (data !== undefined) parts.push(data);
    if (bib !== undefined) parts.push('bibs', decodeURIComponent(bib).trim());
    url.pathname = parts.map((part, index) => (index ? encodeURIComponent(part) : part)).join('/');
  } catch {
    return undefined;
  }
  const asked = data === 'results' ? url.searchParams : new URLSearchParams();
  const selecting = SELECTING.flatMap((name) => {
    const value = asked.get(name);
    return value ? [[name, value]] : [];
  });
  url.search = new URLSearchParams(selecting).toString();
  const version = request.headers.get('If-None-Match');
  return new Request(url, {
    method: request.method,
    headers: version === null ? {} : { 'If-None-Match': version },
  });
}
