import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const cwd = tmpdir();

test('O15: a closed pipe ends a command quietly', () => {
  const main = join(import.meta.dirname, '../main.ts');
  const line = `"${process.execPath}" "${main}" help | true; exit \${PIPESTATUS[0]}`;
  const { status, stderr } = spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
