const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Accepts https and, on this machine, http. A link to `javascript:` or with a user name is refused. */
export function safeAddress(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isSecure =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  return isSecure && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * The address to which a reader returns after the session.
 * @param issuer of the session. If the issuer is an address, only addresses of the issuer's origin are accepted.
 */
export function wayBack(address: string, issuer: unknown): URL | undefined {
  const url = safeAddress(address);
  const own = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isForeign = own && /^https?:$/.test(own.protocol) && own.origin !== url?.origin;
  return isForeign ? undefined : url;
}
