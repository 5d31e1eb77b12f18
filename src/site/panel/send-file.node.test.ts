import { describe, expect, test } from 'vitest';
import type { AnyPreview, AnyUpload, Event, State, Work } from './public/panel/send-file/state.ts';
import { chosenRows, hasNextSheet, IDLE, isStored, next } from './public/panel/send-file/state.ts';

const workOf = (name: string, point = ''): Work => ({
  name,
  point,
  file: Promise.resolve(new File([], name)),
});

const work = workOf('finish.csv');

/** A preview between whose readings a person has to decide. */
const previewOf = (...queries: string[]) =>
  ({
    warnings: queries.length > 0 ? [{ choices: queries.map((query) => ({ query, why: '' })) }] : [],
  }) as Partial<AnyPreview> as AnyPreview;

const stored = { uploaded: 1 } as Partial<AnyUpload> as AnyUpload;

const read = (of: Work, asked: string, query: string | undefined, ...choices: string[]): Event => ({
  type: 'read',
  work: of,
  asked,
  preview: previewOf(...choices),
  query,
  choices: [],
  isByHand: false,
  key: `key of ${asked}`,
});

const stateAfter = (...events: Event[]): State => events.reduce(next, IDLE);

const READY = [{ type: 'chosen', work }, read(work, '', '')] as const;
const SENDING = [...READY, { type: 'sent' }] as const;

describe('a file', () => {
  test('is read, sent and stored', () => {
    expect(stateAfter({ type: 'chosen', work })).toMatchObject({ step: 'looking', asked: '' });
    expect(stateAfter(...READY)).toMatchObject({ step: 'ready', query: '', isUnsure: false });
    expect(stateAfter(...SENDING, { type: 'left', work, share: 0.5 })).toMatchObject({
      step: 'sending',
      share: 0.5,
    });
    expect(
      stateAfter(...SENDING, { type: 'stored', work, stored, chosen: undefined }),
    ).toMatchObject({
      step: 'done',
      stored,
    });
  });

  test('of a point is read as such', () => {
    const chosen = { type: 'chosen', work: workOf('km 10.csv', 'Km 10') } as const;
    expect(stateAfter(chosen)).toMatchObject({ step: 'looking', asked: 'point=Km%2010' });
  });

  test('that nobody can read leaves why', () => {
    const unread = { type: 'unread', work, asked: '', message: 'No results.' } as const;
    expect(stateAfter({ type: 'chosen', work }, unread)).toEqual({
      step: 'idle',
      message: 'No results.',
    });
  });

  test('is not sent while a person has to decide', () => {
    const undecided = [{ type: 'chosen', work }, read(work, '', undefined, 'a', 'b')] as const;
    expect(stateAfter(...undecided, { type: 'sent' })).toMatchObject({
      step: 'ready',
      query: undefined,
    });
  });

  test('is sent again under the key of the first sending after no answer came', () => {
    const lost = stateAfter(...SENDING, { type: 'lost', work, message: 'No answer.' });
    expect(lost).toMatchObject({ step: 'ready', isUnsure: true, message: 'No answer.', query: '' });
    expect(next(lost, { type: 'sent' })).toMatchObject({ ready: { key: 'key of ' } });
  });
});

describe('an answer that comes late', () => {
  const other = workOf('other.csv');

  test('about a file that the reader has left changes nothing', () => {
    for (const late of [
      read(work, '', ''),
      { type: 'unread', work, asked: '', message: 'No results.' },
      { type: 'left', work, share: 1 },
      { type: 'stored', work, stored, chosen: undefined },
      { type: 'lost', work, message: 'No answer.' },
    ] as const) {
      for (const state of [IDLE, stateAfter({ type: 'chosen', work: other })]) {
        expect(next(state, late), late.type).toBe(state);
      }
    }
  });

  test('about an earlier choice changes nothing', () => {
    const undecided = stateAfter({ type: 'chosen', work }, read(work, '', undefined, 'a', 'b'));
    const [a, b] = ['a', 'b'].map((query): Event => ({ type: 'answered', query })) as [
      Event,
      Event,
    ];
    const changed = next(next(undecided, a), b);
    expect(next(changed, read(work, 'a', 'a'))).toBe(changed);
    const unread = { type: 'unread', work, asked: 'a', message: 'No answer.' } as const;
    expect(next(changed, unread)).toBe(changed);
    expect(next(changed, read(work, 'b', 'b'))).toMatchObject({ step: 'ready', query: 'b' });
  });

  test('does not end a sending', () => {
    const sending = stateAfter(...SENDING);
    expect(next(sending, read(work, '', ''))).toBe(sending);
    expect(next(sending, { type: 'nextSheet' })).toBe(sending);
  });
});

describe('rows that are left', () => {
  type LeftRow = AnyPreview['left'][number];
  const left = (row: number, reason_code: LeftRow['reason_code'], at = 'then') =>
    ({ row, reason_code, at }) as LeftRow;

  /** A file whose preview names these rows of `count` rows that are left. */
  function readyWith(rows: LeftRow[], count = rows.length) {
    const preview = { ...previewOf(), left: rows, counts: { left: count } } as AnyPreview;
    const state = stateAfter({ type: 'chosen', work }, {
      ...{ type: 'read', work, asked: '', preview, query: '', key: 'key' },
    } as Event);
    if (state.step !== 'ready') throw new Error(state.step);
    return state;
  }

  const uploadOf = (...rows: LeftRow[]) => ({ left: rows }) as Partial<AnyUpload> as AnyUpload;
  const decided = { type: 'grouped', reason: 'decided_by_person' } as const;
  const seen = [left(2, 'decided_by_person'), left(3, 'disqualified')];

  function chosenOf(state: State, upload: AnyUpload) {
    if (state.step !== 'ready') throw new Error(state.step);
    return [...chosenRows(state, upload)];
  }

  test('stay out until the reader chooses their group', () => {
    const ready = readyWith(seen);
    expect(chosenOf(ready, uploadOf(...seen))).toEqual([]);
    expect(chosenOf(next(ready, decided), uploadOf(...seen))).toEqual([2]);
    expect(chosenOf(next(next(ready, decided), decided), uploadOf(...seen))).toEqual([]);
  });

  test('stay out if somebody has decided them since the preview', () => {
    const ready = next(readyWith(seen), decided);
    const later = left(2, 'decided_by_person', 'later');
    expect(chosenOf(ready, uploadOf(later, left(4, 'decided_by_person')))).toEqual([]);
  });

  test('are stored by their group if a preview names only the first ones', () => {
    const ready = next(readyWith(seen, 5_000), decided);
    const rows = [...seen, left(4, 'decided_by_person'), left(5, 'taken_back')];
    expect(chosenOf(ready, uploadOf(...rows))).toEqual([2, 4]);
  });

  test('cannot be chosen again while nobody knows what is stored', () => {
    const lost = [{ type: 'sent' }, { type: 'lost', work, message: 'No answer.' }] as const;
    const unsure = lost.reduce<State>(next, next(readyWith(seen), decided));
    expect(unsure).toMatchObject({ isUnsure: true, chosen: ['decided_by_person'] });
    expect(next(unsure, decided)).toBe(unsure);
  });
});

describe('a choice', () => {
  const undecided = stateAfter({ type: 'chosen', work }, read(work, '', undefined, 'a', 'b'));

  test('keeps the file from being sent until it is read', () => {
    const decided = next(next(undecided, { type: 'answered', query: 'a' }), read(work, 'a', 'a'));
    const changed = next(decided, { type: 'answered', query: 'b' });
    expect(changed).toMatchObject({ step: 'ready', query: undefined });
    expect(next(changed, { type: 'sent' })).toBe(changed);
  });

  test('can be made again after a failure', () => {
    const asked = next(undecided, { type: 'answered', query: 'a' });
    const failed = next(asked, { type: 'unread', work, asked: 'a', message: 'No answer.' });
    expect(failed).toMatchObject({ step: 'ready', asked: undefined, message: 'No answer.' });
    expect(failed).toMatchObject({ choices: [{ query: 'a' }, { query: 'b' }] });
  });

  test('leads through the sheets of a workbook, each once', () => {
    const [saturday, sunday] = ['sheet=Saturday', 'sheet=Sunday'] as const;
    const sheetStored = (state: State, query: string) =>
      [
        { type: 'answered', query },
        read(work, query, query),
        { type: 'sent' },
        { type: 'stored', work, stored, chosen: undefined },
      ].reduce((now, event) => next(now, event as Event), state);
    const first = stateAfter({ type: 'chosen', work }, read(work, '', undefined, saturday, sunday));
    const one = sheetStored(first, sunday);
    expect(one.step === 'done' && hasNextSheet(one)).toBe(true);
    const again = next(
      next(one, { type: 'nextSheet' }),
      read(work, '', undefined, saturday, sunday),
    );
    if (again.step !== 'ready') throw new Error(again.step);
    expect(again.choices.map((choice) => isStored(choice, again))).toEqual([false, true]);
    const both = sheetStored(again, saturday);
    expect(both.step === 'done' && hasNextSheet(both)).toBe(false);
  });
});
