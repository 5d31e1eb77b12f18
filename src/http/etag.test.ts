import { expect, test } from 'vitest';
import { entityTag, knownVersions } from './etag.ts';

test('a version is one strong tag, and is known by it', () => {
  const version = 1_795_266_902_694_797;
  expect(entityTag(version)).toMatch(/^"[\x21\x23-\x7e]+"$/);
  expect(knownVersions(entityTag(version))).toEqual({ any: false, versions: [version] });
  expect(entityTag(version + 1)).not.toBe(entityTag(version));
});

test.each<[string | undefined, number[]]>([
  [undefined, []],
  ['', []],
  ['W/"1.7"', [7]],
  ['"1.7", W/"1.8" ,"1.9"', [7, 8, 9]],
  ['"1.7","other", "1.8,1.9","1.9"', [7, 9]],
  ['"a, b", "1.7"', [7]],
  ['"0.7", "2.7", "1.", "1.x", "1.-7", "1.07e3", "11.7", "1.7 "', []],
  ['"1.9007199254740993", "1.99999999999999999999"', []],
  ['1.7', []],
  ['"*"', []],
  ['*, "1.7"', [7]],
])('%s knows %j', (ifNoneMatch, versions) => {
  expect(knownVersions(ifNoneMatch)).toEqual({ any: false, versions });
});

test.each(['*', ' * '])('"%s" knows whatever there is', (ifNoneMatch) => {
  expect(knownVersions(ifNoneMatch)).toEqual({ any: true, versions: [] });
});
