import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Acknowledged, difference, type Facts, type HeldValue } from './difference.ts';
import { textOf } from './item.ts';
import { acknowledge } from './store.ts';

const FILE = '/out/r.csv';
const row = (bib: string, seconds: number, splits: Record<string, string> = {}) =>
  textOf({
    ...{ bib_number: bib, status: 'FINISHED', gun_time: null, splits },
    chip_time: `00:40:${seconds}.000`,
  });

/** What the files say, what was acknowledged and what is held, by bib. */
function factsOf(
  said: Record<string, string>,
  acknowledged: Record<string, Acknowledged> = {},
  held: Record<string, HeldValue> = {},
  more: Partial<Facts> = {},
): Facts {
  const rows = Object.entries(said).map(
    ([key, text], at) => [key, { text, file: FILE, line: at + 2 }] as const,
  );
  return {
    merged: { rows: new Map(rows), unordered: new Map(), twins: new Map() },
    acknowledged: new Map(Object.entries(acknowledged)),
    decisions: new Map(),
    given: new Map(),
    held: new Map(Object.entries(held)),
    files: new Map([[FILE, { columns: new Set(), unreadable: [], isWhole: true }]]),
    ...more,
  };
}

const known = (text: string, more: Partial<Acknowledged> = {}): Acknowledged => ({
  ...{ text, file: FILE, earlier: [], id: 'a', answer: null },
  ...more,
});
const stored = (text: string, id = 'a') => ({ text, id });
const [A, B] = [row('1', 11), row('1', 12)];
const leftIn = (facts: Facts) => difference(facts).left.map(({ key, code }) => `${key} ${code}`);
const sentIn = (facts: Facts) => [...difference(facts).send.keys()];

describe('a row of a file', () => {
  test('F01 F03: is sent until the API holds it', () => {
    expect(sentIn(factsOf({ 1: A }))).toEqual(['1']);
    expect(sentIn(factsOf({ 1: A }, { 1: known(A) }, { 1: stored(A) }))).toEqual([]);
    expect(sentIn(factsOf({ 1: B }, { 1: known(A) }, { 1: stored(A) }))).toEqual(['1']);
  });

  test('T13 N06: is left if somebody else changed it, and never sent again by itself', () => {
    const facts = factsOf({ 1: A }, { 1: known(A) }, { 1: stored(B) });
    expect([leftIn(facts), sentIn(facts)]).toEqual([['1 changed'], []]);
  });

  test('N21: is sent again if it is lost', () => {
    expect(difference(factsOf({ 1: A }, { 1: known(A) })).send.get('1')).toMatchObject({
      leaves: true,
    });
  });

  test('D01: follows its bib when the desk swaps two, and undoes no decision', () => {
    const other = row('2', 13);
    const acknowledged = { 1: known(A), 2: known(other, { id: 'b' }) };
    const [moved, back] = [row('1', 13), row('2', 11)];
    const held = { 1: stored(moved, 'b'), 2: stored(back, 'a') };
    const { send } = difference(factsOf({ 1: A, 2: other }, acknowledged, held));
    expect([...send].map(([key, { leaves }]) => [key, leaves])).toEqual([
      ['1', false],
      ['2', false],
    ]);
    const decided = { ...held, 1: stored(row('1', 59), 'b') };
    const { send: careful } = difference(factsOf({ 1: A, 2: other }, acknowledged, decided));
    expect(careful.get('1')?.leaves).toBe(true);
  });

  test('F18 F19: is old if another file says a value that was replaced', () => {
    const facts = factsOf(
      { 1: A },
      { 1: known(B, { earlier: [A], file: '/out/new.csv' }) },
      {
        1: stored(B),
      },
    );
    expect([difference(facts).old.length, sentIn(facts)]).toEqual([1, []]);
    const own = factsOf({ 1: A }, { 1: known(B, { earlier: [A] }) }, { 1: stored(B) });
    expect(sentIn(own)).toEqual(['1']);
  });

  test('F34 F35: takes splits away only where its file has their column', () => {
    const before = row('1', 11, { 'Km 5': '00:20:00.000' });
    const facts = factsOf({ 1: A }, { 1: known(before) }, { 1: stored(before) });
    expect(leftIn(facts)).toEqual(['1 splits_lost']);
    const columns = new Set(['Km 5']);
    const files = new Map([[FILE, { columns, unreadable: [], isWhole: true }]]);
    expect(sentIn({ ...facts, files })).toEqual(['1']);
  });

  test('F27 F30 F32 F33: that its whole file lost is told, and not deleted', () => {
    const facts = factsOf({}, { 1: known(A) }, { 1: stored(A) });
    expect([leftIn(facts), sentIn(facts)]).toEqual([['1 gone'], []]);
    expect(leftIn({ ...facts, files: new Map() })).toEqual([]);
    const kept = { is: 'api', text: null, held: A } as const;
    expect(leftIn({ ...facts, decisions: new Map([['1', kept]]) })).toEqual([]);
  });
});

describe('a row that the API left', () => {
  const answer = {
    ...{ text: B, file: FILE, code: 'decided_by_person', reason: '', isLeft: true },
    ...{ held: A, sender: null, at: null },
  };
  const facts = factsOf({ 1: B }, { 1: known(A, { answer }) }, { 1: stored(A) });

  test('L01 L35 L36: is a question until the row or the stored value changes', () => {
    expect([leftIn(facts), sentIn(facts)]).toEqual([['1 decided_by_person'], []]);
    expect(sentIn({ ...facts, held: new Map([['1', stored(row('1', 15))]]) })).toEqual(['1']);
    const merged = factsOf({ 1: row('1', 16) }).merged;
    expect(sentIn({ ...facts, merged })).toEqual(['1']);
  });

  test('L02 L03 L04 L05: is what a person says, until one of both changes', () => {
    const says = (is: 'file' | 'api') => new Map([['1', { is, text: B, held: A }]]);
    const file = difference({ ...facts, decisions: says('file') });
    expect(file.send.get('1')).toMatchObject({ text: B, leaves: false, isByHand: false });
    const api = { ...facts, decisions: says('api') };
    expect([leftIn(api), sentIn(api), difference(api).decided]).toEqual([[], [], 1]);
    const changed = new Map([['1', stored(row('1', 15))]]);
    const asked = difference({ ...api, held: changed });
    expect(asked.send.get('1')?.leaves).toBe(true);
    const forced = difference({ ...facts, decisions: says('file'), held: changed });
    expect(forced.send.get('1')?.leaves).toBe(true);
  });
});

test('F53 F54: stores the same rows with restarts and without a state, whenever they come', () => {
  const bib = fc.constantFrom('1', '2', '3');
  const step = fc.oneof(
    fc.record({ is: fc.constant('said' as const), bib, seconds: fc.integer({ min: 10, max: 59 }) }),
    fc.constant({ is: 'forgets' as const }),
    fc.constant({ is: 'sends' as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const said: Record<string, string> = {};
      const held: Record<string, HeldValue> = {};
      let acknowledged: Record<string, Acknowledged> = {};
      const send = () => {
        for (const [key, { text, file }] of difference(factsOf(said, acknowledged, held)).send) {
          held[key] = stored(text, key);
          acknowledged[key] = acknowledge(acknowledged[key], { text, file, id: key });
        }
      };
      for (const one of steps) {
        if (one.is === 'said') said[one.bib] = row(one.bib, one.seconds);
        else if (one.is === 'forgets') acknowledged = {};
        else send();
      }
      send();
      const texts = Object.entries(held).map(([key, { text }]) => [key, text]);
      expect(Object.fromEntries(texts)).toEqual(said);
      expect(sentIn(factsOf(said, acknowledged, held))).toEqual([]);
    }),
  );
});
