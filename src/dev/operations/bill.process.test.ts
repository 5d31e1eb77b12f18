import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { billOfRaceDay } from './bill.ts';

test('the page about capacity has the bill of today', () => {
  const page = join(import.meta.dirname, '../../../.github/operations/bill.md');
  expect(readFileSync(page, 'utf8')).toContain(`\n${billOfRaceDay()}\n`);
});
