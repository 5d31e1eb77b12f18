import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Entry, LineFile, parseLine } from './journal.ts';
import { type ResultRow, rowIn } from './result-row.ts';
import { JOURNAL_FILE, Ledger, RaceState, readState } from './state.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const EVENT = 'event';
const AT = '2026-05-03T09:00:00.000Z';

const resultRow = (bib: number, seconds: number): ResultRow => ({
  bib_number: `${bib}`,
  status: 'FINISHED',
  chip_time: `00:40:${String(seconds).padStart(2, '0')}.000`,
  gun_time: null,
  splits: { 'Km 5 ñ': '00:20:00.000' },
});

/** What a crew may do, as a journal would say it. */
const anyEntries = fc
  .array(
    fc.oneof(
      fc.record({
        kind: fc.constant('queue' as const),
        bibs: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 4 }),
        seconds: fc.nat({ max: 59 }),
      }),
      fc.record({ kind: fc.constant('send' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant('answer' as const), failed: fc.array(fc.nat({ max: 8 })) }),
      fc.record({ kind: fc.constant('hold' as const), bib: fc.nat({ max: 8 }) }),
    ),
    { maxLength: 30 },
  )
  .map((steps) => {
    const state = new RaceState();
    const entries: Entry[] = [{ type: 'opened', at: AT, event: EVENT }];
    const add = (entry: Entry) => {
      state.apply(entry);
      entries.push(entry);
    };
    let key = 0;
    for (const step of steps) {
      if (step.kind === 'queue') {
        const rows = step.bibs.map((bib) => resultRow(bib, step.seconds));
        add({ type: 'queued', source: 'r.csv', rows });
      } else if (step.kind === 'hold') {
        const row = { ...resultRow(step.bib, 0), status: 'DSQ' as const, chip_time: null };
        add({ type: 'set', id: `${entries.length}`, at: AT, row, isHeld: true });
      } else if (step.kind === 'send' && !state.flight && state.queue.size > 0) {
        key += 1;
        add({
          type: 'sent',
          at: AT,
          key: `${key}`,
          bibs: [...state.queue.keys()].slice(0, step.count),
        });
      } else if (step.kind === 'answer' && state.flight) {
        const failed = step.failed.map((bib) => ({
          bib: `${bib}`,
          reason: 'no',
          code: 'unknown_bib',
        }));
        add({ type: 'answered', at: AT, key: state.flight.key, batch: `b${key}`, failed });
      }
    }
    return entries;
  });

const fold = (entries: readonly Entry[]): RaceState => {
  const state = new RaceState();
  for (const entry of entries) state.apply(entry);
  return state;
};

test('opens a journal that is cut anywhere as if the rest had never happened', async () => {
  const folder = temporaryFolder();
  const path = join(folder, JOURNAL_FILE);
  await fc.assert(
    fc.asyncProperty(
      anyEntries,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (entries, part) => {
        const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        const cut = Math.round(bytes.length * part);
        writeFileSync(path, bytes.subarray(0, cut));
        const whole = bytes.subarray(0, cut).toString().split('\n').length - 1;
        const ledger = await Ledger.open(folder, EVENT);
        const expected = fold(entries.slice(0, Math.max(whole, 1)));
        expect(ledger.state).toEqual(expected);
        // It goes on from there, and the torn line is gone.
        const next: Entry = { type: 'queued', source: 'r.csv', rows: [resultRow(9, 1)] };
        await ledger.record([next]);
        await ledger.close();
        expected.apply(next);
        expect(await readState(folder)).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('keeps every queued row until it is stored, rejected or replaced by a newer one', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const newest = new Map<string, string>();
      for (const entry of entries) {
        if (entry.type === 'queued') {
          for (const row of entry.rows) newest.set(row.bib_number, JSON.stringify(row));
        } else if (entry.type === 'set') {
          newest.set(entry.row.bib_number, JSON.stringify(entry.row));
        }
      }
      const state = fold(entries);
      for (const [bib, text] of newest) {
        const known = [state.newest(bib), state.rejected.get(bib)?.text];
        expect(known).toContain(text);
      }
    }),
  );
});

test('passes over lines that a disk has damaged', async () => {
  const folder = temporaryFolder();
  const path = join(folder, JOURNAL_FILE);
  const ledger = await Ledger.open(folder, EVENT);
  await ledger.record([{ type: 'queued', source: 'r.csv', rows: [resultRow(1, 1)] }]);
  await ledger.close();
  appendFileSync(path, `${'\0'.repeat(80)}\n{"type":"queued"}\n`);
  const again = await Ledger.open(folder, EVENT);
  await again.close();
  expect(again.state.damagedLines).toBe(2);
  expect([...again.state.queue.values()].map(rowIn)).toEqual([resultRow(1, 1)]);
});

test('refuses the journal of another event', async () => {
  const folder = temporaryFolder();
  await (await Ledger.open(folder, EVENT)).close();
  await expect(Ledger.open(folder, 'other')).rejects.toThrow(
    /keeps the queue of the event event, and this is the event other.*--state/,
  );
});

test('keeps lines in the order of the calls', async () => {
  const path = join(temporaryFolder(), 'lines');
  const file = await LineFile.open(path, () => {});
  await Promise.all(Array.from({ length: 50 }, (_, at) => file.append([`${at}`, `${at} again`])));
  await file.close();
  const expected = Array.from({ length: 50 }, (_, at) => `${at}\n${at} again\n`).join('');
  expect(readFileSync(path, 'utf8')).toBe(expected);
});

test('reads lines that are longer than a block, and characters that lie across two', async () => {
  const path = join(temporaryFolder(), 'lines');
  const lines = ['ñ'.repeat(70_000), 'b', 'ü'.repeat(200_001)];
  writeFileSync(path, `${lines.join('\n')}\ntorn`);
  const found: string[] = [];
  const file = await LineFile.open(path, (line) => found.push(line));
  await file.close();
  expect(found).toEqual(lines);
  expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
  truncateSync(path, 0);
});

test('counts a line of a later version as damaged', () => {
  expect(parseLine(Entry, '{"type":"celebrated"}')).toBeUndefined();
});

test('queues a batch that the API refuses before the rows that came later', () => {
  const state = fold([
    { type: 'queued', source: 'r', rows: [resultRow(1, 1), resultRow(2, 1)] },
    { type: 'sent', at: AT, key: 'k', bibs: ['1', '2'] },
    { type: 'queued', source: 'r', rows: [resultRow(3, 1), resultRow(1, 2)] },
    { type: 'withdrawn', key: 'k' },
  ]);
  expect([...state.queue.keys()]).toEqual(['2', '3', '1']);
  expect(state.newest('1')).toContain('00:40:02.000');
});

test('counts a decision once, and ends a hold with its release', () => {
  const row = { ...resultRow(7, 0), status: 'DSQ' as const, chip_time: null };
  const set: Entry = { type: 'set', id: 'a', at: AT, row, isHeld: true };
  const state = fold([
    { type: 'queued', source: 'r', rows: [resultRow(7, 1)] },
    set,
    { type: 'sent', at: AT, key: 'k', bibs: ['7'] },
    { type: 'answered', at: AT, key: 'k', batch: 'b', failed: [] },
    set,
  ]);
  expect(state.queue.size).toBe(0);
  expect(state.held.size).toBe(1);
  state.apply({ type: 'released', id: 'b', at: AT, bib: '7' });
  expect(state.held.size).toBe(0);
  expect(state.source('r').seen.size).toBe(0);
});
