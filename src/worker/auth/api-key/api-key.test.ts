import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiKeyPrefix, generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Worked out bit by bit with the reflected polynomial EDB88320, then divided by 62. */
const VECTORS = [
  {
    of: 'CRC 2979778353',
    unsigned: 'er_live_0123456789ABCDEFGHIJKLMNOPQRSTUV',
    checksum: '3FeqTB',
  },
  { of: 'CRC 6614578', unsigned: 'er_live_Example0000000000000000000000074', checksum: '00Rkkk' },
];
const [KEY = ''] = VECTORS.map(({ unsigned, checksum }) => unsigned + checksum);

const someKeys = fc.constantFrom(KEY, ...Array.from({ length: 20 }, generateApiKey));

describe('an API key', () => {
  test('consists of the prefix, a secret of 32 and a checksum of 6 base62 characters', () => {
    expect(generateApiKey()).toMatch(/^er_live_[0-9A-Za-z]{38}$/);
  });

  test('is well formed when generated', () => {
    for (let made = 0; made < 200; made++) expect(isWellFormedApiKey(generateApiKey())).toBe(true);
  });

  test.each(VECTORS)('ends with the padded CRC-32 of the rest ($of)', (vector) => {
    expect(isWellFormedApiKey(vector.unsigned + vector.checksum)).toBe(true);
  });

  test('detects one mistyped character', () => {
    const mistyped = fc
      .tuple(someKeys, fc.nat({ max: KEY.length - 1 }), fc.constantFrom(...BASE62, '_', ' ', 'ñ'))
      .map(([key, at, typed]) => ({ key, typed: key.slice(0, at) + typed + key.slice(at + 1) }))
      .filter(({ key, typed }) => key !== typed);
    fc.assert(
      fc.property(mistyped, ({ typed }) => !isWellFormedApiKey(typed)),
      { numRuns: 2_000 },
    );
  });

  test('detects two swapped neighbours', () => {
    const exchanged = fc
      .tuple(someKeys, fc.nat({ max: KEY.length - 2 }))
      .map(([key, at]) => ({
        key,
        typed: key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2),
      }))
      .filter(({ key, typed }) => key !== typed);
    fc.assert(fc.property(exchanged, ({ typed }) => !isWellFormedApiKey(typed)));
  });

  test.each([
    ['nothing', ''],
    ['a prefix alone', 'er_live_'],
    ['a character missing', KEY.slice(0, -1)],
    ['a character too many', `${KEY}0`],
    ['a line after it', `${KEY}\n`],
    ['a blank before it', ` ${KEY}`],
    ['another prefix', KEY.replace('er_live_', 'er_test_')],
    ['its prefix in capitals', KEY.replace('er_live_', 'ER_LIVE_')],
    ['38 zeros', `er_live_${'0'.repeat(38)}`],
  ])('rejects %s', (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('differs from every other generated key', () => {
    const keys = Array.from({ length: 5_000 }, generateApiKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('uses every base62 character equally often', () => {
    const keys = 4_000;
    const times = new Map<string, number>();
    for (let made = 0; made < keys; made++) {
      for (const drawn of generateApiKey().slice('er_live_'.length, -6)) {
        times.set(drawn, (times.get(drawn) ?? 0) + 1);
      }
    }
    expect([...times.keys()].sort().join('')).toBe(BASE62);
    const expected = (keys * 32) / BASE62.length;
    // Six standard deviations: bytes taken modulo 62 would be more than nine away.
    const tolerance = 6 * Math.sqrt(expected);
    for (const count of times.values()) {
      expect(Math.abs(count - expected)).toBeLessThan(tolerance);
    }
  });
});

test('stores the first 12 characters as the prefix', () => {
  expect(apiKeyPrefix(KEY)).toBe('er_live_0123');
});

test('hashes with SHA-256 in lower-case hex', async () => {
  expect(hashApiKey('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(hashApiKey(KEY)).toBe('63f4eeccbcf72ae60129e47e490f7b253bf074fdf53e495e65f7f12d6f48ebf3');
});
