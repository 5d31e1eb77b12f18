/**
 * The claims of a session token. Only the API verifies the token: read claims of accepted tokens only.
 * @param {string} token
 * @returns {{ sub?: unknown, iss?: unknown }}
 */
export function claimsOf(token) {
  const [, payload = ''] = token.split('.');
  const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
