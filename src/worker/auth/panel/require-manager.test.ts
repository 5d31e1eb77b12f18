import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { base64url, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createKey, db } from '../../../testing/factories.ts';
import { withoutServices } from '../../../testing/faults.ts';
import { startApp, testConfig } from '../../../testing/harness.ts';
import {
  createClub,
  createMember,
  keysPath,
  removeMember,
  secondsFromNow,
  setRole,
  signSession,
  withSession,
} from '../../../testing/members.ts';
import { apiKeys } from '../../db/schema.ts';

const { request } = startApp();

const list = (path: string, token: string, ask = request) =>
  ask(path, { headers: withSession(token) });

/** A club, and its owner's session with these claims. */
async function createSession(claims: Record<string, unknown> = {}) {
  const { path, owner } = await createClub();
  return { path, token: await signSession({ sub: owner.userId, ...claims }) };
}

const encode = (part: unknown): string =>
  base64url.encode(new TextEncoder().encode(JSON.stringify(part)));

/** The token with a new header before unchanged claims and signature. */
const withHeader = (token: string, header: unknown): string =>
  token.replace(/^[^.]*/, encode(header));

async function expectRefused(response: Response): Promise<string> {
  const detail = await expectError(response, 401, 'UNAUTHORIZED');
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  return detail;
}

describe('a panel session', () => {
  test('authenticates the owner in every form of the header', async () => {
    const { path, token } = await createSession();
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `]) {
      expect((await request(path, { headers: { Authorization: header } })).status).toBe(200);
    }
  });

  test('is refused if its expiry is no finite number', async () => {
    const { owner, path } = await createClub();
    const header = encode({ alg: 'HS256' });
    for (const exp of ['1e400', '-1e400', 'null', '"9999999999"']) {
      const claims = base64url.encode(
        new TextEncoder().encode(`{"sub":"${owner.userId}","exp":${exp}}`),
      );
      const secret = new TextEncoder().encode(testConfig.PANEL_JWT_SECRET);
      const hmac = { name: 'HMAC', hash: 'SHA-256' };
      const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign']);
      const signed = new TextEncoder().encode(`${header}.${claims}`);
      const signature = base64url.encode(
        new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)),
      );
      await expectRefused(await list(path, `${header}.${claims}.${signature}`));
    }
  });

  test.each<[string, (token: string) => Record<string, string>]>([
    ['is not sent', () => ({})],
    ['is empty', () => ({ Authorization: 'Bearer ' })],
    ['has no scheme', (token) => ({ Authorization: token })],
    ['has another scheme', (token) => ({ Authorization: `Basic ${token}` })],
    ['stands in the header of API keys', (token) => ({ 'X-API-Key': token })],
    ['is a cookie', (token) => ({ Cookie: `session=${token}` })],
    ['has something after it', (token) => ({ Authorization: `Bearer ${token} ${token}` })],
    ['is cut off', (token) => ({ Authorization: `Bearer ${token.slice(0, -1)}` })],
    ['has no signature', (token) => withSession(token.replace(/[^.]+$/, ''))],
    ['has two parts', (token) => withSession(token.replace(/\.[^.]+$/, ''))],
  ])('refuses a session that %s', async (_how, headersFor) => {
    const { path, token } = await createSession();
    await expectRefused(await request(path, { headers: headersFor(token) }));
  });

  test('refuses an API key as a session', async () => {
    const { organizationId, path } = await createClub();
    await expectRefused(await list(path, await createKey(organizationId)));
  });

  test('refuses a session at the public API', async () => {
    const { token } = await createSession();
    await expectRefused(await list('/public/v1/events', token));
  });

  test('is refused without a signature (alg none)', async () => {
    const { path, owner } = await createClub();
    const unsecured = new UnsecuredJWT({ sub: owner.userId, exp: secondsFromNow(60) }).encode();
    await expectRefused(await list(path, unsecured));
    for (const alg of ['none', 'None', 'NONE', '', null]) {
      await expectRefused(await list(path, withHeader(await signSession({}), { alg })));
    }
  });

  test('is refused if another secret signed it', async () => {
    const { path, owner } = await createClub();
    const claims = { sub: owner.userId };
    for (const secret of ['another secret of thirty-two characters', '\0', '0']) {
      await expectRefused(await list(path, await signSession(claims, { secret })));
    }
  });

  test('is taken of the secret before, while it is configured beside the new one', async () => {
    const { path, owner } = await createClub();
    const before = 'the secret before, which signed this session';
    const ask = (config: Partial<typeof testConfig>) =>
      startApp({ ...testConfig, ...config }).request;
    const sessionOf = (secret?: string) =>
      signSession({ sub: owner.userId }, secret ? { secret } : {});
    const rotating = ask({ PANEL_JWT_SECRET_BEFORE: before });
    for (const secret of [undefined, before]) {
      expect((await list(path, await sessionOf(secret), rotating)).status).toBe(200);
    }
    const other = await sessionOf('another secret of thirty-two characters');
    await expectRefused(await list(path, other, rotating));
    const expired = { sub: owner.userId, exp: secondsFromNow(-60) };
    await expectRefused(await list(path, await signSession(expired, { secret: before }), rotating));
    await expectRefused(await list(path, await sessionOf(before), ask({})));
  });

  test.each(['HS384', 'HS512'])('is refused if signed with the secret and %s', async (alg) => {
    const { path, owner } = await createClub();
    await expectRefused(await list(path, await signSession({ sub: owner.userId }, { alg })));
  });

  test('is refused if a private key signed it and a secret is configured', async () => {
    const { path, owner } = await createClub();
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const token = await new SignJWT({ sub: owner.userId, exp: secondsFromNow(60) })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
    await expectRefused(await list(path, token));
    await expectRefused(await list(path, withHeader(token, { alg: 'HS256' })));
    // A key offered by the client is not used for the check.
    const offered = { alg: 'HS256', jwk: { kty: 'oct', k: btoa(await exportSPKI(publicKey)) } };
    await expectRefused(await list(path, withHeader(token, offered)));
  });

  test('is refused after a change of its claims', async () => {
    const { path, token } = await createSession();
    const [header, , signature] = token.split('.');
    const claims = encode({ sub: 'somebody-else', exp: secondsFromNow(60) });
    await expectRefused(await list(path, `${header}.${claims}.${signature}`));
  });

  test.each<[string, Record<string, unknown>]>([
    ['no end', { exp: undefined }],
    ['no user', { sub: undefined }],
    ['an empty user', { sub: '' }],
    ['a blank user', { sub: ' \t' }],
    ['a user too long', { sub: 'u'.repeat(256) }],
    ['a user with a NUL', { sub: 'user\0' }],
    ['a user with half a character', { sub: 'user\ud800' }],
  ])('is refused without a trip if it has %s', async (_what, claims) => {
    const away = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    const { path, token } = await createSession(claims);
    await expectRefused(await list(path, token, away.request));
  });

  test.each([
    ['a number', 17],
    ['an object', {}],
    ['null', null],
    ['a list', ['user']],
  ])('is refused if its user is %s', async (_what, sub) => {
    const { path } = await createClub();
    await expectRefused(await list(path, await signSession({ sub })));
  });

  test.each(['soon', null, {}])('is refused if its expiry is not a number (%o)', async (exp) => {
    const { path, owner } = await createClub();
    await expectRefused(await list(path, await signSession({ sub: owner.userId, exp })));
  });

  test('accepts a user id of 255 characters', async () => {
    const { organizationId, path } = await createClub();
    const member = await createMember(organizationId, 'owner', 'ñ'.repeat(255));
    expect((await request(path, { headers: member.headers })).status).toBe(200);
  });

  const now = new Date('2031-06-01T12:00:00.000Z');
  const at = now.getTime() / 1_000;
  const { request: requestNow } = startApp(testConfig, { now: () => now });

  test.each<[number, string, Record<string, unknown>]>([
    [200, 'lasts a second more', { exp: at + 1 }],
    [200, 'has ended within the leeway', { exp: at - 4 }],
    [401, 'has ended before the leeway', { exp: at - 5 }],
    [401, 'has ended long ago', { exp: at - 86_400 }],
    [401, 'has ended at the dawn of time', { exp: 0 }],
    [200, 'has begun', { exp: at + 60, nbf: at }],
    [200, 'begins within the leeway', { exp: at + 60, nbf: at + 5 }],
    [401, 'begins after the leeway', { exp: at + 60, nbf: at + 6 }],
  ])('is answered %i if it %s', async (status, _when, claims) => {
    const { path, token } = await createSession(claims);
    const response = await list(path, token, requestNow);
    if (status === 401) await expectRefused(response);
    else expect(response.status).toBe(status);
  });

  test('is refused as expired after its expiry', async () => {
    const { path, token } = await createSession({ exp: secondsFromNow(-60) });
    expect(await expectRefused(await list(path, token))).toContain('expired');
  });

  test.each<[number, string, Record<string, unknown>]>([
    [200, 'the issuer and the audience', { iss: 'https://panel.example', aud: 'race-api' }],
    [200, 'the audience among others', { iss: 'https://panel.example', aud: ['x', 'race-api'] }],
    [401, 'no issuer', { aud: 'race-api' }],
    [401, 'another issuer', { iss: 'https://other.example', aud: 'race-api' }],
    [401, 'the issuer with a slash', { iss: 'https://panel.example/', aud: 'race-api' }],
    [401, 'no audience', { iss: 'https://panel.example' }],
    [401, 'another audience', { iss: 'https://panel.example', aud: 'other' }],
  ])(
    'is answered %i when it names %s, where both are configured',
    async (status, _what, claims) => {
      const { request: ask } = startApp({
        ...testConfig,
        PANEL_JWT_ISSUER: 'https://panel.example',
        PANEL_JWT_AUDIENCE: 'race-api',
      });
      const { path, token } = await createSession(claims);
      const response = await list(path, token, ask);
      if (status === 401) await expectRefused(response);
      else expect(response.status).toBe(status);
    },
  );

  test('accepts any issuer and audience if none is configured', async () => {
    const { path, token } = await createSession({ iss: 'https://panel.example', aud: 'x' });
    expect((await list(path, token)).status).toBe(200);
  });

  test('is refused without a trip if it is garbage', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres', 'redis'));
    const path = keysPath(crypto.randomUUID());
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-_=+/') }),
      fc.jsonValue().map(encode),
      fc
        .record({ alg: fc.constantFrom('HS256', 'none', 'RS256', 17), crit: fc.jsonValue() })
        .map(encode),
    );
    const garbage = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
    await fc.assert(
      fc.asyncProperty(garbage, async (token) => {
        expect((await list(path, token, away.request)).status).toBe(401);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a member of the organization', () => {
  const CREATION = {
    method: 'POST',
    body: JSON.stringify({ name: 'Timing crew', scopes: ['events:read'] }),
  };
  const create = (path: string, headers: Record<string, string>) =>
    request(path, { ...CREATION, headers: { 'Content-Type': 'application/json', ...headers } });

  test('loses access on the next request after removal', async () => {
    const { organizationId, path, owner } = await createClub();
    await create(path, owner.headers);
    await removeMember(organizationId, owner.userId);
    await expectError(await create(path, owner.headers), 404, 'NOT_FOUND');
    await expectError(await request(path, { headers: owner.headers }), 404, 'NOT_FOUND');
    expect(await db.$count(apiKeys, eq(apiKeys.organization_id, organizationId))).toBe(1);
  });

  test('has the new role on the next request after a change', async () => {
    const { organizationId, path, owner } = await createClub();
    await setRole(organizationId, owner.userId, 'member');
    await expectError(await create(path, owner.headers), 403, 'INSUFFICIENT_SCOPE');
    await setRole(organizationId, owner.userId, 'admin');
    expect((await create(path, owner.headers)).status).toBe(201);
    expect(await db.$count(apiKeys, eq(apiKeys.organization_id, organizationId))).toBe(1);
  });
});
