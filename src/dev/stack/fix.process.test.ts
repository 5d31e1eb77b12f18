import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** The formatter changes this layout in a second run. */
const UNSETTLED = `export const schema = z.object({ prefix: z
    .string().meta({ description: 'The first 12 characters of the key, to tell it from others.',
      examples: ['er_live_Exam'], }), });
`;

test('has a script "fix" that leaves nothing to a second run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fix-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['biome.json', 'package.json', '.gitignore']) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  const file = join(folder, 'schema.js');
  writeFileSync(file, UNSETTLED);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const fix = () => {
    const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    execFileSync('sh', ['-c', scripts.fix], {
      cwd: folder,
      env: { ...process.env, PATH: path },
      stdio: 'pipe',
    });
    return readFileSync(file, 'utf8');
  };
  const fixed = fix();
  expect(fixed).not.toBe(UNSETTLED);
  expect(fix()).toBe(fixed);
});
