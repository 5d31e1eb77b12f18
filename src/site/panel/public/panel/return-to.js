import { inTab } from './tab-session.js';
import { claimsOf } from './token.js';

const PLACE = 'return-to';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps the address of the organization's own panel for this tab, so that a reader finds the way back
 * after the session. The page never follows the address by itself: it shows a link that names the host.
 * @param {string} address as the link gave it
 * @param {string} token an accepted token. If its issuer is an address, only that origin is kept.
 */
export function keepReturn(address, token) {
  const { iss } = claimsOf(token);
  const url = safeAddress(address);
  const issuer = typeof iss === 'string' && URL.canParse(iss) ? new URL(iss) : undefined;
  const isForeign = issuer && /^https?:$/.test(issuer.protocol) && issuer.origin !== url?.origin;
  inTab((tab) => {
    if (url && !isForeign) tab.setItem(PLACE, url.href);
    else tab.removeItem(PLACE);
  });
}

/** @returns {URL | undefined} the kept address */
export function keptReturn() {
  let kept = '';
  inTab((tab) => {
    kept = tab.getItem(PLACE) ?? '';
  });
  return safeAddress(kept);
}

/**
 * Accepts https and, on this machine, http. A link to `javascript:` or with a user name is refused.
 * @param {string} address
 */
function safeAddress(address) {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isSecure =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  return isSecure && url.username === '' && url.password === '' ? url : undefined;
}
