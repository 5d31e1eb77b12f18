import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';

test('the form of a result offers every status', () => {
  const page = readFileSync(join(import.meta.dirname, 'public/panel/index.html'), 'utf8');
  const offered = RESULT_STATUSES.filter((status) => page.includes(`<option value="${status}"`));
  expect(offered).toEqual(RESULT_STATUSES);
});
