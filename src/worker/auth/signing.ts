import { CompactSign, importJWK } from 'jose';
import { type Config, readSigningKeys } from '../config.ts';

const ALGORITHM = 'EdDSA';

/** Signs what others verify with the public keys. */
export type Signer = ReturnType<typeof createSigner>;

export function createSigner({ SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>) {
  const keys = readSigningKeys(SIGNING_KEYS) ?? [];
  const [signing] = keys;
  return {
    /** A JSON Web Key Set. Keys that no longer sign are among them, because what they signed stays. */
    publicKeys: {
      keys: keys.map(({ kid, kty, crv, x }) => ({ kid, kty, crv, x, alg: ALGORITHM, use: 'sig' })),
    },

    /** @returns a JWS in the compact form, whose payload is JSON. @param typ the kind of statement */
    async sign(typ: string, statement: object): Promise<string> {
      if (!signing) throw new Error('There is no key that signs.');
      return new CompactSign(new TextEncoder().encode(JSON.stringify(statement)))
        .setProtectedHeader({ alg: ALGORITHM, kid: signing.kid, typ })
        .sign(await importJWK({ ...signing }, ALGORITHM));
    },
  };
}
