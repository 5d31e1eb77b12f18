/**
 * How a board bears a crowd. The Worker's entry asks the entrypoint Board, and between the two
 * stands Cloudflare's cache for Workers (https://developers.cloudflare.com/workers/cache/): it keeps
 * an answer for as long as its Cache-Control says, in the data center and in one above it; of all who
 * ask for the same while there is none, it lets one through; and it serves the last answer while
 * there is only a failure to replace it. Nothing else of this Worker passes a cache.
 *
 * 50 000 spectators who ask every 5 s are 10 000 requests a second. Each is answered in the data
 * center it arrives at; a data center asks the one above it once in 2 s, and that one the Worker:
 *
 *     requests                          10 000 a second, most of them 304
 *     of Board, and so of the database  0.5 a second and event; one index look-up where nothing changed
 *
 * The worst is one such question a data center, in place of one for all: 300 × 0.5 = 150 a second.
 */
const BOARD = /^\/board\/([^/]+)(?:\/(data)|\/bibs\/([^/]+))?$/;

/**
 * What the cache is asked for a request to a board: of all the ways to ask for one thing — another
 * case, other escapes, a query that nobody reads — the same one, so that none of them gets past it.
 * @returns undefined where the request is not one that can be kept
 */
export function toBoardRequest(request: Request): Request | undefined {
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
  url.search = '';
  const version = request.headers.get('If-None-Match');
  return new Request(url, {
    method: request.method,
    headers: version === null ? {} : { 'If-None-Match': version },
  });
}
