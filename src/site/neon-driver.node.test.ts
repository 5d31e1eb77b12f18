import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { annotated, writeNeonDriver } from './neon-driver.ts';

const PACKAGE = fileURLToPath(import.meta.resolve('@neondatabase/serverless'));

test('exports what the Worker imports, and leaves the WebSocket client out', async () => {
  const file = await writeNeonDriver();
  expect(Object.keys(await import(file)).sort()).toEqual(['NeonDbError', 'neon', 'neonConfig']);
  const code = readFileSync(file, 'utf8');
  expect(code).not.toContain('SCRAM-SHA-256');
  expect(code.length).toBeLessThan(readFileSync(PACKAGE, 'utf8').length / 2);
});

test('refuses a package that is built otherwise', () => {
  const source = readFileSync(PACKAGE, 'utf8');
  expect(() => annotated(source)).not.toThrow();
  expect(() => annotated('export const neon = 1;')).toThrow(/has no place like/);
  expect(() => annotated(source + source)).toThrow(/has several places like/);
});
