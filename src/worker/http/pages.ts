export type PageBindings = {
  /** The files of the site. Those under `pages` have no address: the Worker answers with them. */
  ASSETS: Fetcher;
  /** The deployed version. `wrangler dev` has none. */
  VERSION?: { id: string };
};

/**
 * Fetches a page that `src/site` builds, with the headers of its `_headers`.
 * @param name the path under `pages` without `.html`
 * @throws Error if the site is not built
 */
export async function fetchPage({ ASSETS }: PageBindings, { url }: Request, name: string) {
  const page = await ASSETS.fetch(new URL(`/pages/${name}`, url));
  if (!page.ok) throw new Error(`The site has no page "${name}".`);
  const headers = new Headers(page.headers);
  // They are about the file, not about the answer.
  headers.delete('ETag');
  headers.delete('CF-Cache-Status');
  return { body: page.body, headers };
}
