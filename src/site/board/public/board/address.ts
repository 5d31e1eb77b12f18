import { followed } from './followed.ts';

/** Parameters to change in the address. A value of undefined removes a parameter. */
type Changes = Record<string, string | undefined>;

export const parameter = (name: string) => new URLSearchParams(location.search).get(name);

/** The bibs in the address: the first bib has the large card. */
export const openBibs = (): string[] =>
  (parameter('bib') ?? '')
    .split(',')
    .map((bib) => bib.trim())
    .filter((bib, at, all) => bib !== '' && all.indexOf(bib) === at);

/** The maximum of bibs in an address. */
const OPEN_MAX = 8;

/** Opens a runner before the runners in the address and the followed runners. */
export const opening = (bib: string): Changes => ({
  bib: [bib, ...followed().filter((one) => one !== bib)].slice(0, OPEN_MAX).join(),
  find: undefined,
});

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
 * Goes to this address with changed parameters. Links and bookmarks include the reader's choices. Beside the address,
 * the browser keeps the followed bibs, and the last page for times without a connection.
 * @param isStep the browser's back button returns to the address before
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
