import { BIB_MAX, BoardListQuery } from './schemas.ts';

const BOARD = /^\/board\/([^/]+)(?:\/|\/(data|results)|\/bibs\/([^/]+))?$/;

/**
 * Rewrites a board request to one canonical form: the entrypoint Board and the cache before it see one
 * address for one answer. Case, escapes, other parameters and the form of a page number make no difference.
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
  if (data === 'results') url.search = listQuery(url.searchParams);
  else url.search = data === undefined && bib === undefined ? runnerQuery(url.searchParams) : '';
  // Board counts refused answers for each address. The cache ignores this header.
  const client = request.headers.get('CF-Connecting-IP');
  const headers = client === null ? {} : { 'CF-Connecting-IP': client };
  // A browser follows the redirect of a short address, so that its page has the whole one.
  return new Request(url, { method: request.method, headers, redirect: 'manual' });
}

/** The page of a runner differs from that of the event in its title and in what it shows first. */
function runnerQuery(asked: URLSearchParams): string {
  const bib = asked.get('bib')?.trim() ?? '';
  return bib === '' || bib.length > BIB_MAX ? '' : new URLSearchParams({ bib }).toString();
}

/** Every query that is not valid becomes this one, which Board answers with 404. */
const INVALID = 'page=0';

/** No other parameter of a list changes its answer. Of several with one name, the first one counts. */
const SELECTING = ['distance', 'gender', 'category', 'page'];

function listQuery(asked: URLSearchParams): string {
  const given = SELECTING.map((name) => [name, asked.get(name)]).filter(([, value]) => value);
  const { success, data } = BoardListQuery.safeParse(Object.fromEntries(given));
  if (!success) return INVALID;
  const { distance, gender = '', category = '', page } = data;
  const selecting = { distance, gender, category, page: page === 1 ? '' : String(page) };
  return new URLSearchParams(Object.entries(selecting).filter(([, value]) => value)).toString();
}
