import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder, replaceOwn } from '../own-files.ts';
import { textOf } from './item.ts';
import { decisionOf } from './record.ts';
import { loadState, newState, queueOf, type RaceState, saveState, take } from './state.ts';

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const text = (bib: string, chip_time = '00:40:00.000') =>
  textOf({ bib_number: bib, status: 'FINISHED', chip_time, gun_time: null, splits: {} });

/** A state with something of everything. */
function fullState(): RaceState {
  const state = newState('e1');
  for (const bib of ['1', '2']) take(state, bib, { is: 'said', file: '/a.csv', text: text(bib) });
  take(state, '1', { is: 'answered', text: text('1') });
  take(state, '2', { is: 'said', file: '/b.csv', text: text('2', '00:41:00.000') });
  state.isUnanswered = true;
  const failed = { reason: 'no', code: 'unknown_bib' };
  take(state, '4', { is: 'answered', text: text('4'), failed });
  take(state, '5', { is: 'decided', text: text('5'), file: '', isHeld: true });
  const unreadable = [{ line: 2, bib: null, reason: 'no', code: 'missing_bib' }];
  state.sources.set('/a.csv', {
    mark: 'm',
    header: ['bib'],
    point: null,
    rows: 2,
    onCourse: 0,
    isChecked: true,
    isTrusted: false,
    readAt: 'now',
    unreadable,
  });
  return { ...state, compare: null, count: 1, lastBatch: 'b' };
}

const decisionsOf = ({ known }: RaceState) =>
  [...known].flatMap(([key, one]) => (decisionOf(one) ? [[key, decisionOf(one)]] : []));

async function savedState() {
  const folder = folderOf();
  const state = fullState();
  await saveState(folder, state);
  return { folder, state };
}

test('reads back what it wrote, in files that only their user can read', async () => {
  const { folder, state } = await savedState();
  expect(await loadState(folder, 'e1')).toEqual({ state, lost: [] });
  for (const name of ['state.json', 'decisions.json']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(folder).sort()).toEqual(['decisions.json', 'state.json']);
});

test.each(['state.json', 'decisions.json'])(
  'loses no decision when the disk spoils any byte of %s, and says what is lost',
  async (name) => {
    const { folder, state } = await savedState();
    const whole = readFileSync(join(folder, name));
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ 1;
      writeFileSync(join(folder, name), spoilt);
      const loaded = await loadState(folder, 'e1');
      expect(decisionsOf(loaded.state)).toEqual(decisionsOf(state));
      expect(loaded.lost).toEqual([expect.stringContaining(name)]);
    }
    rmSync(join(folder, name));
    expect(decisionsOf((await loadState(folder, 'e1')).state)).toEqual(decisionsOf(state));
  },
);

test('takes no link for a file of its own, and follows none when it writes', async () => {
  const { folder } = await savedState();
  const elsewhere = join(folderOf(), 'elsewhere');
  writeFileSync(elsewhere, 'untouched');
  rmSync(join(folder, 'state.json'));
  symlinkSync(elsewhere, join(folder, 'state.json'));
  const { state, lost } = await loadState(folder, 'e1');
  expect([state.sources.size, lost]).toEqual([0, []]);
  await saveState(folder, state);
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  expect((await loadState(folder, 'e1')).lost).toEqual([]);

  const link = join(folderOf(), 'link');
  symlinkSync(folder, link);
  await expect(ownFolder(link)).rejects.toMatchObject({ exitCode: 2 });
});

test('leaves the old file when the new one cannot be written', async () => {
  const folder = folderOf();
  const path = join(folder, 'state.json');
  await replaceOwn(path, 'old');
  await expect(replaceOwn(join(path, 'inside'), 'new')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['state.json']);
  expect(readFileSync(path, 'utf8')).toBe('old');
});

test('has in its queue what the API does not hold as it shall be', async () => {
  const { state } = await savedState();
  expect([...queueOf(state)].map(([bib, { file }]) => [bib, file])).toEqual([
    ['2', '/b.csv'],
    ['5', ''],
  ]);
});
