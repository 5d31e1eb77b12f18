import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { diff } from 'node:util';
import { is, Placeholder, type Query } from 'drizzle-orm';
import { expect, test } from 'vitest';
import '../worker/app.ts';
import '../worker/board/boards.ts';
import { STATEMENTS } from '../worker/db/statement.ts';

/** A statement with more lines stands in a file, so that a reviewer sees the whole statement. */
const SHORT_LINES = 40;
const FOLDER = `${import.meta.dirname}/sql`;

/** The statements of further readers differ from the statement of a key in the caller alone. */
const isRepeated = (name: string): boolean => /\.(member|everybody)$/.test(name);

const count = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;

/** The SQL with the lines of its author, indented by brackets. */
function indented(sql: string): string {
  let depth = 0;
  const lines = sql.split('\n').flatMap((line) => {
    const text = line.trim();
    if (text === '') return [];
    const code = text.replace(/--.*|'[^']*'/g, '');
    const closed = /^[)\]]*/.exec(code)?.[0].length ?? 0;
    const indent = '  '.repeat(Math.max(0, depth - closed));
    depth += count(code, /[([]/g) - count(code, /[)\]]/g);
    return indent + text;
  });
  return lines.join('\n');
}

/** The SQL with the names of its values instead of their numbers, which differ between the forms. */
const named = ({ sql, params }: Query): string =>
  sql.replace(/\$(\d+)/g, (_, number) => {
    const value = params[number - 1];
    return is(value, Placeholder) ? `$${value.name}` : String(value);
  });

/** The lines of both forms in one text. A `+` marks the lines of the full form alone, a `-` of the plain form alone. */
const bothForms = (plain: string, full: string): string =>
  diff(full.split('\n'), plain.split('\n'))
    .map(([side, line]) => `${['-', ' ', '+'][side + 1]} ${line}`.trimEnd())
    .join('\n');

const written = STATEMENTS.filter(({ name }) => !isRepeated(name)).flatMap(
  ({ name, optional, queryWith }) => {
    const plain = indented(named(queryWith([])));
    const full = indented(named(queryWith(optional)));
    if (full.split('\n').length <= SHORT_LINES) return [];
    const sql =
      optional.length === 0
        ? plain
        : `-- +: with ${optional.join(', ')}; -: without\n${bothForms(plain, full)}`;
    return { name, sql: `${sql};\n` };
  },
);

test.each(written)('$name is the reviewed SQL', async ({ name, sql }) => {
  await expect(sql).toMatchFileSnapshot(`${FOLDER}/${name}.sql`);
});

test('each file is a statement', () => {
  const files = globSync(`${FOLDER}/*.sql`).map((file) => basename(file, '.sql'));
  expect(files.sort()).toEqual(written.map(({ name }) => name).sort());
});

test('each statement has a name of its own', () => {
  const names = STATEMENTS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

const WORKER = `${import.meta.dirname}/../worker`;
const MAKES_STATEMENT = /\b(?:statement|command|listStatement|streamedStatement)\((?:$|[`'a-z])/;

/** The number of lines of each call that makes a statement. */
function statementsIn(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, first) => {
    if (!MAKES_STATEMENT.test(line)) return [];
    const closing = `${/^ */.exec(line)?.[0]})`;
    const isShort = line.endsWith(';');
    return isShort ? 1 : lines.slice(first + 1).findIndex((end) => end.startsWith(closing)) + 2;
  });
}

test('a statement of more than 40 lines stands in a file of its own', () => {
  const files = globSync('**/*.ts', { cwd: WORKER }).filter(
    (path) => !/\.test\.ts$|^db\/(streamed-)?statement\.ts$/.test(path),
  );
  const lines = files.map((path) => ({
    path,
    lines: statementsIn(readFileSync(`${WORKER}/${path}`, 'utf8')),
  }));
  expect(lines.flatMap(({ lines }) => lines).length).toBeGreaterThan(100);
  const crowded = lines.filter(
    ({ lines }) => lines.length > 1 && lines.some((length) => length > SHORT_LINES),
  );
  expect(crowded).toEqual([]);
});
