import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN, parseParameters } from '../timing-files/read/parameters.ts';
import { allBibs, compareRows, readRows } from './changes.ts';
import { changeGuards, fileGuards } from './guards.ts';
import { rejectedCsv } from './rejected-file.ts';
import { type ResultRow, rowIn, textOf } from './result-row.ts';
import { RaceState } from './state.ts';

const AT = '2026-05-03T09:00:00.000Z';
const SOURCE = 'r.csv';
const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, query = '') =>
  readRows(bytesOf(text), query === '' ? PLAIN : parseParameters(new URLSearchParams(query)));

/** A state in which a file was read, and all of it stored. */
function stateAfter(text: string): RaceState {
  const state = new RaceState();
  const rows = [...read(text).results.values()].map((one) => rowIn(one.text));
  state.apply({ type: 'queued', source: SOURCE, rows });
  state.apply({ type: 'sent', at: AT, key: 'k', bibs: [...state.queue.keys()] });
  state.apply({ type: 'answered', at: AT, key: 'k', batch: 'b', failed: [] });
  return state;
}

const compare = (text: string, state: RaceState, against: 'seen' | 'newest' = 'seen') =>
  compareRows(read(text), state.source(SOURCE), state, against);

const hold = (state: RaceState, bib: string, isHeld = true) => {
  const row: ResultRow = {
    ...{ bib_number: bib, status: 'DSQ', chip_time: null, gun_time: null, splits: {} },
  };
  state.apply({ type: 'set', id: `set ${bib}`, at: AT, row, isHeld });
};

const FILE = 'bib,time\n1,0:40:00\n2,0:41:00\n3,0:42:00\n';

describe('readRows', () => {
  test('keeps the last valid row of a bib', () => {
    const { results, total } = read('bib,time\n1,0:40:00\n1,0:41:00\n1,soon\n');
    expect(total).toBe(3);
    expect(results.get('1')).toEqual({
      line: 3,
      text: '{"bib_number":"1","status":"FINISHED","chip_time":"00:41:00.000","gun_time":null,"splits":{}}',
    });
  });

  test('tells runners on the course from rows that are wrong', () => {
    const { unfinished, unreadable } = read(
      'bib,time,status\n1,,\n2,,FINISHED\n,0:40:00,\n4,1h28,\n',
    );
    expect(unfinished.map(({ bib }) => bib)).toEqual(['1']);
    expect(unreadable).toMatchObject([
      { line: 3, bib: '2', code: 'missing_time' },
      { line: 4, bib: null, code: 'missing_bib' },
      { line: 5, bib: '4', code: 'invalid_time' },
    ]);
  });

  test('reads with the parameters of an upload', () => {
    const text = 'Title\nNr;Ziel;Ort\n7;5283.5;Mitte\n7;5300;Ende\n';
    const { header, headerLine, results } = read(
      text,
      'bib=Nr&chip_time=Ziel&header_line=2&time_format=seconds&where=Ort:Ende&split=',
    );
    expect([header, headerLine]).toEqual([['Nr', 'Ziel', 'Ort'], 2]);
    expect(rowIn(results.get('7')?.text ?? '')).toMatchObject({
      chip_time: '01:28:20.000',
      splits: {},
    });
  });
});

describe('compareRows', () => {
  test('finds new, changed, unchanged and vanished bibs', () => {
    const text = 'bib,time\n1,0:40:00\n2,0:41:30\n4,0:43:00\n';
    expect(compare(text, stateAfter(FILE))).toEqual({
      ...{ added: ['4'], changed: ['2'], unchanged: 1, vanished: ['3'], disagreeing: [] },
    });
  });

  test('does not call a bib vanished whose row became unreadable', () => {
    expect(compare('bib,time\n1,0:40:00\n2,x\n3,\n', stateAfter(FILE)).vanished).toEqual([]);
  });

  test('leaves held bibs alone, and says what the file says', () => {
    const state = stateAfter(FILE);
    hold(state, '2');
    const { changed, disagreeing } = compare(FILE, state);
    expect(changed).toEqual([]);
    expect(disagreeing).toMatchObject([{ bib: '2', line: 3 }]);
    expect(allBibs(read(FILE), state)).toEqual(['1', '3']);
  });

  test('lets a decision stand until the row of the file changes', () => {
    const state = stateAfter(FILE);
    hold(state, '2', false);
    expect(compare(FILE, state).changed).toEqual([]);
    expect(compare(FILE.replace('0:41:00', '0:41:01'), state).changed).toEqual(['2']);
    // A person who sends the file decides anew.
    expect(compare(FILE, state, 'newest').changed).toEqual(['2']);
  });

  test('does not send a rejected row again until it changes', () => {
    const state = new RaceState();
    const rows = [...read(FILE).results.values()].map(({ text }) => rowIn(text));
    state.apply({ type: 'queued', source: SOURCE, rows });
    state.apply({ type: 'sent', at: AT, key: 'k', bibs: ['1', '2', '3'] });
    const failed = [{ bib: '2', reason: 'no', code: 'unknown_bib' }];
    state.apply({ type: 'answered', at: AT, key: 'k', batch: 'b', failed });
    for (const against of ['seen', 'newest'] as const) {
      expect(compare(FILE, state, against)).toMatchObject({ added: [], changed: [], unchanged: 3 });
      expect(compare(FILE.replace('0:41', '0:51'), state, against).added).toEqual(['2']);
    }
  });

  test('finds nothing in what was just queued', () => {
    const anyFile = fc
      .array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 59 })), { minLength: 1 })
      .map(
        (rows) =>
          `bib,time\n${rows.map(([bib, s]) => `${bib},0:40:${String(s).padStart(2, '0')}\n`).join('')}`,
      );
    fc.assert(
      fc.property(anyFile, anyFile, (one, other) => {
        const state = stateAfter(one);
        const found = compare(other, state);
        const { results } = read(other);
        const bibs = [...found.added, ...found.changed];
        expect(bibs.length + found.unchanged).toBe(results.size);
        const rows = bibs.map((bib) => rowIn(results.get(bib)?.text ?? ''));
        state.apply({ type: 'queued', source: SOURCE, rows });
        expect(compare(other, state)).toMatchObject({
          added: [],
          changed: [],
          unchanged: results.size,
        });
        for (const [bib, { text }] of results) expect(state.newest(bib)).toBe(text);
      }),
    );
  });
});

describe('guards', () => {
  const source = (state: RaceState, rows: number, header = ['bib', 'time']) => {
    state.apply({ type: 'read', at: AT, source: SOURCE, file: SOURCE, header, rows });
    return state.source(SOURCE);
  };

  test('ask about another header than before or in race.json, and about fewer rows', () => {
    const found = { header: ['bib', 'chip', 'time'], total: 2 };
    const state = new RaceState();
    const none = { race: {} };
    expect(fileGuards(none, found, state.source(SOURCE))).toEqual([]);
    expect(
      fileGuards({ race: { header: ['bib', 'zeit'] } }, found, state.source(SOURCE)),
    ).toMatchObject([
      {
        code: 'header_differs',
        detail: expect.stringContaining('Missing: "zeit". New: "chip", "time".'),
      },
    ]);
    expect(fileGuards(none, found, source(state, 3))).toMatchObject([
      { code: 'header_differs' },
      { code: 'fewer_rows', detail: 'The file has 2 rows, and 3 before.' },
    ]);
    expect(
      fileGuards(none, { header: ['time', 'bib'], total: 3 }, state.source(SOURCE)),
    ).toMatchObject([{ detail: expect.stringContaining('another order') }]);
  });

  test('take a file of rejected rows for the file that they come from', () => {
    const mended = { header: ['bib', 'time', 'reason', 'reason_code'], total: 1 };
    expect(
      fileGuards({ race: { header: ['bib', 'time'] } }, mended, new RaceState().source('x')),
    ).toEqual([]);
  });

  test.each([
    [15, 3, false],
    [14, 3, true],
    [5, 2, false],
    [100, 20, false],
    [100, 21, true],
  ])(
    'decides whether to ask, of %i stored results with %i changes: %s',
    (stored, changes, asks) => {
      const rows = (changed: number) =>
        Array.from({ length: stored }, (_, at) => `${at},0:4${at < changed ? 1 : 0}:00\n`).join('');
      const state = stateAfter(`bib,time\n${rows(0)}`);
      const found = compare(`bib,time\n${rows(changes)}`, state);
      expect(found.changed).toHaveLength(changes);
      expect(changeGuards(found, state)).toHaveLength(asks ? 1 : 0);
    },
  );
});

describe('rejectedCsv', () => {
  test('can be read with the parameters of the file', () => {
    const query = 'bib=Nr&chip_time=Zeit&header_line=3&split=';
    const parameters = parseParameters(new URLSearchParams(query));
    const text = 'Lauf\n\nNr;Name;Zeit\n1;"A; ""B""";0:40:00\n2;C;1h28\n3;D;0:41:00\n';
    const before = readRows(bytesOf(text), parameters);
    const row = before.results.get('3');
    const elsewhere: ResultRow = {
      ...{
        bib_number: '9',
        status: 'FINISHED',
        chip_time: '00:50:00.000',
        gun_time: null,
        splits: {},
      },
    };
    const csv = rejectedCsv(bytesOf(text), parameters, before, {
      byApi: new Map([
        ['9', { text: textOf(elsewhere), reason: 'of another file', code: 'unknown_bib' }],
        ['3', { text: row?.text ?? '', reason: 'No; such "bib"', code: 'unknown_bib' }],
      ]),
      unreadable: before.unreadable,
    });
    const mended = bytesOf((csv ?? '').replace('1h28', '1:28:00'));
    const after = readRows(mended, parameters);
    expect(after.header).toEqual(['Nr', 'Name', 'Zeit', 'reason', 'reason_code']);
    expect([...after.results.keys()]).toEqual(['2', '3', '9']);
    expect(after.results.get('9')?.text).toBe(textOf(elsewhere));
    expect(after.results.get('3')?.text).toBe(textOf(rowIn(row?.text ?? '')));
    expect(csv).toContain('3;D;0:41:00;"No; such ""bib""";unknown_bib\r\n');
    expect(
      rejectedCsv(mended, parameters, after, { byApi: new Map(), unreadable: [] }),
    ).toBeUndefined();
  });
});
