import { inTab } from '../shared/storage.ts';
import { safeAddress, wayBack } from './way-back.ts';

const SESSION = 'session';
const RETURN = 'return-to';

/** Keeps an accepted session for reloads of this tab. */
export const keepSession = (session: { organization: string; token: string }) =>
  inTab((tab) => tab.setItem(SESSION, JSON.stringify(session)));

export const forgetSession = () => inTab((tab) => tab.removeItem(SESSION));

export const keptSession = (): { organization: string; token: string } | undefined =>
  JSON.parse(inTab((tab) => tab.getItem(SESSION)) ?? 'null') ?? undefined;

/** Whether a link leads to an organization other than the present session's, if any. */
export const isOther = (link: { organization: string }, present: string | undefined): boolean =>
  present !== undefined && present.toLowerCase() !== link.organization.trim().toLowerCase();

/** The claims of a session token. Only the API verifies the token: read claims of accepted tokens only. */
export function claimsOf(token: string): { sub?: unknown; iss?: unknown } {
  const [, payload = ''] = token.split('.');
  const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * Keeps the address of the organization's own panel for this tab, so that a reader finds the way back after the
 * session. The page never follows the address alone: the page shows a link with the host's name.
 * @param address as in the link
 * @param token an accepted token. If the token's issuer is an address, only the issuer's origin is kept.
 */
export function keepReturn(address: string, token: string) {
  const url = wayBack(address, claimsOf(token).iss);
  inTab((tab) => (url ? tab.setItem(RETURN, url.href) : tab.removeItem(RETURN)));
}

/** @returns the kept address */
export const keptReturn = (): URL | undefined =>
  safeAddress(inTab((tab) => tab.getItem(RETURN)) ?? '');
