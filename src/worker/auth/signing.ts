import { CompactSign, importJWK } from 'jose';
import { type Config, readSigningKeys } from '../config.ts';
import { unavailable } from '../errors.ts';

const ALGORITHM = 'EdDSA';

/** Signs documents, which readers verify with the public keys. */
export type Signer = ReturnType<typeof createSigner>;

export function createSigner({ SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>) {
  const keys = readSigningKeys(SIGNING_KEYS ?? '') ?? [];
  const [signing] = keys;
  return {
    /**
     * A JSON Web Key Set. Retired keys stay in the set, because their signatures stay.
     * @throws ApiError SERVICE_UNAVAILABLE without keys: caches would keep an empty set
     */
    publicKeys() {
      if (!signing) throw noSigningKeys();
      const published = keys.map(({ kid, kty, crv, x }) => ({ kid, kty, crv, x }));
      return { keys: published.map((key) => ({ ...key, alg: ALGORITHM, use: 'sig' })) };
    },

    /**
     * @param typ the kind of statement
     * @returns a JWS in the compact form, whose payload is JSON
     * @throws ApiError SERVICE_UNAVAILABLE without keys
     */
    async sign(typ: string, statement: object): Promise<string> {
      if (!signing) throw noSigningKeys();
      return new CompactSign(new TextEncoder().encode(JSON.stringify(statement)))
        .setProtectedHeader({ alg: ALGORITHM, kid: signing.kid, typ })
        .sign(await importJWK({ ...signing }, ALGORITHM));
    },
  };
}

const RETRY_AFTER_SECONDS = 60;

export const noSigningKeys = () =>
  unavailable(
    'Official results cannot be signed or checked now: the service has no signing keys. Tell its operator.',
    RETRY_AFTER_SECONDS,
  );
