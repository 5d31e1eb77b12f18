import { expect, test } from 'vitest';
import { etagOf } from './export.ts';

test('makes different ETags for different types, fields and digests', async () => {
  const tags = [
    await etagOf('text/csv', ['bib', 'time'], '17'),
    await etagOf('text/csv', ['bib'], '17'),
    await etagOf('text/csv', ['time', 'bib'], '17'),
    await etagOf('application/json', ['bib', 'time'], '17'),
    await etagOf('text/csv', ['bib', 'time'], '18'),
  ];
  expect(new Set(tags).size).toBe(tags.length);
  expect(await etagOf('text/csv', ['bib', 'time'], '17')).toBe(tags[0]);
});
