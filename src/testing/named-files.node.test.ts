import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const FILES = globSync(
  ['*', 'functions/**/*', 'migrations/**/*', 'src/**/*', '.ci/*', '.github/**/*'],
  { cwd: ROOT },
);
const NAMES = new Set(FILES.map((path) => basename(path)));

/** A file with source, text or style, alone or with a part of its path. */
const NAMED =
  /(?<![\w$*…/.-])[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|js|md|css|html|sql|toml|yml)(?![\w$*(/-])/g;

/** Examples of names. */
const EXAMPLES = new Set(['fr.json', 'x.test.ts']);

/** Files of the command beside the files of a race. */
const OF_COMMAND = ['watch.html'];

/** The files that a guide tells its reader to write. */
const writtenIn = (page: string): string[] =>
  Array.from(page.matchAll(/^```\w+ (\S+)$/gm), ([, name = '']) => name);

function missingIn(path: string, text: string): string[] {
  const known = new Set([...NAMES, ...EXAMPLES, ...OF_COMMAND, ...writtenIn(text)]);
  return [...new Set(text.match(NAMED))]
    .filter((name) => !known.has(basename(name)))
    .map((name) => `${path}: ${name}`);
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('names no file in a page that is not there', () => {
  const pages = FILES.filter((path) => path.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap((path) => missingIn(path, read(path)))).toEqual([]);
});

test('names no file in a comment that is not there', () => {
  const sources = FILES.filter((path) => /^(src|functions)\/.*\.tsx?$/.test(path));
  const comments = (text: string): string =>
    (text.match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []).join('\n').replaceAll(/https?:\S+/g, '');
  expect(sources.flatMap((path) => missingIn(path, comments(read(path))))).toEqual([]);
});

test('sees a file that is not there', () => {
  expect(
    missingIn('a', 'See `words.ts`, src/worker/app.ts and `lost.ts` in gone/away.md.'),
  ).toEqual(['a: lost.ts', 'a: gone/away.md']);
});
