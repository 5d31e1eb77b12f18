import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('names every field of a line on the page about logs', () => {
  const [, type = ''] = /export type LogLine = \{(.*?)^\};/ms.exec(read('src/worker/log.ts')) ?? [];
  const fields = [...type.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => `\`${field}\``);
  expect(fields.length).toBeGreaterThan(20);
  const page = read('.github/operations/log-fields.md');
  expect(fields.filter((field) => !page.includes(field))).toEqual([]);
});
