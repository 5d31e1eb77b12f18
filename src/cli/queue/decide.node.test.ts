import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN, parseParameters } from '../../timing-files/read/parameters.ts';
import { readRows } from '../files/reading.ts';
import { rejectedCsv } from '../files/rejected-file.ts';
import { bibsOf, decide, judgeVersion, manyChanges, reconcile, release, resend } from './decide.ts';
import { rowIn, textOf } from './result-row.ts';
import { newestOf, newState, queueOf, type RaceState, tally } from './state.ts';

const FILE = 'bib,time\n1,0:40:00\n2,0:41:00\n3,0:42:00\n';
const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, isCut = false, parameters = PLAIN) =>
  readRows({ content: bytesOf(text), parameters, isKnown: false }, isCut);
const status = (bib: string, word: 'DSQ' | 'DNF') =>
  textOf({ bib_number: bib, status: word, chip_time: null, gun_time: null, splits: {} });

/** Takes a version of a file, and has the API store all that waits. */
function take(state: RaceState, text: string, file = 'r.csv') {
  const rows = read(text);
  const verdict = judgeVersion(state, file, rows);
  Object.assign(state, verdict.next);
  const sent = [...queueOf(state).keys()];
  store(state);
  return { ...verdict, ...Object.groupBy(verdict.rows, ({ kind }) => kind), sent };
}

function store(state: RaceState): void {
  for (const [bib, { text }] of queueOf(state)) state.stored.set(bib, text);
}

function stateAfter(text: string): RaceState {
  const state = newState('e');
  take(state, text);
  return state;
}

const held = (state: RaceState, bib: string) => rowIn(state.stored.get(bib) ?? '{}');

describe('readRows', () => {
  test('keeps the last valid row of a bib', () => {
    const { results, total } = read('bib,time\n1,0:40:00\n1,0:41:00\n1,soon\n');
    expect(total).toBe(3);
    expect(results.get('1')).toMatchObject({ line: 3, text: expect.stringContaining('00:41:00') });
  });

  test('tells runners on the course from rows that are wrong', () => {
    const { unfinished, unreadable } = read('bib,time,status\n1,,\n2,,FINISHED\n,0:40:00,\n4,x,\n');
    expect(unfinished.map(({ bib }) => bib)).toEqual(['1']);
    expect(unreadable).toMatchObject([
      { line: 3, bib: '2', code: 'missing_time' },
      { line: 4, bib: null, code: 'missing_bib' },
      { line: 5, bib: '4', code: 'invalid_time' },
    ]);
  });

  test('takes a last line without an end if it has all its cells', () => {
    expect([...read('bib,time\n1,0:40:00\n2,0:41:00', true).results.keys()]).toEqual(['1', '2']);
    expect([...read('bib,time,club\n1,0:40:00,A\n2,0:41', true).results.keys()]).toEqual(['1']);
  });
});

describe('a version of a file', () => {
  test('sends new and changed rows, and names those that vanished', () => {
    const state = stateAfter(FILE);
    expect(take(state, 'bib,time\n1,0:40:00\n2,0:41:30\n4,0:43:00\n')).toMatchObject({
      new: [{ bib: '4' }],
      changed: [{ bib: '2' }],
      unchanged: [{ bib: '1' }],
      vanished: ['3'],
      sent: ['2', '4'],
    });
    expect(held(state, '3').chip_time).toBe('00:42:00.000');
    expect(take(state, 'bib,time\n1,x\n2,\n4,0:43:00\n').vanished).toEqual([]);
  });

  test('does not send a rejected row again until it changes', () => {
    const state = stateAfter(FILE);
    const text = state.stored.get('2') ?? '';
    state.stored.delete('2');
    state.rejected.set('2', { text, reason: 'no', code: 'unknown_bib' });
    expect(take(state, FILE)).toMatchObject({ unchanged: [{}, {}, {}], sent: [] });
    expect(take(state, FILE.replace('0:41', '0:51')).sent).toEqual(['2']);
  });

  test('is newer than another file where it changes, and only there', () => {
    const state = stateAfter(FILE);
    expect(take(state, 'bib,time\n2,0:50:00\n3,0:42:00\n', 'b.csv')).toMatchObject({
      sent: ['2'],
      contested: [{ bib: '2', file: 'r.csv' }],
    });
    expect(take(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
    expect(held(state, '2').chip_time).toBe('00:50:00.000');
    expect(take(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual(['2']);
  });

  test('decides the same after any earlier versions', () => {
    const anyFile = fc
      .array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 59 })), { minLength: 1 })
      .map(
        (rows) =>
          `bib,time\n${rows.map(([bib, s]) => `${bib},0:40:${s + 100}\n`.replace(':1', ':')).join('')}`,
      );
    fc.assert(
      fc.property(fc.array(anyFile, { minLength: 1, maxLength: 4 }), (files) => {
        const state = newState('e');
        for (const file of files) take(state, file);
        const last = files.at(-1) ?? '';
        for (const [bib, { text }] of read(last).results) expect(newestOf(state, bib)).toBe(text);
        expect(take(state, last)).toMatchObject({ sent: [], vanished: [] });
      }),
    );
  });

  test.each([
    [15, 3, false],
    [14, 3, true],
    [5, 2, false],
    [100, 20, false],
    [100, 21, true],
  ])('changes much, of %i stored results %i: %s', (stored, changes, isMuch) => {
    const rows = (changed: number) =>
      Array.from({ length: stored }, (_, at) => `${at},0:4${at < changed ? 1 : 0}:00\n`).join('');
    const state = stateAfter(`bib,time\n${rows(0)}`);
    const verdict = judgeVersion(state, 'r.csv', read(`bib,time\n${rows(changes)}`));
    expect(bibsOf(verdict, 'changed')).toHaveLength(changes);
    expect(manyChanges(verdict, state)).toBe(isMuch ? changes : undefined);
  });
});

describe('a decision', () => {
  const decideAndStore = (state: RaceState, bib: string, text: string, isHeld = false) => {
    decide(state, bib, text, { isHeld });
    store(state);
  };

  test('leaves a bib alone while it is held, and the file that disagrees is named', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DNF'), true);
    expect(take(state, FILE)).toMatchObject({ sent: [], held: [{ bib: '2', line: 3 }] });
    release(state, '2');
    expect([...queueOf(state).keys()]).toEqual(['2']);
  });

  test('stands until the row of the file changes', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DNF'));
    expect(take(state, FILE).sent).toEqual([]);
    expect(take(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual(['2']);
    expect(state.decisions.size).toBe(0);
  });

  test('holds back only the row that would reinstate a disqualified runner', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DSQ'));
    const corrected = FILE.replace('0:41:00', '0:41:01').replace('0:40:00', '0:40:01');
    expect(take(state, corrected)).toMatchObject({ sent: ['1'], held_back: [{ bib: '2' }] });
    expect(take(state, corrected)).toMatchObject({ sent: [], held_back: [{ bib: '2' }] });
    release(state, '2');
    store(state);
    expect(held(state, '2').chip_time).toBe('00:41:01.000');
    expect(tally(state).heldBack).toEqual([]);
  });

  test('ends for all its rows, if it is of `undo`, when the file corrects one of them', () => {
    const state = stateAfter(FILE);
    expect(reconcile(state, new Map(), 'revert').differences).toHaveLength(3);
    expect(take(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
    const corrected = take(state, `${FILE.replace('0:41:00', '0:41:01')}4,0:43:00\n`);
    expect(corrected).toMatchObject({ sent: ['1', '2', '3'], restored: ['1', '3'] });
    expect(state.decisions.size).toBe(0);
  });

  test('ends with `resend` if it is of `undo`, and not if it is held', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '3', status('3', 'DSQ'), true);
    reconcile(state, new Map([['3', status('3', 'DSQ')]]), 'revert');
    expect(resend(state)).toEqual(['1', '2']);
  });
});

describe('a comparison with the API', () => {
  test('sends again what it lost, and leaves what somebody changed until the file changes', () => {
    const state = stateAfter(FILE);
    const found = reconcile(
      state,
      new Map([
        ['1', state.stored.get('1') ?? ''],
        ['2', status('2', 'DNF')],
        ['9', status('9', 'DNF')],
      ]),
      null,
    );
    expect(found).toMatchObject({ lost: ['3'], differences: [{ bib: '2' }] });
    expect([...queueOf(state).keys()]).toEqual(['3']);
    store(state);
    expect(take(state, FILE).sent).toEqual([]);
    expect(take(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual(['2']);
    expect(held(state, '9').status).toBe('DNF');
  });

  test('lets a new folder send only what the API does not hold', () => {
    const state = newState('e');
    const before = stateAfter(FILE);
    expect(reconcile(state, before.stored, null)).toEqual({ lost: [], differences: [] });
    expect(take(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
  });
});

test('writes rejected rows so that they can be read with the parameters of the file', () => {
  const query = 'bib=Nr&chip_time=Zeit&header_line=3&split=';
  const parameters = parseParameters(new URLSearchParams(query));
  const text = 'Lauf\n\nNr;Name;Zeit\n1;"A; ""B""";0:40:00\n2;C;1h28\n3;D;0:41:00\n';
  const before = read(text, false, parameters);
  const rejection = { text: before.results.get('3')?.text ?? '', reason: 'No; "bib"', code: 'x' };
  const csv = rejectedCsv(before, new Map([['3', rejection]]), before.unreadable);
  expect(csv).toContain('3;D;0:41:00;"No; ""bib""";x\r\n');
  const after = read(csv.replace('1h28', '1:28:00'), false, parameters);
  expect(after.header).toEqual(['Nr', 'Name', 'Zeit', 'reason', 'reason_code']);
  expect([...after.results.keys()]).toEqual(['2', '3']);
  expect(rejectedCsv(after, new Map(), [])).toBe('');
});
