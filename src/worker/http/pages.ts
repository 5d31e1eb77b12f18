import { languageOf } from '../../timing-files/write/languages.ts';

/** The files of the site. Files under `pages` have no address: the Worker answers with these files. */
type Pages = Pick<Env, 'ASSETS'>;

/**
 * Fetches a page that `src/site` builds, with the headers of its `_headers`.
 * @param name the path under `pages` without `.html`
 * @throws Error if the site is not built
 */
export async function fetchPage({ ASSETS }: Pages, { url }: Request, name: string) {
  const page = await ASSETS.fetch(new URL(`/pages/${name}`, url));
  if (!page.ok) throw new Error(`The site has no page "${name}".`);
  const headers = new Headers(page.headers);
  // These headers describe the file, not the answer.
  headers.delete('ETag');
  headers.delete('CF-Cache-Status');
  return { body: page.body, headers };
}

/** Operations of the API answer JSON to browsers too. */
const OPERATION = /^\/(public|api|board\/v1|healthz|readyz|\.well-known)(\/|$)/;
const BOARD = /^\/b(oard)?(\/|$)/;

/** The page about an error, by its name in `src/site/error-pages`. */
function pageOf(status: number, pathname: string): string | undefined {
  if (status === 404) return BOARD.test(pathname) ? 'no-board' : 'missing';
  if (status === 500) return 'failed';
  return status === 503 ? 'unavailable' : undefined;
}

/**
 * Replaces an error in JSON by a page, for a browser that asks for a page. Everybody else gets the JSON. The default
 * entrypoint does this, not the app, because the cache of boards does not know the client.
 */
export async function forPeople(
  request: Request,
  response: Response,
  bindings: Pages,
): Promise<Response> {
  // Most answers are no errors: their addresses are not parsed here.
  if (response.status < 400) return response;
  const { pathname } = new URL(request.url);
  const name = pageOf(response.status, pathname);
  if (name === undefined || OPERATION.test(pathname)) return response;
  if (!request.headers.get('Accept')?.includes('text/html')) return response;
  const language = languageOf(request.headers.get('Accept-Language')?.trim() ?? '') ?? 'en';
  const page = await fetchPage(bindings, request, `${language}/${name}`);
  await response.body?.cancel();
  const headers = new Headers(response.headers);
  headers.delete('ETag');
  for (const [header, value] of page.headers) headers.set(header, value);
  return new Response(page.body, { status: response.status, headers });
}
