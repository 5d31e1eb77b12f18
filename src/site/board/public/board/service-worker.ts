/**
 * Shows the last pages of boards without a connection. The script keeps pages without their data: the page keeps its
 * last answers (kept.ts) with their times. With a connection, the network answers, except for files whose names change
 * with their content.
 */

/** The part of a service worker missing in a page's types. */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = WorkerEvent & {
  readonly request: Request;
  /** The browser's early answer, requested while this script started. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
/** `source` is null if the page has gone meanwhile. */
type MessageEvent = WorkerEvent & { readonly source: { readonly url: string } | null };
type Worker = {
  addEventListener(type: 'install', listener: () => void): void;
  addEventListener(type: 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
};
declare const self: Worker;

/** Makes this file a module for the compiler. */
export {};

/** Each page has its own cache, with its files. The last pages are kept. */
const CACHE = 'board ';
const PAGES_MAX = 3;

const PAGE = /^\/board\/[\da-f-]{36}\/?$/i;
const FILE = /\/assets\/[\w.-]+/g;
/** The server's data in the page. The JSON has no `<`. */
const DATA = /(<script [^>]*id="first">)[^<]*/;
/** The card of the runner, which the server wrote too. */
const CARD = /<article id="early".*?<\/article>/s;

const nameOf = (pathname: string) => CACHE + pathname.toLowerCase().replace(/\/$/, '');

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(self.registration.navigationPreload.enable());
});

// A page asks if the page did not pass through this script: the first page, or a page after a forced reload.
self.addEventListener('message', (event) => {
  if (event.source) event.waitUntil(keepLoaded(event.source.url));
});

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.mode === 'navigate' && PAGE.test(pathname)) {
    event.respondWith(answerPage(event, pathname));
  } else if (origin === location.origin && pathname.startsWith('/assets/')) {
    event.respondWith(answerFile(event.request));
  }
});

/** Keeps a page at the page's request, in the form just loaded by the browser. */
async function keepLoaded(url: string): Promise<void> {
  const { pathname } = new URL(url);
  if (PAGE.test(pathname)) await keep(pathname, await fetch(url, { cache: 'force-cache' }));
}

async function answerPage(event: FetchEvent, pathname: string): Promise<Response> {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(keep(pathname, answer.clone()));
    return answer;
  } catch (error) {
    const kept = await caches.match(nameOf(pathname).slice(CACHE.length));
    if (!kept) throw error;
    return kept;
  }
}

const answerFile = async (request: Request) => (await caches.match(request)) ?? fetch(request);

/** A network with a login answers every request with its own page, or from another address. */
const isOurs = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && !headers.get('Content-Type')?.includes('html');

async function keep(pathname: string, page: Response): Promise<void> {
  const name = nameOf(pathname);
  // The board has been switched off. Our answers alone have the header.
  if (page.status === 404 && page.headers.has('X-Request-Id')) await caches.delete(name);
  if (!page.ok || page.redirected) return;
  const whole = await page.text();
  if (!DATA.test(whole)) return;
  const html = whole.replace(DATA, '$1').replace(CARD, '');
  const paths = [...new Set(html.match(FILE))];
  const files = await Promise.all(paths.map((path) => fetch(path, { cache: 'force-cache' })));
  if (!files.every(isOurs)) return;
  await caches.delete(name);
  const cache = await caches.open(name);
  await Promise.all(files.map((file) => cache.put(file.url, file)));
  // The page comes last: a found page has all its files.
  await cache.put(name.slice(CACHE.length), new Response(html, { headers: page.headers }));
  const names = (await caches.keys()).filter((one) => one.startsWith(CACHE));
  for (const old of names.slice(0, -PAGES_MAX)) await caches.delete(old);
}
