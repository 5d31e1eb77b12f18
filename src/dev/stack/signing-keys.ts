import { generateKeyPairSync } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ifStarted } from './script.ts';

/** A new SIGNING_KEYS. Earlier keys follow, so that their signatures can still be verified. */
export function newSigningKeys(before: readonly object[] = []): string {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const kid = `${new Date().toISOString().slice(0, 10)}-${x?.replace(/\W/g, '').slice(0, 4)}`;
  return JSON.stringify({ keys: [{ kid, kty, crv, x, d }, ...before] });
}

/**
 * `npm run signing-keys`: prints a new SIGNING_KEYS. With `--api`, the API's published keys follow, except the leaked
 * key with the id `--without`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { api: { type: 'string' }, without: { type: 'string' } },
  });
  if (values.api === undefined) return console.log(newSigningKeys());
  const answer = await fetch(new URL('/.well-known/jwks.json', values.api));
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}.`);
  const { keys }: { keys: { kid: string }[] } = await answer.json();
  const { without } = values;
  if (without !== undefined && !keys.some(({ kid }) => kid === without)) {
    throw new Error(`${answer.url} has no key "${without}".`);
  }
  console.log(newSigningKeys(keys.filter(({ kid }) => kid !== without)));
}

ifStarted(import.meta.filename, main);
