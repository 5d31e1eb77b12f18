/** The browser's store for times without a connection: the page, and its last answers. */

const CACHE = 'answers';
const ANSWERS_MAX = 30;

/** An answer, and the server's time of the answer: epoch ms by the server's clock. */
type Kept<Body> = { body: Body; asOf: number };

/** A page without https, or in a frame of another site, may keep nothing. */
const isRefused = (): undefined => undefined;

const open = async (): Promise<Cache | undefined> =>
  isSecureContext ? await caches.open(CACHE).catch(isRefused) : undefined;

/** @param answer undefined if the server has none any more */
export async function keep<Body>(url: string, answer: Kept<Body> | undefined): Promise<void> {
  const cache = await open();
  if (!cache) return;
  // The newest entry stands last.
  await cache.delete(url);
  if (answer === undefined) return;
  await cache.put(url, new Response(JSON.stringify(answer))).catch(isRefused);
  const asked = await cache.keys();
  for (const old of asked.slice(0, -ANSWERS_MAX)) await cache.delete(old);
}

/** @returns undefined if nothing is kept */
export async function findKept<Body>(url: string): Promise<Kept<Body> | undefined> {
  const answer = await (await open())?.match(url);
  return answer?.json();
}

const WORKER = '/board/service-worker.js';

declare global {
  interface Window {
    /** Some browsers have none. The types of a page neither. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(wanted: string): string };
    };
  }
}

/** Lets the browser show this page without a connection. */
export function keepPage(): void {
  const register = () => {
    // The policy of the page lets nothing but this address be loaded as a script.
    const policy = window.trustedTypes?.createPolicy('service-worker', {
      createScriptURL: () => WORKER,
    });
    const address = policy?.createScriptURL(WORKER) ?? WORKER;
    navigator.serviceWorker.register(address).catch(isRefused);
    // The worker keeps the pages that pass through the worker. Another page has to ask.
    if (!navigator.serviceWorker.controller)
      void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep'));
  };
  if (!('serviceWorker' in navigator)) return;
  // No part of the page waits for the registration.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}
