import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_NAMES_MAX,
  JSON_VALUES_MAX,
  jsonText,
  parseJson,
  readJsonText,
} from './json-text.ts';

async function* bytesOf(text: string, pieceLength = 65_536) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

const read = (text: string, pieceLength?: number) => readJsonText(bytesOf(text, pieceLength));

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

const members = (count: number) => Array(count).fill('1').join();

describe('readJsonText', () => {
  test('reads a text whose bytes are cut anywhere', async () => {
    const json = fc.json({ maxDepth: 4, stringUnit: 'binary' });
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 1, max: 9 }), async (text, pieceLength) => {
        expect(parseJson(await read(text.toWellFormed(), pieceLength))).toEqual(
          JSON.parse(text.toWellFormed()),
        );
      }),
    );
  });

  test('accepts 20 levels and refuses 21', async () => {
    expect(JSON_DEPTH_MAX).toBe(20);
    expect(await read(nested(20))).toBe(nested(20));
    await expect(read(`[${nested(20)}]`)).rejects.toThrow(
      'The JSON is nested deeper than 20 levels at byte 56; at most 20 are accepted.',
    );
    await expect(read('['.repeat(4_000_000))).rejects.toThrow(/deeper than 20/);
  });

  test('accepts many arrays and objects side by side', async () => {
    const text = `[${Array(5_000).fill('{"a":[]}').join()}]`;
    expect(await read(text)).toBe(text);
  });

  test.each([1, 2, 3, 65_536])(
    'ignores brackets, commas and quotes in strings (pieces of %i bytes)',
    async (pieceLength) => {
      const text = JSON.stringify({ a: `"\\[{,${'['.repeat(30)}\\\\"`, b: ',"'.repeat(9) });
      expect(await read(text, pieceLength)).toBe(text);
      // The string is over: these brackets count.
      await expect(read(`["\\\\",${'['.repeat(20)}`, pieceLength)).rejects.toThrow(/deeper/);
    },
  );

  test.each([1, 3, 65_536])(
    'limits the different names (pieces of %i bytes)',
    async (pieceLength) => {
      const rows = (names: number) =>
        Array.from({ length: 2 * names }, (_, at) => `{"Lap ${at % names}" \n: "Lap x${at}"}`);
      const text = `[${rows(JSON_NAMES_MAX)}]`;
      expect(await read(text, pieceLength)).toBe(text);
      await expect(read(`[${rows(JSON_NAMES_MAX + 1)}]`, pieceLength)).rejects.toThrow(
        'The JSON has more than 2000 different names; send it in parts.',
      );
    },
  );

  test('limits the members of an array or object', async () => {
    const text = `[[${members(JSON_MEMBERS_MAX)}],[1,2],{"a":[]}]`;
    expect(await read(text)).toBe(text);
    const refused = `An array or object of the JSON has more than ${JSON_MEMBERS_MAX} members`;
    await expect(read(`[[1],[${members(JSON_MEMBERS_MAX + 1)}]]`)).rejects.toThrow(refused);
    await expect(read(`[[1],[2]${',[]'.repeat(JSON_MEMBERS_MAX - 1)}]`)).rejects.toThrow(refused);
  });

  test('limits the values', async () => {
    // The outer array is a value, each inner one, and each of its members.
    const row = `[${members(4_999)}]`;
    const rows = JSON_VALUES_MAX / 5_000;
    const text = `[${Array(rows - 1)
      .fill(row)
      .join()},[${members(4_998)}]]`;
    expect(await read(text)).toBe(text);
    await expect(read(text.replace(/]]$/, ',1]]'))).rejects.toThrow(
      `The JSON has more than ${JSON_VALUES_MAX} values; send it in parts.`,
    );
  });

  test('leaves broken JSON to the parser', async () => {
    for (const text of [']]]]]]', '{"a', '["\\', '', '}{', ',,,']) {
      expect(await read(text)).toBe(text);
      expect(() => parseJson(text)).toThrow(/not JSON/);
    }
  });
});

describe('jsonText', () => {
  test('replaces each half of a surrogate pair, in values and names', () => {
    const text = jsonText({ '\udc00': ['a\ud800b', '🏃', '\\ud800', '\\\ud800', '\udfff\ud83c'] });
    expect(JSON.parse(text)).toEqual({
      '\ufffd': ['a\ufffdb', '🏃', '\\ud800', '\\\ufffd', '\ufffd\ufffd'],
    });
  });

  test('is what JSON.stringify writes of the well-formed text', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('a', '\\ud8')),
    );
    fc.assert(
      fc.property(texts, (values) => {
        expect(jsonText(values)).toBe(JSON.stringify(values.map((value) => value.toWellFormed())));
      }),
    );
    const halves = fc.array(fc.constantFrom('\ud800', '\udc00', '\\', 'u', 'd', '800', '"'));
    fc.assert(
      fc.property(halves, (parts) => {
        const text = parts.join('');
        expect(jsonText(text)).toBe(JSON.stringify(text.toWellFormed()));
      }),
    );
  });
});
