import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

test('gives a new migration the number after the last name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const shared of ['src', 'node_modules'])
    symlinkSync(join(ROOT, shared), join(folder, shared));
  const migrations = join(folder, 'migrations');
  cpSync(join(ROOT, 'migrations'), migrations, { recursive: true });
  const generate = (name: string) =>
    execFileSync('npm', ['run', 'generate', '--', '--custom', '--name', name], {
      cwd: folder,
      stdio: 'pipe',
    });

  generate('step');
  const [, step = ''] = readdirSync(migrations);
  expect(step).toMatch(/^\d{4}_step\.sql$/);
  renameSync(join(migrations, step), join(migrations, '0070_step.sql'));
  generate('next');
  expect(readdirSync(migrations)).toContain('0071_next.sql');
});
