import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN, parseParameters } from '../../timing-files/read/parameters.ts';
import { readRows } from '../files/reading.ts';
import { rejectedCsv } from '../files/rejected-file.ts';
import { rowIn, textOf } from './item.ts';
import { decisionOf, isUnfiled, newestOf, whyAsked } from './record.ts';
import {
  knownOf,
  newState,
  queueOf,
  type RaceState,
  reconcile,
  resend,
  take,
  tally,
} from './state.ts';
import { isBelowFinishers, judgeVersion } from './version.ts';

const FILE = 'bib,time\n1,0:40:00\n2,0:41:00\n3,0:42:00\n';
const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, isCut = false, parameters = PLAIN) => {
  const how = { isKnown: false, accepted: [], isOfDay: false, clock: undefined };
  return readRows({ ...how, content: bytesOf(text), parameters }, isCut);
};
const status = (bib: string, word: 'DSQ' | 'DNF') =>
  textOf({ bib_number: bib, status: word, chip_time: null, gun_time: null, splits: {} });

/** Takes a version of a file, and has the API store all that waits. */
function takeFile(state: RaceState, text: string, file = 'r.csv', isPartial = false) {
  const verdict = judgeVersion(state, file, read(text), { isPartial });
  state.known = verdict.known;
  const sent = [...queueOf(state).keys()];
  store(state);
  const byKind = Object.groupBy(verdict.rows, ({ kind }) => kind);
  return { ...verdict, ...byKind, sent };
}

function store(state: RaceState): void {
  for (const [key, { text }] of queueOf(state)) take(state, key, { is: 'answered', text });
}

function stateAfter(text: string): RaceState {
  const state = newState('e');
  takeFile(state, text);
  return state;
}

const storedIn = (state: RaceState, key: string) => knownOf(state, key).stored;
const held = (state: RaceState, bib: string) => rowIn(storedIn(state, bib) ?? '{}');
const heldIn = (state: RaceState) =>
  new Map(
    [...state.known].flatMap(([key, { stored }]) => (stored === null ? [] : [[key, stored]])),
  );
const decisionsOf = ({ known }: RaceState) =>
  [...known.values()].filter((one) => decisionOf(one)).length;

const decideAndStore = (state: RaceState, bib: string, text: string, isHeld = false) => {
  take(state, bib, { is: 'decided', text, file: '', isHeld });
  store(state);
};

describe('readRows', () => {
  test('keeps the last valid row of a bib', () => {
    const { rows, total } = read('bib,time\n1,0:40:00\n1,0:41:00\n1,soon\n');
    expect(total).toBe(3);
    expect(rows.get('1')).toMatchObject({ line: 3, text: expect.stringContaining('00:41:00') });
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
    expect([...read('bib,time\n1,0:40:00\n2,0:41:00', true).rows.keys()]).toEqual(['1', '2']);
    expect([...read('bib,time,club\n1,0:40:00,A\n2,0:41', true).rows.keys()]).toEqual(['1']);
  });
});

describe('a version of a file', () => {
  test('sends new and changed rows, and knows which results no file has any more', () => {
    const state = stateAfter(FILE);
    expect(takeFile(state, 'bib,time\n1,0:40:00\n2,0:41:30\n4,0:43:00\n')).toMatchObject({
      new: [{ key: '4' }],
      changed: [{ key: '2' }],
      unchanged: [{ key: '1' }],
      sent: ['2', '4'],
    });
    expect(held(state, '3').chip_time).toBe('00:42:00.000');
    expect(tally(state).unfiled).toEqual(['3']);
    takeFile(state, 'bib,time\n1,x\n2,\n4,0:43:00\n');
    expect(tally(state).unfiled).toEqual(['3']);
  });

  test('does not send a rejected row again until it changes', () => {
    const state = stateAfter(FILE);
    const text = storedIn(state, '2') ?? '';
    take(state, '2', { is: 'found', held: null });
    take(state, '2', { is: 'answered', text, failed: { reason: 'no', code: 'unknown_bib' } });
    expect(takeFile(state, FILE)).toMatchObject({ unchanged: [{}, {}, {}], sent: [] });
    expect(takeFile(state, FILE.replace('0:41', '0:51')).sent).toEqual(['2']);
  });

  test('is newer than another file where it changes, and only there', () => {
    const state = stateAfter(FILE);
    expect(takeFile(state, 'bib,time\n2,0:50:00\n3,0:42:00\n', 'b.csv').sent).toEqual(['2']);
    expect(takeFile(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
    expect(held(state, '2').chip_time).toBe('00:50:00.000');
    expect(takeFile(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual(['2']);
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
        for (const file of files) {
          takeFile(state, file);
          for (const key of tally(state).heldBack) take(state, key, { is: 'released' });
          store(state);
        }
        const last = files.at(-1) ?? '';
        for (const [key, { text }] of read(last).rows) {
          expect(newestOf(knownOf(state, key))).toBe(text);
        }
        expect(takeFile(state, last).sent).toEqual([]);
      }),
    );
  });

  test.each([
    [15, 3, 0],
    [14, 3, 3],
    [5, 2, 0],
    [100, 20, 0],
    [100, 21, 21],
  ])(
    'of %i stored results changes %i: %i of them wait, and new rows do not',
    (stored, changes, waiting) => {
      const rows = (changed: number) =>
        Array.from({ length: stored }, (_, at) => `${at + 1},0:40:${at < changed ? '01' : '00'}\n`);
      const state = stateAfter(`bib,time\n${rows(0).join('')}`);
      const version = `bib,time\n${rows(changes).join('')}999,0:50:00\n`;
      const { sent, held_back = [] } = takeFile(state, version);
      expect(held_back).toHaveLength(waiting);
      expect(sent).toHaveLength(changes - waiting + 1);
      expect(sent).toContain('999');
      expect(tally(state).heldBack).toHaveLength(waiting);
      // A single correction is sent beside those that wait.
      const next = `${version.replace('\n999,0:50:00', '\n999,0:50:01')}1000,0:51:00\n`;
      expect(takeFile(state, next).sent).toEqual(['999', '1000']);
      for (const key of tally(state).heldBack) take(state, key, { is: 'released' });
      expect(queueOf(state).size).toBe(waiting);
    },
  );

  test('says how many results lose splits, and not of splits that are passings', () => {
    const state = stateAfter('bib,time,Km 10\n1,1:20:00,0:40:00\n2,1:21:00,\n');
    expect(takeFile(state, 'bib,time\n1,1:20:01\n2,1:21:01\n').splitsLost).toEqual(['1']);
    const passed = stateAfter('bib,time,Km 10\n1,1:20:00,0:40:00\n');
    const later = read('bib,time\n1,1:20:01\n');
    expect(judgeVersion(passed, 'b.csv', later, { points: ['Km 10'] }).splitsLost).toEqual([]);
  });

  test('leaves a result that its file has no longer, until a person decides', () => {
    const state = stateAfter(FILE);
    takeFile(state, FILE.replace('\n2,', '\n7,'));
    expect(tally(state).unfiled).toEqual(['2']);
    take(state, '2', { is: 'removed' });
    expect(isUnfiled(knownOf(state, '2'))).toBe(false);
    expect(queueOf(state).size).toBe(0);
    takeFile(state, FILE.replace('\n3,', '\n8,'));
    take(state, '3', { is: 'kept' });
    expect(tally(state)).toMatchObject({ unfiled: ['7'], queue: 0 });
  });

  test('has most of its times below those of finishers if it is of a point', () => {
    const state = stateAfter('bib,time\n1,1:20:12\n2,1:21:00\n3,1:22:00\n');
    const isBelow = (text: string) => isBelowFinishers('km10.csv', read(text), state);
    expect(isBelow('bib,time\n1,0:41:09\n4,0:42:00\n')).toBe(true);
    expect(isBelow('bib,time\n1,1:20:12\n2,1:20:59\n4,0:42:00\n')).toBe(false);
    expect(isBelow('bib,time\n4,0:42:00\n')).toBe(false);
  });

  test('is a correction if the file itself had these finishers later, as before a corrected start', () => {
    const state = stateAfter('bib,time\n1,1:20:12\n2,1:21:00\n3,1:22:00\n');
    const earlier = read('bib,time\n1,1:10:12\n2,1:11:00\n3,1:12:00\n');
    expect(isBelowFinishers('r.csv', earlier, state)).toBe(false);
  });
});

/** A decision on another laptop. */
const BY_HAND = { batch: 'b', file: null, isRevert: false, watched: new Set<string>() };

describe('a decision', () => {
  test('leaves a bib alone while it is held, and the file that disagrees is named', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DNF'), true);
    expect(takeFile(state, FILE)).toMatchObject({ sent: [], held: [{ key: '2', line: 3 }] });
    take(state, '2', { is: 'released' });
    expect([...queueOf(state).keys()]).toEqual(['2']);
  });

  test('stands until the row of the file changes, and then asks', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DNF'));
    expect(takeFile(state, FILE).sent).toEqual([]);
    expect(takeFile(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual([]);
    expect(tally(state)).toMatchObject({ heldBack: ['2'], disputed: [] });
    expect(decisionsOf(state)).toBe(0);
  });

  test('is no matter of what is sent again', () => {
    const state = stateAfter(FILE);
    take(state, '2', { is: 'decided', text: status('2', 'DSQ'), file: 'set 2', isHeld: false });
    store(state);
    resend(state, new Set(['r.csv']));
    expect(queueOf(state).size).toBe(0);
    expect(takeFile(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual([]);
    take(state, '2', { is: 'kept' });
    resend(state, new Set(['r.csv']));
    expect(queueOf(state).size).toBe(0);
  });

  test('holds back only the row that would reinstate a disqualified runner', () => {
    const state = stateAfter(FILE);
    decideAndStore(state, '2', status('2', 'DSQ'));
    const corrected = FILE.replace('0:41:00', '0:41:01').replace('0:40:00', '0:40:01');
    expect(takeFile(state, corrected)).toMatchObject({ sent: ['1'], held_back: [{ key: '2' }] });
    expect(takeFile(state, corrected)).toMatchObject({ sent: [], held_back: [{ key: '2' }] });
    take(state, '2', { is: 'released' });
    store(state);
    expect(held(state, '2').chip_time).toBe('00:41:01.000');
    expect(tally(state).heldBack).toEqual([]);
  });

  test('of another laptop keeps the floor against a later read of a chip, and asks', () => {
    const state = newState('e');
    const dnf = status('2', 'DNF');
    take(state, '2', { is: 'handed', ...BY_HAND, before: null, after: dnf });
    reconcile(state, new Map([['2', dnf]]));
    expect(takeFile(state, FILE)).toMatchObject({ sent: ['1', '3'], held_back: [{ key: '2' }] });
    expect(whyAsked(knownOf(state, '2'))).toBe('by_hand');
    take(state, '2', { is: 'kept' });
    expect(takeFile(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
    expect(takeFile(state, FILE.replace('0:41:00', '0:41:09'))).toMatchObject({ sent: [] });
    expect(whyAsked(knownOf(state, '2'))).toBe('by_hand');
    take(state, '2', { is: 'released' });
    expect([...queueOf(state).keys()]).toEqual(['2']);
  });

  test('about results that this folder never sent is no question', () => {
    const state = newState('e');
    const other = stateAfter(FILE);
    reconcile(state, heldIn(other));
    const swapped = new Map(heldIn(other)).set('2', status('2', 'DNF'));
    const change = { before: storedIn(other, '2'), after: status('2', 'DNF') };
    take(state, '2', { is: 'handed', ...BY_HAND, ...change });
    reconcile(state, swapped);
    expect(tally(state)).toMatchObject({ disputed: [], heldBack: [], unfiled: [], queue: 0 });
    // Nor does this folder send what the API has lost of others.
    expect(reconcile(state, new Map())).toEqual([]);
    expect(queueOf(state).size).toBe(0);
  });
});

describe('a batch that was taken back', () => {
  const WRONG = 'bib,time\n1,0:30:00\n2,0:41:00\n3,0:31:00\n';
  /** What a laptop learns of the revert of a batch, of all results that are stored. */
  const undo = (state: RaceState, file: string, watched: string[] = [], after = new Map()) => {
    for (const [bib, before] of heldIn(state)) {
      if (before === (after.get(bib) ?? null)) continue;
      const change = { before, after: after.get(bib) ?? null };
      const batch = { batch: 'b', file, isRevert: true, watched: new Set(watched) };
      take(state, bib, { is: 'handed', ...batch, ...change });
    }
  };
  const send = (state: RaceState, text: string, file: string) => {
    const verdict = judgeVersion(state, file, read(text), { isByPerson: true });
    state.known = verdict.known;
    store(state);
  };

  test('leaves nothing of a file that is not watched, and the right file goes without a question', () => {
    const state = newState('e');
    send(state, WRONG, '/race/2025.csv');
    undo(state, '2025.csv');
    expect(tally(state)).toMatchObject({ results: 0, disputed: [], heldBack: [], queue: 0 });
    resend(state, new Set(['/race/r.csv']));
    expect(queueOf(state).size).toBe(0);
    // The row of bib 2 equals the one that was taken back.
    expect(takeFile(state, 'bib,time\n2,0:41:00\n', '/race/r.csv', true).sent).toEqual(['2']);
    expect(takeFile(state, FILE, '/race/r.csv').sent).toEqual(['1', '3']);
  });

  test('gives the watched file its rows back', () => {
    const state = newState('e');
    takeFile(state, FILE, '/race/r.csv');
    const before = heldIn(state);
    send(state, WRONG, '/race/2025.csv');
    undo(state, '2025.csv', ['/race/r.csv'], before);
    expect(tally(state)).toMatchObject({ stored: 3, results: 3, disputed: [], queue: 0 });
    expect(takeFile(state, FILE.replace('0:42:00', '0:42:01'), '/race/r.csv').sent).toEqual(['3']);
  });

  test('is a question while a watched file says it, until its rows are sent again or differ', () => {
    const state = stateAfter(FILE);
    undo(state, 'r.csv', ['r.csv']);
    expect(tally(state).disputed).toEqual(['1', '2', '3']);
    expect(takeFile(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
    expect(tally(state).disputed).toHaveLength(3);
    const corrected = takeFile(state, `${FILE.replace('0:41:00', '0:41:01')}4,0:43:00\n`);
    expect(corrected.sent).toEqual(['1', '2', '3']);
    undo(state, 'r.csv', ['r.csv']);
    resend(state, new Set(['r.csv']));
    expect(queueOf(state).size).toBe(4);
  });

  test('does not hold the file of the next morning, which has the same name and a first equal row', () => {
    const state = stateAfter(FILE);
    undo(state, 'r.csv', ['r.csv']);
    expect(takeFile(state, 'bib,time\n1,0:40:00\n').sent).toEqual(['1']);
    expect(takeFile(state, 'bib,time\n1,0:40:00\n2,0:41:00\n').sent).toEqual(['2']);
    expect(tally(state)).toMatchObject({ disputed: [], unfiled: [], queue: 0, results: 2 });
  });

  test('stays so on a laptop with an older copy of the folder and the newest file', () => {
    const older = newState('e');
    const change = {
      before: storedIn(stateAfter(FILE), '2') ?? '',
      after: null,
      watched: new Set<string>(),
    };
    const revert = { batch: 'b', file: 'r.csv', isRevert: true };
    take(older, '2', { is: 'handed', ...revert, ...change });
    expect(takeFile(older, FILE, '/copy/r.csv').sent).toEqual(['1', '3']);
    expect(tally(older).disputed).toEqual(['2']);
    // A person removed it: no file brings it back by itself.
    const removal = { batch: 'c', file: null, isRevert: false };
    const other = newState('e');
    take(other, '2', { is: 'handed', ...removal, ...change });
    expect(takeFile(other, FILE, 'any.csv').sent).toEqual(['1', '3']);
  });

  test('keeps a hold, and ends a decision that was the batch', () => {
    const state = stateAfter(FILE);
    const before = heldIn(state);
    decideAndStore(state, '2', status('2', 'DNF'), true);
    decideAndStore(state, '3', status('3', 'DSQ'));
    undo(state, 'set', ['r.csv'], before);
    expect(tally(state)).toMatchObject({ held: ['2'], disputed: [], heldBack: [], queue: 0 });
    expect(decisionsOf(state)).toBe(1);
    expect(takeFile(state, FILE.replace('0:42:00', '0:42:01')).sent).toEqual(['3']);
  });
});

describe('a comparison with the API', () => {
  test('sends again what it lost, and leaves what somebody changed until the file changes', () => {
    const state = stateAfter(FILE);
    const lost = reconcile(
      state,
      new Map([
        ['1', storedIn(state, '1') ?? ''],
        ['2', status('2', 'DNF')],
        ['9', status('9', 'DNF')],
      ]),
    );
    expect([lost, tally(state).disputed]).toEqual([['3'], ['2']]);
    expect([...queueOf(state).keys()]).toEqual(['3']);
    store(state);
    expect(takeFile(state, FILE).sent).toEqual([]);
    expect(takeFile(state, FILE.replace('0:41:00', '0:41:01')).sent).toEqual(['2']);
    expect(held(state, '9').status).toBe('DNF');
  });

  test('lets a new folder send only what the API does not hold', () => {
    const state = newState('e');
    const before = stateAfter(FILE);
    expect(reconcile(state, heldIn(before))).toEqual([]);
    expect(tally(state).disputed).toEqual([]);
    expect(takeFile(state, `${FILE}4,0:43:00\n`).sent).toEqual(['4']);
  });
});

test('compares without the splits that passings of the points complete', () => {
  const state = stateAfter('bib,time\n1,1:20:00\n');
  const own = rowIn(storedIn(state, '1') ?? '');
  const held = new Map([['1', textOf({ ...own, splits: { 'Km 10': '00:40:00.000' } })]]);
  const points = ['Km 10'];
  reconcile(state, held, points);
  expect(tally(state).disputed).toEqual([]);
  reconcile(state, held);
  expect(tally(state).disputed).toEqual(['1']);
});

describe('a runner on the course', () => {
  const COURSE = 'bib,time,Km 5,Km 10\n1,,0:20:00,0:41:00\n2,1:20:00,0:19:00,0:39:00\n3,,,\n';

  test('has the splits so far as passings, and a result with splits at the finish', () => {
    const state = newState('e');
    const rows = read(COURSE);
    expect(rows).toMatchObject({ onCourse: 2, unreadable: [], unfinished: [{ bib: '3' }] });
    expect(takeFile(state, COURSE).sent).toEqual(['1\nKm 5', '1\nKm 10', '2']);
    expect(takeFile(state, COURSE.replace('1,,', '1,1:22:00,')).sent).toEqual(['1']);
    expect(tally(state).unfiled).toEqual([]);
    expect(held(state, '1').splits).toEqual({ 'Km 5': '00:20:00.000', 'Km 10': '00:41:00.000' });
  });

  test('has passings alone in a file of a point', () => {
    const { rows } = read('bib,time\n1,0:41:00\n2,DNF\n', false, { ...PLAIN, point: 'Km 10' });
    expect([...rows.keys()]).toEqual(['1\nKm 10']);
  });
});

test('writes rejected rows with their line and reason', () => {
  const query = 'bib=Nr&chip_time=Zeit&header_line=3&split=';
  const parameters = parseParameters(new URLSearchParams(query));
  const text = 'Lauf\n\nNr;Name;Zeit\n1;"A; ""B""";0:40:00\n2;C;1h28\n3;D;0:41:00\n';
  const file = read(text, false, parameters);
  const state = newState('e');
  // The command has no words of its own for a code that a later API answers.
  const failed = { reason: 'No; "bib"', code: 'later_code' };
  take(state, '3', { is: 'answered', text: file.rows.get('3')?.text ?? '', failed });
  expect(rejectedCsv(file, state, file.unreadable).split('\r\n')).toEqual([
    '\uFEFFNr;Name;Zeit;line;reason;reason_code',
    expect.stringMatching(/^2;C;1h28;5;.*;invalid_time$/),
    '3;D;0:41:00;6;"No; ""bib""";later_code',
    '',
  ]);
  expect(rejectedCsv(file, newState('e'), [])).toBe('');
});
