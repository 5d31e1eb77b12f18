import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const COPIED = ['.ci/openapi-diff', 'src/site/openapi/breaking-changes.ts'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-diff-'));
  for (const file of COPIED) cpSync(join(ROOT, file), inFolder(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n.site\n');
  git('init', '--quiet');
});
afterEach(() => rmSync(folder, { recursive: true }));

function inFolder(folder: string, file: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
    cwd: folder,
  });

/** Commits an API with these operations, or an API that cannot be built. */
function commit(operations: string[] | 'unbuildable', tag?: string): void {
  const operation = { operationId: 'one', security: [], responses: {} };
  const paths = Array.from(operations, (path) => [path, { get: operation }]);
  const document = { paths: Object.fromEntries(paths), components: { schemas: {} } };
  const build = `import { mkdirSync, writeFileSync } from 'node:fs';
    import { join } from 'node:path';
    const site = join(import.meta.dirname, '../../.site');
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'openapi.json'), ${JSON.stringify(JSON.stringify(document))});`;
  const text = operations === 'unbuildable' ? 'throw new Error("unbuildable");' : build;
  writeFileSync(inFolder(folder, 'src/site/build.ts'), text);
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '--message', 'api');
  if (tag) git('tag', tag);
}

function compare(...words: string[]) {
  const diff = join(folder, '.ci/openapi-diff');
  const { status, stdout, stderr } = spawnSync(diff, words, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('fails on an operation that the last release had, and passes an operation more', () => {
  commit(['/a', '/b', '/c'], 'v0.9.0');
  commit(['/a', '/b'], 'v0.10.0');
  commit(['/b']);
  const broken = compare();
  expect(broken.stderr).toContain('GET /a is gone\n');
  expect(broken.stderr).toContain('written for v0.10.0');
  expect(broken.status).toBe(1);

  commit(['/a', '/b', '/d']);
  expect(compare()).toMatchObject({ status: 0, stderr: expect.stringContaining('v0.10.0') });
  expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
});

test('prints each difference from a commit', () => {
  commit(['/a']);
  commit(['/a', '/b']);
  expect(compare('HEAD').stdout).toBe('');
  expect(compare('HEAD~1').stdout).toMatch(/^\+ +"\/b": \{$/m);
});

test('says that no release has a tag, and fails on a tag that it cannot read', () => {
  commit(['/a']);
  expect(compare()).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('No release has a tag'),
  });
  commit('unbuildable', 'v0.1.0');
  commit(['/a']);
  expect(compare()).toMatchObject({ status: 1, stderr: expect.stringContaining('unbuildable') });
});

test('fails in a clone that may lack tags', () => {
  commit(['/a'], 'v0.1.0');
  commit(['/b']);
  const shallow = join(folder, 'shallow');
  git('clone', '--quiet', '--depth', '1', '--no-tags', `file://${folder}`, shallow);
  symlinkSync(join(ROOT, 'node_modules'), join(shallow, 'node_modules'));
  const { status, stderr } = spawnSync(join(shallow, '.ci/openapi-diff'), { encoding: 'utf8' });
  expect(stderr).toContain('git fetch --unshallow --tags');
  expect(status).toBe(1);
});
