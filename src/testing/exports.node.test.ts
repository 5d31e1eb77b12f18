import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Exports for programs outside: the runtime, and programs with the client. */
const PUBLISHED = /^(functions|src\/client)\//;

/** Folders that the build of the site copies beside the scripts of its pages. The pages use the copied path. */
const COPIED = [
  [/^src\/site\/\w+\/public\/official\//, 'src/timing-files/official/'],
  [/^src\/site\/\w+\/public\/shared\//, 'src/site/shared/public/shared/'],
] as const;

const sourceOf = (path: string) =>
  COPIED.reduce((source, [served, folder]) => source.replace(served, folder), path);

const EXPORT = /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm;
const IMPORT = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g;
const WHOLE = /(?:\*(?: as \w+)? from|import\() *'([^']+)'/g;

/** Finds exports without an import in another file, as `file: name`. */
function unusedExports(files: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>();
  for (const [path, text] of files) {
    const pathOf = (specifier = '') => sourceOf(join(path, '..', specifier));
    for (const [, names = '', from] of text.matchAll(IMPORT)) {
      for (const name of names.split(',')) {
        const original = name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0];
        used.add(`${pathOf(from)}: ${original}`);
      }
    }
    for (const [, from] of text.matchAll(WHOLE)) used.add(pathOf(from));
  }
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(EXPORT)]
      .map(([, name]) => `${path}: ${name}`)
      .filter((found) => !used.has(found) && !used.has(path) && !PUBLISHED.test(path)),
  );
}

test('exports nothing that only its own file uses', () => {
  const paths = globSync('{functions,src}/**/*.{ts,tsx}', { cwd: ROOT });
  const files = paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);
  expect(unusedExports(new Map(files))).toEqual([]);
});

test('finds an export that no file imports', () => {
  const files = new Map([
    ['a.ts', 'export const used = 1;\nexport type Unused = string;\n'],
    ['b.ts', "import { used as known } from './a.ts';\nexport { known };\n"],
  ]);
  expect(unusedExports(files)).toEqual(['a.ts: Unused']);
});
