import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Functions that came after Node 20. The compiler knows them: the Worker has them. */
const LATER =
  /\b(Map|Object)\.groupBy\(|Promise\.(withResolvers|try)\(|Array\.fromAsync\(|RegExp\.escape\(|\.isSubsetOf\(|(entries|keys|values)\(\)\.(map|filter|find|some|every|flatMap|toArray)\(/;

test('has in it only what Node 20 knows', () => {
  const cwd = join(import.meta.dirname, '..');
  const files = globSync('{cli,client,timing-files}/**/*.ts', { cwd });
  const shipped = files.filter((file) => !file.includes('.test.'));
  expect(shipped).toContain('cli/main.ts');
  const wrong = shipped.filter((file) => LATER.test(readFileSync(join(cwd, file), 'utf8')));
  expect(wrong).toEqual([]);
});
