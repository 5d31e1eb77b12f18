import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESULT_STATUSES, statusesWhere } from '../timing-files/read/result-status.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Prose, and code with prose. Files of results and the generated client do not count. */
const SOURCES = globSync(
  ['README.md', '.github/*.md', 'src/{cli,client,site,worker}/**/*.{md,ts,tsx,json}'],
  {
    cwd: ROOT,
  },
).filter((path) => !/\.test\.ts$|^src\/client\/(types|methods)\.ts$/.test(path));

const STATUS = `[\`"']?\\b(?:${RESULT_STATUSES.join('|')})\\b[\`"']?`;
const BETWEEN = '(?:,? (?:and|or|y|o) |, ?| \\| )';
const LIST = new RegExp(`${STATUS}(?:${BETWEEN}${STATUS}){2,}`, 'g');

const listsIn = (text: string): string[] => text.match(LIST) ?? [];

test('finds a list of statuses in prose', () => {
  expect(listsIn('after `DNS`, `DNF` and `DSQ` rows')).toEqual(['`DNS`, `DNF` and `DSQ`']);
  expect(listsIn('such as FINISHED or DNF')).toEqual([]);
});

test('finds no list of statuses by hand: a list comes from result-status.ts', () => {
  expect(SOURCES).toContain('src/site/docs/guides/csv.md');
  const byHand = SOURCES.flatMap((path) =>
    listsIn(readFileSync(join(ROOT, path), 'utf8')).map((list) => `${path}: ${list}`),
  );
  expect(byHand).toEqual([]);
});

test('finds no status of absent runners by hand in SQL: `isOfAbsent` comes from result-status.ts', () => {
  const absent = statusesWhere(({ hasStarted }) => !hasStarted).join('|');
  const compared = new RegExp(`status (?:=|<>|!==?|===?|is .*from) '(?:${absent})'.*`, 'g');
  expect("candidate.status <> 'DNS' and".match(compared)).toHaveLength(1);
  const byHand = SOURCES.filter((path) => path.startsWith('src/worker/')).flatMap((path) =>
    (readFileSync(join(ROOT, path), 'utf8').match(compared) ?? []).map(
      (line) => `${path}: ${line}`,
    ),
  );
  expect(byHand).toEqual([]);
});
