import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../timing-files/read/turns.ts';
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_NAMES_MAX,
  JSON_ROW_MAX,
  JSON_VALUES_MAX,
  jsonText,
  openingJson,
  openJson,
} from './json-text.ts';

const open = (text: string) => openJson(Buffer.from(text));

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

const members = (count: number) => Array(count).fill('1').join();

/** Pairs of letters with an equal value of 31 × first + second: names of such pairs have an equal polynomial digest. */
const EQUAL_PAIRS = ['C$', 'BC', 'Ab'] as const;

const namesOfOneDigest = (count: number): string[] =>
  Array.from({ length: count }, (_, name) =>
    Array.from(name.toString(3).padStart(8, '0'), (digit) => EQUAL_PAIRS[Number(digit)]).join(''),
  );

describe('openJson', () => {
  test('parses what JSON.parse parses, rows one by one', () => {
    const lists = fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), lists), lists, (other, results) => {
        const text = JSON.stringify({ ...other, results }).toWellFormed();
        const expected: { results: unknown[] } = JSON.parse(text);
        const body = open(text);
        expect(body.parse()).toEqual(expected);
        const outer = body.parseOuter() as typeof expected;
        expect(outer.results.map((item) => body.parseRow(item, ''))).toEqual(expected.results);
        expect(() => atOnce(body.check())).not.toThrow();
      }),
    );
  });

  test('puts the number of a row in its place', () => {
    const body = open('{"results":[{"a":[1]},7,[[2]],"x"],"more":[{}]}');
    expect(body.parseOuter()).toEqual({ results: [[0], 7, [1], 'x'], more: [[2]] });
    expect(body.rows).toBe(3);
    expect(body.parseRow([1], '')).toEqual([[2]]);
    expect(body.parseRow(7, '')).toBe(7);
  });

  test('names the row that is not JSON', () => {
    const body = open('{"results":[{"a":1},{"a" 1}]}');
    expect(() => body.parseRow([1], 'row 2: ')).toThrow(/^The body is not JSON: row 2: Expected/);
    expect(() => atOnce(body.check())).toThrow(/^The body is not JSON: Expected/);
  });

  test.each([
    ['long texts', 60, () => `{"a":"${'n'.repeat(100 * 1_024)}"}`, { opening: 5, rows: 11 }],
    ['many names', 100, () => `{${'"a":1,'.repeat(199)}"a":1}`, { opening: 3, rows: 20 }],
    ['nothing', 5_000, () => '{}', { opening: 1, rows: 512 }],
  ])('opens and reads rows of %s in steps of a few ms', (_of, count, row, { opening, rows }) => {
    const bytes = Buffer.from(`{"results":[${Array.from({ length: count }, row).join()}]}`);
    expect(Array.from(openingJson(bytes))).toHaveLength(opening);
    expect(Array.from(openJson(bytes).check())).toHaveLength(Math.floor(count / rows));
    const body = openJson(bytes);
    const beforePause = Array.from({ length: count }, (_, at) => at).findIndex((at) => {
      body.parseRow([at], '');
      return body.isPauseDue();
    });
    expect(beforePause + 1).toBe(rows);
  });

  test('refuses what is not UTF-8', () => {
    const body = openJson(Buffer.from('{"results":[{"a":"\xf1"}]}', 'latin1'));
    expect(() => body.parseRow([0], '')).toThrow('The body is not in UTF-8.');
    expect(() => openJson(Buffer.from('["\xf1"]', 'latin1')).parseOuter()).toThrow(/UTF-8/);
  });

  test('accepts 20 levels and refuses 21', () => {
    expect(JSON_DEPTH_MAX).toBe(20);
    expect(open(nested(20)).parse()).toEqual(JSON.parse(nested(20)));
    expect(() => open(`[${nested(20)}]`)).toThrow(
      'The JSON is nested deeper than 20 levels at byte 56; at most 20 are accepted.',
    );
    expect(() => open('['.repeat(4_000_000))).toThrow(/deeper than 20/);
  });

  test('accepts many arrays and objects side by side', () => {
    expect(open(`[${Array(5_000).fill('{"a":[]}').join()}]`).parse()).toHaveLength(5_000);
  });

  test('ignores brackets, commas and quotes in strings', () => {
    const text = JSON.stringify({ a: `"\\[{,${'['.repeat(30)}\\\\"`, b: ',"'.repeat(9) });
    expect(open(text).parse()).toEqual(JSON.parse(text));
    // The string is over: these brackets count.
    expect(() => open(`["\\\\",${'['.repeat(20)}`)).toThrow(/deeper/);
  });

  test.each([
    ['of any form', Array.from({ length: JSON_NAMES_MAX + 1 }, (_, at) => `Lap ${at}`)],
    ['of one digest', namesOfOneDigest(JSON_NAMES_MAX + 1)],
  ])('limits the different names %s', (_form, names) => {
    const rows = (all: readonly string[]) =>
      [...all, ...all].map((name, at) => `{"${name}" \n: "Lap x${at}"}`).join();
    expect(open(`[${rows(names.slice(1))}]`).parse()).toHaveLength(2 * JSON_NAMES_MAX);
    expect(() => open(`[${rows(names)}]`)).toThrow(
      'The JSON has more than 2000 different names; send it in parts.',
    );
  });

  test('limits the members of an array or object', () => {
    expect(() => open(`[[${members(JSON_MEMBERS_MAX)}]]`)).not.toThrow();
    expect(() => open(`[[[${members(JSON_MEMBERS_MAX)}],[1,2],{"a":[]}]]`)).not.toThrow();
    const refused = `An array or object of the JSON has more than ${JSON_MEMBERS_MAX} members`;
    expect(() => open(`[[1],[${members(JSON_MEMBERS_MAX + 1)}]]`)).toThrow(refused);
    expect(() => open(`[[1],[2]${',[]'.repeat(JSON_MEMBERS_MAX - 1)}]`)).toThrow(refused);
    const list = `[${Array(JSON_MEMBERS_MAX / 2).fill('{}')}]`;
    expect(() => open(`[${list},${list}]`)).not.toThrow();
    expect(() => open(`[${list},${list},[[]]]`)).toThrow(refused);
    expect(() => open(`[[${'{}'.repeat(JSON_MEMBERS_MAX)}]]`)).not.toThrow();
    expect(() => open(`[[${'{}'.repeat(JSON_MEMBERS_MAX + 1)}]]`)).toThrow(refused);
  });

  test('limits the bytes of a row', () => {
    const row = (length: number) => `{"x":"${'n'.repeat(length - 8)}"}`;
    expect(() => open(`[[${row(JSON_ROW_MAX)},${row(JSON_ROW_MAX)}]]`)).not.toThrow();
    expect(() => open(`[[1,${row(JSON_ROW_MAX + 1)}]]`)).toThrow(
      'A row of the JSON is longer than 128 KiB',
    );
  });

  test('limits the values', () => {
    // The outer array is a value, and so is each inner array, and each member.
    const row = `[${members(4_999)}]`;
    const rows = JSON_VALUES_MAX / 5_000;
    const text = `[[${Array(rows - 1)
      .fill(row)
      .join()},[${members(4_997)}]]]`;
    expect(open(text).parse()).toEqual([expect.objectContaining({ length: rows })]);
    expect(() => open(text.replace(/]]]$/, ',1]]]'))).toThrow(
      `The JSON has more than ${JSON_VALUES_MAX} values; send it in parts.`,
    );
  });

  test('leaves broken JSON to the parser', () => {
    for (const text of [']]]]]]', '{"a', '["\\', '', '}{', ',,,', '[[[1']) {
      expect(() => open(text).parse()).toThrow(/not JSON/);
      expect(() => open(text).parseOuter()).toThrow(/not JSON/);
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
