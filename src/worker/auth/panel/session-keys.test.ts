import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { startApp, testConfig } from '../../../testing/harness.ts';
import {
  type Club,
  createClub,
  secondsFromNow,
  signSession,
  withSession,
} from '../../../testing/members.ts';
import { shortenWait } from '../../../testing/short-waits.ts';
import { createSessions } from './session.ts';

const config = {
  ...testConfig,
  PANEL_JWT_SECRET: undefined,
  PANEL_JWKS_URL: 'https://panel.example/jwks.json',
};

async function createSigner(alg: string, kid: string = crypto.randomUUID()) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    publicKey,
    sign: ({ owner }: Club, header: { kid?: string } = { kid }) =>
      new SignJWT({ sub: owner.userId, exp: secondsFromNow(3_600) })
        .setProtectedHeader({ alg, ...header })
        .sign(privateKey),
  };
}

/** The panel that publishes these keys, and the API that trusts the panel. */
function startPanel(...keys: JWK[]) {
  const panel = {
    keys,
    fetched: 0,
    answer: async (_signal: AbortSignal) => Response.json({ keys: panel.keys }),
  };
  const sessions = createSessions(config, async (url, { signal }) => {
    expect(url).toBe(config.PANEL_JWKS_URL);
    panel.fetched += 1;
    return panel.answer(signal);
  });
  const { request, logged } = startApp(config, { sessions });
  const open = ({ path }: Club, token: string) => request(path, { headers: withSession(token) });
  return { panel, open, logged };
}

const statusesOf = async (responses: Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status);

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a session signed with a private key', () => {
  test.each(['RS256', 'ES256', 'EdDSA'])('is verified with the public key (%s)', async (alg) => {
    const club = await createClub();
    const [signer, stranger] = await Promise.all([createSigner(alg), createSigner(alg)]);
    const { open } = startPanel(signer.jwk);
    expect((await open(club, await signer.sign(club))).status).toBe(200);
    const forged = await stranger.sign(club, { kid: signer.kid });
    await expectError(await open(club, forged), 401, 'UNAUTHORIZED');
  });

  test('needs no key id if the panel has one key', async () => {
    const club = await createClub();
    const [first, two] = await Promise.all([createSigner('ES256'), createSigner('ES256')]);
    expect((await startPanel(first.jwk).open(club, await first.sign(club, {}))).status).toBe(200);
    const { open } = startPanel(first.jwk, two.jwk);
    await expectError(await open(club, await first.sign(club, {})), 401, 'UNAUTHORIZED');
  });

  test.each(['PS256', 'RS512', 'ES384'])('refuses a session signed with %s', async (alg) => {
    const club = await createClub();
    const signer = await createSigner(alg);
    const { panel, open } = startPanel(signer.jwk);
    await expectError(await open(club, await signer.sign(club)), 401, 'UNAUTHORIZED');
    expect(panel.fetched).toBe(0);
  });

  test('is refused if signed with the public key as a secret', async () => {
    const club = await createClub();
    const signer = await createSigner('RS256');
    const { open } = startPanel(signer.jwk);
    const claims = { sub: club.owner.userId };
    const secrets = [
      await exportSPKI(signer.publicKey),
      JSON.stringify(signer.jwk),
      signer.jwk.n ?? '',
      testConfig.PANEL_JWT_SECRET ?? '',
    ];
    for (const secret of secrets) {
      const token = await signSession(claims, { secret });
      await expectError(await open(club, token), 401, 'UNAUTHORIZED');
    }
  });

  test('is refused if signed with a secret that the panel publishes', async () => {
    const club = await createClub();
    const secret = 'a secret that somebody put among the public keys';
    const { open } = startPanel({ kty: 'oct', alg: 'HS256', k: btoa(secret) });
    const token = await signSession({ sub: club.owner.userId }, { secret });
    await expectError(await open(club, token), 401, 'UNAUTHORIZED');
  });
});

describe('the public keys of the panel', () => {
  async function startWithSigner() {
    const club = await createClub();
    const signer = await createSigner('ES256');
    const started = startPanel(signer.jwk);
    return { ...started, club, signer, token: await signer.sign(club) };
  }

  test('fetches the keys once for many sessions, also concurrent ones', async () => {
    const { panel, open, club, signer, token } = await startWithSigner();
    expect((await open(club, token)).status).toBe(200);
    for (let round = 0; round < 3; round++) {
      const tokens = await Promise.all(Array.from({ length: 10 }, () => signer.sign(club)));
      const statuses = await statusesOf(tokens.map((token) => open(club, token)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      pass(60);
    }
    expect(panel.fetched).toBe(1);
  });

  test('fetches the keys again for a new key id', async () => {
    const { panel, open, club, token } = await startWithSigner();
    expect((await open(club, token)).status).toBe(200);
    const next = await createSigner('ES256');
    panel.keys = [...panel.keys, next.jwk];
    pass(31);
    expect((await open(club, await next.sign(club))).status).toBe(200);
    expect((await open(club, token)).status).toBe(200);
    expect(panel.fetched).toBe(2);
  });

  test('fetches the keys again after ten minutes, so that a withdrawn key stops working', async () => {
    const { panel, open, club, token } = await startWithSigner();
    expect((await open(club, token)).status).toBe(200);
    panel.keys = [(await createSigner('ES256')).jwk];
    pass(599);
    expect((await open(club, token)).status).toBe(200);
    pass(2);
    await expectError(await open(club, token), 401, 'UNAUTHORIZED');
    expect(panel.fetched).toBe(2);
  });

  test('fetches the keys at most once in 30 seconds for unknown key ids', async () => {
    const { panel, open, club, signer, token } = await startWithSigner();
    expect((await open(club, token)).status).toBe(200);
    const garbage = () => signer.sign(club, { kid: crypto.randomUUID() });
    const flood = async () => {
      for (let sent = 0; sent < 5; sent++) {
        await expectError(await open(club, await garbage()), 401, 'UNAUTHORIZED');
      }
      const tokens = await Promise.all(Array.from({ length: 25 }, garbage));
      const statuses = await statusesOf(tokens.map((forged) => open(club, forged)));
      expect(new Set(statuses)).toEqual(new Set([401]));
    };
    await flood();
    expect(panel.fetched).toBe(1);
    expect((await open(club, token)).status).toBe(200);
    pass(29);
    await flood();
    expect(panel.fetched).toBe(1);
    pass(2);
    await flood();
    expect(panel.fetched).toBe(2);
  });

  test.each<[string, () => Promise<Response>]>([
    ['cannot be reached', () => Promise.reject(new TypeError('Network connection lost.'))],
    ['answers 500', async () => new Response('oops', { status: 500 })],
    ['answers 404', async () => Response.json({ keys: [] }, { status: 404 })],
    [
      'redirects to another address',
      async () => Response.redirect('https://elsewhere.example', 302),
    ],
    ['answers no JSON', async () => new Response('<html>')],
    ['answers something else than keys', async () => Response.json({ keys: 'none' })],
  ])(
    'answers 503, and does not ask for the keys in a loop, while the panel %s',
    async (_how, answer) => {
      const { panel, open, logged, club, token } = await startWithSigner();
      const working = panel.answer;
      panel.answer = answer;
      for (let sent = 0; sent < 10; sent++) {
        const response = await open(club, token);
        await expectError(response, 503, 'SERVICE_UNAVAILABLE');
        expect(response.headers.get('Retry-After')).toBe('5');
      }
      expect(panel.fetched).toBe(1);
      expect(logged.filter(({ level }) => level === 'error')).toHaveLength(10);
      expect(JSON.stringify(logged)).not.toContain(token);

      panel.answer = working;
      pass(5);
      expect((await open(club, token)).status).toBe(200);
      expect(panel.fetched).toBe(2);
    },
  );

  test('keep working while the panel is unavailable', async () => {
    const { panel, open, club, signer, token } = await startWithSigner();
    expect((await open(club, token)).status).toBe(200);
    panel.answer = () => Promise.reject(new TypeError('Network connection lost.'));
    pass(60);
    const forged = await signer.sign(club, { kid: 'unknown' });
    await expectError(await open(club, forged), 503, 'SERVICE_UNAVAILABLE');
    expect((await open(club, token)).status).toBe(200);
    expect(panel.fetched).toBe(2);
  });

  test('fetches the keys again after a time-out', async () => {
    const { panel, open, club, token } = await startWithSigner();
    const working = panel.answer;
    panel.answer = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    shortenWait(3_000, 100);
    expect(await statusesOf([open(club, token), open(club, token)])).toEqual([503, 503]);
    panel.answer = working;
    pass(5);
    expect((await open(club, token)).status).toBe(200);
  });
});

test('fetches no keys for a session that is not a token', async () => {
  const club = await createClub();
  const { panel, open } = startPanel();
  for (const token of ['x', 'a.b.c', await signSession({ sub: club.owner.userId })]) {
    await expectError(await open(club, token), 401, 'UNAUTHORIZED');
  }
  expect(panel.fetched).toBe(0);
});
