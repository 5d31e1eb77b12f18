import { CompactSign } from 'jose';

const HOUR_SECONDS = 3_600;

/** @returns seconds since 1970, the unit of time in tokens */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** Signs a session of the panel. It is valid for an hour, or until the claim `exp`. Undefined claims are left out. */
export const signSession = (
  claims: Record<string, unknown>,
  secret: string,
  alg = 'HS256',
): Promise<string> =>
  new CompactSign(utf8(JSON.stringify({ exp: secondsFromNow(HOUR_SECONDS), ...claims })))
    .setProtectedHeader({ alg })
    .sign(utf8(secret));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
