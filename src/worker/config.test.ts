import { describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';

const PUBLIC_KEY = { kid: '2027', kty: 'OKP', crv: 'Ed25519', x: '4711'.padEnd(43, 'x') };
const SIGNING_KEY = { ...PUBLIC_KEY, kid: '2028', d: '4711'.padEnd(43, 'd') };
const keySet = (...keys: object[]) => JSON.stringify({ keys });

const NEEDED = {
  DATABASE_URL: 'postgres://crew:pass4711@db.example/races?sslmode=require',
  UPSTASH_REDIS_REST_URL: 'https://redis.example',
  UPSTASH_REDIS_REST_TOKEN: 'token4711',
  PANEL_JWT_SECRET: 'secret of the panel, which is 4711',
  SIGNING_KEYS: keySet(SIGNING_KEY, PUBLIC_KEY),
};

/** The errors about refused variables: of the Worker as a whole, or of the parts with these variables. */
function refusalOf(bindings: unknown): string {
  try {
    const { broken } = parseConfig(bindings);
    if (broken.size > 0) return [...broken].map(([name, why]) => `${name}: ${why}`).join('; ');
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
  }
  throw new Error('The bindings were taken.');
}

describe('the configuration', () => {
  test.each([
    'postgres://crew:pass4711@db.example/races',
    'postgresql://crew@127.0.0.1:5489/races',
  ])('accepts the required variables and ignores others (%s)', (DATABASE_URL) => {
    const needed = { ...NEEDED, DATABASE_URL };
    expect(parseConfig({ ...needed, SOMETHING_ELSE: 'x' })).toEqual({
      ...needed,
      broken: new Map(),
    });
  });

  test.each(Object.keys(NEEDED))('names %s if it is missing', (name) => {
    const present = Object.entries(NEEDED).filter(([other]) => other !== name);
    const refusal = refusalOf(Object.fromEntries(present));
    expect(refusal).toContain(`${name}: missing`);
    for (const [other] of present) expect(refusal).not.toContain(`${other}:`);
  });

  test.each([{}, { DATABASE_URL: 1, UPSTASH_REDIS_REST_URL: null }])(
    'names all missing variables at once (%o)',
    (bindings) => {
      const refusal = refusalOf(bindings);
      for (const name of Object.keys(NEEDED)) expect(refusal).toContain(`${name}: missing`);
    },
  );

  test.each([undefined, null, 'text'])(
    'refuses bindings that are not an object (%o)',
    (bindings) => {
      expect(refusalOf(bindings)).toContain('incomplete');
    },
  );

  test.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'crew:pass4711@db.example/races'],
    ['DATABASE_URL', 'mysql://crew:pass4711@db.example/races'],
    ['DATABASE_URL', 'postgres://db.example/pass4711'],
    ['DATABASE_URL', 'postgres://crew:pass4711@db.example'],
    ['DATABASE_URL', 'postgres://crew:pass4711@db.example/'],
    ['UPSTASH_REDIS_REST_URL', 'redis://pass4711@redis.example'],
    ['UPSTASH_REDIS_REST_URL', 'pass4711'],
    ['UPSTASH_REDIS_REST_TOKEN', ''],
    ['PANEL_JWT_SECRET', ''],
    ['PANEL_JWT_SECRET', 'thirty-one characters with 4711'],
    ['PANEL_JWT_SECRET_BEFORE', 'thirty-one characters with 4711'],
    ['SIGNING_KEYS', 'key4711'],
    ['SIGNING_KEYS', '{"keys":[]}'],
    ['SIGNING_KEYS', keySet(PUBLIC_KEY, SIGNING_KEY)],
    ['SIGNING_KEYS', keySet({ ...SIGNING_KEY, kty: 'RSA' })],
    ['SIGNING_KEYS', keySet(SIGNING_KEY, PUBLIC_KEY, PUBLIC_KEY)],
    ['PANEL_JWT_ISSUER', ''],
    ['PANEL_JWT_AUDIENCE', ''],
  ])('names %s if it is malformed, without its value (%s)', (name, value) => {
    const refusal = refusalOf({ ...NEEDED, [name]: value });
    expect(refusal).toContain(`${name}: `);
    expect(refusal).not.toContain('4711');
  });

  test.each(['SIGNING_KEYS', 'PANEL_JWT_SECRET', 'PANEL_JWT_ISSUER', 'KEEP_HISTORY_DAYS'])(
    'goes on without %s if its value is empty, and leaves the value out',
    (name) => {
      const { broken, ...config } = parseConfig({ ...NEEDED, [name]: '' });
      expect([...broken.keys()]).toEqual([name]);
      expect(config.DATABASE_URL).toBe(NEEDED.DATABASE_URL);
      // A session is never checked with an incomplete set of the panel's variables.
      const isOfPanel = name.startsWith('PANEL_');
      expect('PANEL_JWT_SECRET' in config).toBe(!isOfPanel);
      expect(config).not.toHaveProperty(name);
    },
  );

  test.each(['DATABASE_URL', 'UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'])(
    'refuses an empty %s, which every request needs',
    (name) => {
      expect(() => parseConfig({ ...NEEDED, [name]: '' })).toThrow(`${name}: `);
    },
  );

  describe('for the panel', () => {
    const { PANEL_JWT_SECRET, ...rest } = NEEDED;

    test.each([
      'https://panel.example/.well-known/jwks.json',
      'http://localhost:4000/jwks',
      'http://127.0.0.1:4000/jwks',
      'http://[::1]:4000/jwks',
    ])('accepts the address of public keys in place of a secret (%s)', (PANEL_JWKS_URL) => {
      const needed = { ...rest, PANEL_JWKS_URL };
      expect(parseConfig(needed)).toEqual({ ...needed, broken: new Map() });
    });

    test('accepts an issuer and an audience', () => {
      const needed = { ...NEEDED, PANEL_JWT_ISSUER: 'panel', PANEL_JWT_AUDIENCE: 'race-api' };
      expect(parseConfig(needed)).toEqual({ ...needed, broken: new Map() });
    });

    test('accepts a secret of 32 characters', () => {
      const needed = { ...rest, PANEL_JWT_SECRET: 'x'.repeat(32) };
      expect(parseConfig(needed)).toEqual({ ...needed, broken: new Map() });
    });

    test('refuses a secret together with an address of keys', () => {
      const PANEL_JWKS_URL = 'https://panel.example/4711';
      const refusal = refusalOf({ ...rest, PANEL_JWT_SECRET, PANEL_JWKS_URL });
      expect(refusal).toMatch(/PANEL_JWKS_URL: .*PANEL_JWT_SECRET.*exactly one/);
      expect(refusal).not.toContain('4711');
    });

    test('accepts the secret before beside the present one, and not alone', () => {
      const PANEL_JWT_SECRET_BEFORE = 'x'.repeat(32);
      const both = { ...NEEDED, PANEL_JWT_SECRET_BEFORE };
      expect(parseConfig(both)).toEqual({ ...both, broken: new Map() });
      const alone = { ...rest, PANEL_JWT_SECRET_BEFORE, PANEL_JWKS_URL: 'https://panel.example/x' };
      expect(refusalOf(alone)).toContain('PANEL_JWT_SECRET_BEFORE: set without PANEL_JWT_SECRET');
    });

    test('refuses neither secret nor address of keys', () => {
      expect(refusalOf(rest)).toMatch(/PANEL_JWT_SECRET: missing, or PANEL_JWKS_URL/);
    });

    test.each([
      '',
      'panel.example/jwks4711',
      'http://panel.example/jwks4711',
      'http://localhost.panel.example/jwks4711',
      'http://10.0.0.1/jwks4711',
      'ftp://localhost/jwks4711',
      'data:application/json,4711',
    ])('refuses an address of keys without https (%s)', (PANEL_JWKS_URL) => {
      const refusal = refusalOf({ ...rest, PANEL_JWKS_URL });
      expect(refusal).toContain('PANEL_JWKS_URL: ');
      expect(refusal).not.toContain('4711');
    });
  });
});
