import { expect, test } from 'vitest';
import { planRace } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';
import { summaryOf } from './summary.ts';

const entrants = Array.from({ length: 12 }, (_, index) => ({
  bib: String(index + 1),
  distance: '10K',
}));

/** A race in which every result was stored. */
function race(changes: Partial<Rehearsal> = {}): Rehearsal {
  const plan = planRace(entrants, 7);
  const rows = plan.reports.map(({ row }) => row);
  return {
    plan,
    stored: new Map(rows.map((row) => [row.bib_number, row])),
    counts: { uploaded: 11, updated: 1, duplicates: 0, not_found: 0, errors: 0 },
    rejections: [],
    uploads: 5,
    requests: 9,
    failedRequests: 1,
    mistake: { rows: 10, restored: 5, removed: 3, kept: 2 },
    clockMs: plan.endsAtMs,
    elapsedMs: 90_000,
    interruption: undefined,
    differences: [],
    ...changes,
  };
}

test('summarizes a race that was played to its end', () => {
  expect(summaryOf(race())).toMatchInlineSnapshot(`
    "The race is over: 01:14:35 of its clock in 90 s.

      runners   12 finished, 0 DNF, 0 DNS, 0 DSQ
      rows      11 new, 1 updated, 0 duplicates, 0 not found, 0 errors
      uploads   5; 9 requests, 0.1 a second, 1 of them failed
      mistake   10 wrong rows uploaded and taken back: 5 restored, 3 removed, 2 replaced since

    All 12 results are stored as they were sent."
  `);
});

test('shows the race clock of a stopped race', () => {
  const stored = new Map([...race().stored].slice(0, 3));
  const interruption = new Error('Ctrl-C');
  const summary = summaryOf(race({ stored, interruption, clockMs: 1_800_000 }));
  expect(summary).toMatch(/^Stopped at 00:30:00 of \d\d:\d\d:\d\d: Ctrl-C\n/);
  expect(summary).toContain('3 finished');
  expect(summary).toMatch(/confirmed 3 results by then\.$/);
});

test('names the first ten rows that did not load', () => {
  const rejections = entrants.map(({ bib }) => ({ bib, reason: 'No such bib.' }));
  const summary = summaryOf(race({ rejections }));
  expect(summary).toContain('  bib 1: No such bib.\n');
  expect(summary).toContain('  bib 10: No such bib.\n  and 2 more\n');
});

test('ends with the differences', () => {
  const differences = [{ bib: '7', what: 'FINISHED was not loaded' }];
  const summary = summaryOf(race({ differences }));
  expect(summary).toMatch(/differ from those that were sent:\n {2}bib 7: FINISHED was not loaded$/);
  expect(summary).not.toContain('All 12');
});
