/** A parameter of the address. @param {string} name */
export const parameter = (name) => new URLSearchParams(location.search).get(name);

/**
 * This address with other parameters. A value of undefined removes one.
 * @param {Record<string, string | undefined>} changes
 */
export function addressWith(changes) {
  const asked = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) asked.delete(name);
    else asked.set(name, value);
  }
  const query = String(asked).replace(/=(?=&|$)/g, '');
  return location.pathname + (query && `?${query}`);
}

/** @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} changed called after the address changed, by the page or by the browser's buttons */
export const onAddress = (changed) => void listeners.push(changed);

const tell = () => {
  for (const changed of listeners) changed();
};

/**
 * Goes to this address with other parameters. Links and bookmarks include what the reader chose; the page
 * stores nothing in the browser.
 * @param {Record<string, string | undefined>} changes
 */
export function goTo(changes) {
  const target = addressWith(changes);
  if (target !== location.pathname + location.search) history.pushState(null, '', target);
  tell();
}

/** Goes to this address without a step for the browser's back button. @param {Record<string, string | undefined>} changes */
export function setAddress(changes) {
  history.replaceState(null, '', addressWith(changes));
  tell();
}

addEventListener('popstate', tell);

/**
 * Links marked with data-go change the address without loading the page again.
 */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-go]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, '', link.href);
  tell();
});

/** Makes a link of the page. @param {Element} link @param {Record<string, string | undefined>} changes */
export function setLink(link, changes) {
  const target = addressWith(changes);
  if (link.getAttribute('href') !== target) link.setAttribute('href', target);
  link.setAttribute('data-go', '');
}
