import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { CompactSign } from 'jose';
import { isLocal, targetOf } from './listen.ts';
import { ifStarted } from './script.ts';

export const DEV_VARS = join(import.meta.dirname, '../../../.dev.vars');

const HOUR_SECONDS = 3_600;

/** @returns seconds since 1970, the unit of time in tokens */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/**
 * Signs a session of the panel. The session is valid for an hour, or until the claim `exp`. Undefined claims are left
 * out.
 */
export const signSession = (
  claims: Record<string, unknown>,
  secret: string,
  alg = 'HS256',
): Promise<string> =>
  new CompactSign(utf8(JSON.stringify({ exp: secondsFromNow(HOUR_SECONDS), ...claims })))
    .setProtectedHeader({ alg })
    .sign(utf8(secret));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * `npm run session`: prints a token for the panel. Without PANEL_JWT_SECRET the command takes the secret of `npm run
 * dev`, unless the environment names another machine, whose Worker has another secret.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { user: { type: 'string' }, hours: { type: 'string', default: '1' } },
  });
  const local = existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, 'utf8')) : {};
  const secret = process.env['PANEL_JWT_SECRET'] ?? local['PANEL_JWT_SECRET'];
  const seconds = Number(values.hours) * HOUR_SECONDS;
  const remote = ['API', 'API_URL', 'DATABASE_URL']
    .map((name) => process.env[name] ?? '')
    .find((url) => url !== '' && !isLocal(url));
  if (remote !== undefined && !process.env['PANEL_JWT_SECRET']) {
    throw new Error(
      `Set PANEL_JWT_SECRET to the secret of ${targetOf(remote)}. That of \`npm run dev\` signs no session for it.`,
    );
  }
  if (!secret || values.user === undefined || !(seconds > 0)) {
    throw new Error(
      'Usage: PANEL_JWT_SECRET=… npm run session -- --user SUB [--hours 1]. SUB is a user_id of organization_members.',
    );
  }
  const exp = Math.floor(secondsFromNow(seconds));
  console.log(await signSession({ sub: values.user, exp }, secret));
}

ifStarted(import.meta.filename, main);
