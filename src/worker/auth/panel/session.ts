import { Buffer } from 'node:buffer';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import type { Config } from '../../config.ts';
import { unauthorized, unavailable } from '../../errors.ts';

/** The configuration chooses the list of algorithms. The token does not. */
const SECRET_ALGORITHMS = ['HS256'];
const PUBLIC_KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const CLOCK_LEEWAY_SECONDS = 5;
const KEYS_KEPT_MS = 10 * 60_000;
/** An unknown key id does not cause another fetch within this time. */
const KEYS_COOLDOWN_MS = 30_000;
const KEYS_BUDGET_MS = 3_000;
const KEYS_RETRY_MS = 5_000;
const USER_ID_MAX = 255;

/** A valid session of the panel. */
type Session = {
  /** Tells sessions apart, and says nothing of the token. */
  id: string;
  /** The user's id in the panel. */
  userId: string;
};

/** Verifies panel tokens. */
export type Sessions = ReturnType<typeof createSessions>;

/** @param fetchKeys fetches PANEL_JWKS_URL */
export function createSessions(
  config: Config,
  fetchKeys: FetchImplementation = (url, init) => fetch(url, init),
) {
  const { PANEL_JWKS_URL, PANEL_JWT_ISSUER, PANEL_JWT_AUDIENCE } = config;
  const keys = PANEL_JWKS_URL
    ? [createKeys(new URL(PANEL_JWKS_URL), fetchKeys)]
    : [config.PANEL_JWT_SECRET, config.PANEL_JWT_SECRET_BEFORE]
        .filter((secret) => secret !== undefined)
        .map((secret) => new TextEncoder().encode(secret))
        .map(
          (secret): JWTVerifyGetKey =>
            () =>
              secret,
        );
  const expected: JWTVerifyOptions = {
    algorithms: PANEL_JWKS_URL ? PUBLIC_KEY_ALGORITHMS : SECRET_ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_LEEWAY_SECONDS,
    ...(PANEL_JWT_ISSUER !== undefined && { issuer: PANEL_JWT_ISSUER }),
    ...(PANEL_JWT_AUDIENCE !== undefined && { audience: PANEL_JWT_AUDIENCE }),
  };
  return {
    /**
     * @throws ApiError UNAUTHORIZED if the token is invalid or expired, SERVICE_UNAVAILABLE if the panel's
     *   public keys cannot be fetched
     */
    async verify(token: string, now: Date): Promise<Session> {
      // The panel's variables are broken: see `parseConfig`.
      if (keys.length === 0) throw sessionsUnavailable();
      const options = { ...expected, currentDate: now };
      const { payload } = await verifyWith(keys, token, options).catch(refuse);
      // JSON can hold infinite numbers, such as 1e400.
      if (!isUserId(payload.sub) || !Number.isFinite(payload.exp)) throw invalidSession();
      return { userId: payload.sub, id: await idOf(token) };
    },
  };
}

/** Tries the next key if the signature does not fit the key before. */
async function verifyWith(
  [key, ...others]: readonly JWTVerifyGetKey[],
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  if (!key) throw new errors.JWSSignatureVerificationFailed();
  return jwtVerify(token, key, options).catch((error: unknown) => {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return verifyWith(others, token, options);
    }
    throw error;
  });
}

/**
 * Fetches the panel's public keys at the first use, keeps them, and fetches again for an unknown id. jose pauses after
 * an answer. Our pause follows a failure: without the pause each request would ask a panel that is down.
 */
function createKeys(url: URL, fetchKeys: FetchImplementation): JWTVerifyGetKey {
  let retryAtMs = 0;
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_BUDGET_MS,
    [customFetch]: async (address, init) => {
      if (Date.now() < retryAtMs)
        throw new Error('The panel did not answer its keys a moment ago.');
      return fetchKeys(address, init);
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const isTokenAtFault =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys;
      if (isTokenAtFault) throw error;
      if (Date.now() >= retryAtMs) retryAtMs = Date.now() + KEYS_RETRY_MS;
      throw sessionsUnavailable(error);
    }
  };
}

/** A digest of the signed part: the text of a signature is not unique. */
async function idOf(token: string): Promise<string> {
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));
  return Buffer.from(await crypto.subtle.digest('SHA-256', signed)).toString('base64url');
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw expiredSession();
  throw error instanceof errors.JOSEError ? invalidSession() : error;
}

/** Postgres cannot hold NUL, and UTF-8 cannot encode a lone surrogate. */
const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' &&
  sub.trim() !== '' &&
  sub.length <= USER_ID_MAX &&
  sub.isWellFormed() &&
  !sub.includes('\0');

export const invalidSession = () =>
  unauthorized('The panel session is not valid. Sign in to the panel again.');

export const expiredSession = () =>
  unauthorized('The panel session has expired. Sign in to the panel again.');

export const sessionsUnavailable = (cause?: unknown) =>
  unavailable('Sessions cannot be checked now. Try again.', KEYS_RETRY_MS / 1_000, cause);
