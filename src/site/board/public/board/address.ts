import { followed } from './followed.ts';

/** Parameters to change in the address. A value of undefined removes a parameter. */
type Changes = Record<string, string | undefined>;

export const parameter = (name: string) => new URLSearchParams(location.search).get(name);

/** The bibs that the address opens: the first one has the large card. */
export const openBibs = (): string[] =>
  (parameter('bib') ?? '')
    .split(',')
    .map((bib) => bib.trim())
    .filter((bib, at, all) => bib !== '' && all.indexOf(bib) === at);

/** Bibs that an address holds. */
const OPEN_MAX = 8;

/** Opens a runner before the others that the address opens and the reader follows. */
export const opening = (bib: string): Changes => ({
  bib: [bib, ...followed().filter((one) => one !== bib)].slice(0, OPEN_MAX).join(),
  find: undefined,
});

/** This address with other parameters. */
function addressWith(changes: Changes): string {
  const asked = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) asked.delete(name);
    else asked.set(name, value);
  }
  const query = String(asked)
    .replace(/=(?=&|$)/g, '')
    .replaceAll('%2C', ',');
  return location.pathname + (query && `?${query}`);
}

const listeners: (() => void)[] = [];

/** @param changed called after the address changed, by the page or by the browser's buttons */
export const onAddress = (changed: () => void) => void listeners.push(changed);

const tell = () => {
  for (const changed of listeners) changed();
};

/**
 * Goes to this address with other parameters. Links and bookmarks include what the reader chose. Besides it, the
 * browser keeps the bibs that the reader follows, and the last page for when it is offline.
 * @param isStep the browser's back button comes back to the address before
 */
export function goTo(changes: Changes, isStep = true): void {
  const target = addressWith(changes);
  if (target !== location.pathname + location.search) {
    history[isStep ? 'pushState' : 'replaceState'](null, '', target);
  }
  tell();
}

addEventListener('popstate', tell);

/** Links marked with data-go change the address without loading the page again. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-go]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, '', link.href);
  tell();
});

/** Makes a link of the page. */
export function setLink(link: Element, changes: Changes): void {
  const target = addressWith(changes);
  if (link.getAttribute('href') !== target) link.setAttribute('href', target);
  link.setAttribute('data-go', '');
}
