import { expect, test } from 'vitest';
import { RESULT_STATUSES, STATUS_RULES } from './result-status.ts';

test('gives each status an ordinal of its own in a full list', () => {
  const ordinals = RESULT_STATUSES.map((status) => STATUS_RULES[status].listedAs);
  expect(ordinals.toSorted()).toEqual([...new Set(ordinals)].toSorted());
});
