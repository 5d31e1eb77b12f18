import { expect, test } from 'vitest';
import { readMigrations } from './migrate.ts';
import { changedSinceRelease, namedTooEarly, readReleased } from './released-migrations.ts';

const released = [
  { name: '0000_baseline', hash: 'aa' },
  { name: '0001_step', hash: 'bb' },
];

test('names a released migration that was edited, renamed or deleted, and accepts new ones', () => {
  const added = { name: '0002_new', hash: 'cc' };
  expect(changedSinceRelease([...released, added], released)).toEqual([]);
  const edited = [{ name: '0000_baseline', hash: 'edited' }, ...released.slice(1)];
  expect(changedSinceRelease(edited, released)).toEqual([
    expect.stringMatching(/^0000_baseline has changed since its release.*npm run generate/),
  ]);
  expect(changedSinceRelease(released.slice(0, 1), released)).toHaveLength(1);
});

test('names a migration that would run before an older one', () => {
  expect(namedTooEarly(['0000_baseline', '0001_step', '0004_index'])).toEqual([]);
  expect(namedTooEarly(['0000_baseline', '0004_index', '0002_step'])).toEqual([
    expect.stringMatching(/^0002_step is newer than 0004_index.*the number 0005\.$/),
  ]);
});

test('knows the migrations of the first release', () => {
  expect(readReleased()[0]?.name).toBe(readMigrations()[0]?.name);
});
