import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { fetchSparingly } from './sparing-fetch.ts';

/** What a token may be signed with: decided by the configuration, never by the token. */
const SECRET_ALGORITHMS = ['HS256'];
const PUBLIC_KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const CLOCK_LEEWAY_SECONDS = 5;
const KEYS_KEPT_MS = 10 * 60_000;
/** Within it no unknown key id makes the keys be fetched again. */
const KEYS_COOLDOWN_MS = 30_000;
const KEYS_BUDGET_MS = 3_000;
const KEYS_RETRY_MS = 5_000;
const USER_ID_MAX = 255;

/** Tells whose session a panel token is. */
export type Sessions = {
  /**
   * @returns the user's id in the panel
   * @throws ApiError UNAUTHORIZED when the token is no session that lasts, SERVICE_UNAVAILABLE when
   *   the keys it would be checked with cannot be had (contract section 4.8).
   */
  userId(token: string, now: Date): Promise<string>;
};

type Verify = (token: string, options: JWTVerifyOptions) => Promise<{ payload: { sub?: string } }>;

/** @param fetchKeys reaches PANEL_JWKS_URL */
export function createSessions(
  config: Config,
  fetchKeys: FetchImplementation = (url, init) => fetch(url, init),
): Sessions {
  const verify = createVerify(config, fetchKeys);
  const expected: JWTVerifyOptions = {
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_LEEWAY_SECONDS,
    ...(config.PANEL_JWT_ISSUER !== undefined && { issuer: config.PANEL_JWT_ISSUER }),
    ...(config.PANEL_JWT_AUDIENCE !== undefined && { audience: config.PANEL_JWT_AUDIENCE }),
  };
  return {
    async userId(token, now) {
      const { payload } = await verify(token, { ...expected, currentDate: now }).catch(refuse);
      if (!isUserId(payload.sub)) throw notASession();
      return payload.sub;
    },
  };
}

function createVerify(config: Config, fetchKeys: FetchImplementation): Verify {
  const { PANEL_JWT_SECRET, PANEL_JWKS_URL } = config;
  if (PANEL_JWKS_URL !== undefined) {
    const keys = createKeys(new URL(PANEL_JWKS_URL), fetchKeys);
    return (token, options) =>
      jwtVerify(token, keys, { ...options, algorithms: PUBLIC_KEY_ALGORITHMS });
  }
  const secret = new TextEncoder().encode(PANEL_JWT_SECRET);
  return (token, options) =>
    jwtVerify(token, secret, { ...options, algorithms: SECRET_ALGORITHMS });
}

/** The panel's public keys: fetched when first needed, kept, and fetched anew for an unknown id. */
function createKeys(url: URL, fetchKeys: FetchImplementation): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_BUDGET_MS,
    [customFetch]: fetchSparingly(fetchKeys, {
      afterAnswerMs: KEYS_COOLDOWN_MS,
      afterFailureMs: KEYS_RETRY_MS,
    }),
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const isTokensFault =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys;
      if (isTokensFault) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', 'Sessions cannot be checked now. Try again.', {
        retryAfterSeconds: KEYS_RETRY_MS / 1_000,
        cause: error,
      });
    }
  };
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) {
    throw unauthorized('The session has expired. Sign in to the panel again.');
  }
  throw error instanceof errors.JOSEError ? notASession() : error;
}

/** Whether it can be stored and found as it is: Postgres holds no NUL, and UTF-8 no lone surrogate. */
const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' &&
  sub.trim() !== '' &&
  sub.length <= USER_ID_MAX &&
  sub.isWellFormed() &&
  !sub.includes('\0');

const notASession = () =>
  unauthorized('Send a session of the panel that is valid now: "Authorization: Bearer <token>".');

const unauthorized = (detail: string): ApiError => new ApiError('UNAUTHORIZED', detail);
