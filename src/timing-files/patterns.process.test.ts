import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { PATTERN_TEXT_MAX, Pattern } from './read/pattern.ts';

const WING = import.meta.dirname;
const SOURCES = globSync('{read,columns,judge,suggest}/**/*.ts', { cwd: WING }).filter(
  (path) => !path.endsWith('.test.ts'),
);

type Found = { source: string; flags: string; isPattern: boolean };
type Node = { type?: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** All nodes of a syntax tree, each with the node around it. */
function* nodesIn(value: unknown, around?: Node): Generator<[node: Node, around?: Node]> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one, around);
  else if (isNode(value)) {
    yield around ? [value, around] : [value];
    for (const child of Object.values(value)) yield* nodesIn(child, value);
  }
}

const nameOf = (value: unknown): unknown => (isNode(value) ? value['name'] : undefined);

/** Given a text, these methods make a regular expression of the text. */
const MATCHING = ['match', 'matchAll', 'search'];

/** The regular expressions of a source text, and the calls that could make more. */
function readSource(text: string): { expressions: Found[]; calls: string[] } {
  const nodes = [...nodesIn(parseAst(text, { lang: 'ts' }))];
  const expressions = nodes.flatMap(([{ regex }, around]) =>
    isNode(regex) && around
      ? [
          {
            source: String(regex['pattern']),
            flags: String(regex['flags']),
            isPattern: around.type === 'NewExpression' && nameOf(around['callee']) === 'Pattern',
          },
        ]
      : [],
  );
  const calls = nodes.flatMap(([{ callee, property }]) => [
    ...(nameOf(callee) === 'RegExp' ? ['RegExp'] : []),
    ...MATCHING.filter((name) => name === nameOf(property)),
  ]);
  return { expressions, calls };
}

const sources = new Map(
  SOURCES.map((path) => [path, readSource(readFileSync(join(WING, path), 'utf8'))] as const),
);
const expressions = [...sources.values()].flatMap((source) => source.expressions);

test('finds the regular expressions of a source', () => {
  const text =
    "const ONE = new Pattern(/a/u); const two = /b(c)/.test(''); ''.search('d'); RegExp('e');";
  expect(readSource(text)).toEqual({
    expressions: [
      { source: 'a', flags: 'u', isPattern: true },
      { source: 'b(c)', flags: '', isPattern: false },
    ],
    calls: ['search', 'RegExp'],
  });
  expect(expressions.length).toBeGreaterThan(50);
});

test('uses regular expressions only through Pattern, which limits the text', () => {
  const wrong = [...sources].flatMap(([path, { expressions: all, calls }]) =>
    path === join('read', 'pattern.ts')
      ? []
      : [
          ...all.filter(({ isPattern }) => !isPattern).map(({ source }) => `${path}: /${source}/`),
          ...calls.map((call) => `${path}: ${call}`),
        ],
  );
  expect(wrong).toEqual([]);
});

test('matches no text over the limit, and does not change it', () => {
  const pattern = new Pattern(/a+/g);
  const longest = 'a'.repeat(PATTERN_TEXT_MAX);
  expect(new Pattern(/^a+$/).test(longest)).toBe(true);
  expect([...new Pattern(/^(a)/).groups(longest)]).toEqual(['a', 'a']);
  expect(pattern.allGroups(longest)).toHaveLength(1);
  expect(pattern.replace(longest, 'b')).toBe('b');
  const long = `${longest}a`;
  expect(new Pattern(/a/).test(long)).toBe(false);
  expect(pattern.groups(long)).toEqual([]);
  expect(pattern.allGroups(long)).toEqual([]);
  expect(pattern.replace(long, 'b')).toBe(long);
});

/** Sample characters for the classes in the wing's expressions. */
const SAMPLES = ['a', 'A', 'é', '1', ' ', '.', ':', "'"];
const LENGTH = 1_000;
const TIMES_LONGER = 8;
/** Linear time grows like the length, by 8. Quadratic time grows by 64. */
const GROWTH_MAX = 3 * TIMES_LONGER;

/** Texts of a length that make an expression try much and fail at the end. */
function* hostileTexts(source: string): Generator<(length: number) => string> {
  const own = [...new Set(source.replaceAll(/\\[a-z]|[[\](){}|?*+^$\\]/gi, ''))].slice(0, 12);
  const signs = [...new Set([...SAMPLES, ...own])];
  const starts = ['', '1', 'a', 'A', '1:', '1 ', '1.'];
  for (const one of signs) {
    for (const start of starts) yield (length) => `${start}${one.repeat(length)}\n!`;
    for (const other of SAMPLES) yield (length) => `${(one + other).repeat(length / 2)}\n!`;
  }
}

/** The least time of several runs: further work of the machine only adds to the time. */
function leastMs(runs: number, run: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** Searches a text from start to end. */
function search(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  while (expression.test(text)) {
    if (expression.lastIndex >= text.length) return;
    expression.lastIndex += 1;
  }
}

/** How much longer an expression takes for a longer text; 1 for an expression that is fast on the longer text. */
function growth(expression: RegExp, textOf: (length: number) => string, floorMs: number): number {
  const texts = [textOf(LENGTH), textOf(LENGTH * TIMES_LONGER)] as const;
  const timeOf = (runs: number, text: string) => leastMs(runs, () => search(expression, text));
  if (timeOf(1, texts[1]) < floorMs) return 1;
  const ratios = [1, 2, 3].map(() => timeOf(3, texts[1]) / timeOf(5, texts[0]));
  return Math.min(...ratios);
}

/** Many times the cost of a single look at each character. */
function floorMs(): number {
  const text = 'a'.repeat(LENGTH * TIMES_LONGER);
  return 50 * leastMs(20, () => search(/[b-z]/g, text));
}

describe('takes time in proportion to the length of the text', () => {
  const floor = floorMs();
  const worst = ({ source, flags }: Omit<Found, 'isPattern'>) => {
    const all = flags.includes('g') ? flags : `${flags}g`;
    let most = 1;
    for (const textOf of hostileTexts(source)) {
      most = Math.max(most, growth(new RegExp(source, all), textOf, floor));
      if (most > GROWTH_MAX) break;
    }
    return most;
  };

  test.each([
    ['(\\p{Lu}{2,})(\\p{Lu}\\p{Ll})', 'gu'],
    ['^\\s*[=tT]?\\s*\\d{1,6}\\s*$', ''],
    ['(\\d+(?:[.,]\\d+)?)\\s*(km)', ''],
  ])('sees that /%s/%s does not', (source, flags) => {
    expect(worst({ source, flags })).toBeGreaterThan(GROWTH_MAX);
  });

  test('holds for every expression of the wing', () => {
    const slow = expressions.filter((expression) => worst(expression) > GROWTH_MAX);
    expect(slow).toEqual([]);
  });
});
