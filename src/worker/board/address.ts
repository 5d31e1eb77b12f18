import { boardCodeIn } from '../events/board-code.ts';
import { PageQuery } from '../http/pagination.ts';
import { later } from '../later.ts';
import { OpenListQuery } from './open-schemas.ts';
import { BIB_MAX, BoardListQuery, FOLLOWED_MAX, WANTED_MAX } from './schemas.ts';

const BOARD =
  /^\/board\/([^/]+)(?:\/|\/(data|results|find|official\/[1-9]\d{0,3})|\/bibs\/([^/]+))?$/;

/** A short address. */
const SHORT = /^\/b\/([^/]+)\/?$/;

/** The requests of programs. */
const OPEN = /^\/board\/v1\/([^/]+)(?:\/(results|points)|\/runners\/([^/]+))?$/;

/**
 * Rewrites a board request to a canonical form: the entrypoint Board and its cache see a single address for each
 * answer. Case, escapes, other parameters and the form of a page number make no difference.
 * @returns undefined if the request is not for a board or cannot be cached
 */
export function toBoardRequest({
  url: asked,
  method,
  headers: sent,
}: Request): Request | undefined {
  // Most requests are for the API: this function does not parse them.
  if (!/\/b(?:oard)?\//.test(asked) || !['GET', 'HEAD'].includes(method)) return undefined;
  const url = new URL(asked);
  const [, code] = SHORT.exec(url.pathname) ?? [];
  if (code !== undefined) nameCode(url, code);
  else if (!nameBoard(url)) return undefined;
  // Board counts refused answers for each address. The cache ignores this header.
  const client = sent.get('CF-Connecting-IP');
  const headers = client === null ? {} : { 'CF-Connecting-IP': client };
  // The browser follows a short address.
  return new Request(url, { method, headers, redirect: 'manual' });
}

/** Rewrites a short address. All texts that are no code share an address, which Board answers with 404. */
function nameCode(url: URL, text: string): void {
  url.pathname = `/b/${boardCodeIn(text) ?? 'none'}`;
  url.search = pageQuery(url.searchParams);
}

/** Rewrites the address of a board. @returns whether the address is one */
function nameBoard(url: URL): boolean {
  const open = OPEN.exec(url.pathname);
  const [, event, data, bib] = open ?? BOARD.exec(url.pathname) ?? [];
  if (event === undefined) return false;
  try {
    const parts = open ? ['/board', 'v1'] : ['/board'];
    parts.push(decodeURIComponent(event).toLowerCase());
    if (data !== undefined) parts.push(...data.split('/'));
    if (bib !== undefined) parts.push(open ? 'runners' : 'bibs', decodeURIComponent(bib).trim());
    url.pathname = parts.map((part, index) => (index ? encodeURIComponent(part) : part)).join('/');
  } catch {
    return false;
  }
  if (open) url.search = data === undefined ? '' : openQuery(data, url.searchParams);
  else if (data === 'results') url.search = listQuery(url.searchParams);
  else if (data === 'find') url.search = wantedQuery(url.searchParams);
  else url.search = data === undefined && bib === undefined ? pageQuery(url.searchParams) : '';
  return true;
}

/**
 * The page of runners differs from the page of the event in its title and in its first view. A wall has its own styles,
 * and shows no chosen runner.
 */
function pageQuery(asked: URLSearchParams): string {
  if (asked.has('screen')) return 'screen';
  const bibs = bibsIn(asked.get('bib') ?? '');
  return bibs.length === 0 ? '' : new URLSearchParams({ bib: bibs.join() }).toString();
}

/** The bibs of an address such as `?bib=17,31`. */
export const bibsIn = (text: string): string[] => {
  const bibs = text
    .slice(0, BIBS_LENGTH_MAX)
    .split(',')
    .map((bib) => bib.trim());
  const known = new Set(bibs.filter((bib) => bib !== '' && bib.length <= BIB_MAX));
  return [...known].slice(0, FOLLOWED_MAX);
};
const BIBS_LENGTH_MAX = FOLLOWED_MAX * (BIB_MAX + 1);

/** Texts with a difference only in case or blanks have equal addresses. */
function wantedQuery(asked: URLSearchParams): string {
  const text = (asked.get('q') ?? '').slice(0, WANTED_MAX);
  const wanted = text.toLowerCase().replace(/\s+/g, ' ').trim();
  return new URLSearchParams({ q: wanted }).toString();
}

/** Every invalid query becomes this query, which Board answers with 404. */
const INVALID = 'page=0';

/** Further parameters of a list do not change its answer. Of several parameters with equal names, the first counts. */
const SELECTING = ['distance', 'gender', 'category', 'page'];

function listQuery(asked: URLSearchParams): string {
  const given = SELECTING.map((name) => [name, asked.get(name)]).filter(([, value]) => value);
  const { success, data } = BoardListQuery().safeParse(Object.fromEntries(given));
  if (!success) return INVALID;
  const { distance, gender = '', category = '', page } = data;
  const selecting = { distance, gender, category, page: page === 1 ? '' : String(page) };
  return new URLSearchParams(Object.entries(selecting).filter(([, value]) => value)).toString();
}

const firstPage = later(() => new Map<string, unknown>(Object.entries(PageQuery().parse({}))));

/** The query of a list for programs. An invalid query stays: Board answers with its errors. */
function openQuery(data: string, asked: URLSearchParams): string {
  const { shape } = data === 'results' ? OpenListQuery() : PageQuery();
  const known = [...asked].filter(([name]) => Object.hasOwn(shape, name));
  const isOnce = new Set(known.map(([name]) => name)).size === known.length;
  const query = isOnce ? OpenListQuery().safeParse(Object.fromEntries(known)) : undefined;
  const selecting = query?.success
    ? Object.entries(query.data).filter(([name, value]) => value !== firstPage().get(name))
    : known;
  const parts = selecting.map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(parts.toSorted()).toString();
}
