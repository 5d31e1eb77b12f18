import { describe, expect, test } from 'vitest';
import { type EventFacts, eventWarnings } from './event-warnings.ts';

const FACTS: EventFacts = {
  eventDate: '2026-09-12T08:00:00Z',
  now: '2026-09-13T07:59:59Z',
  bibs: 100,
  knownBibs: 80,
  storedResults: 100,
  changedResults: 20,
  latestBatchRows: 100,
  rows: 100,
  cancelled: { count: 0, rows: [] },
  reinstated: { count: 0, rows: [] },
  distances: [{ distance: '10K', count: 100, fastestMs: 1_700_000, slowestMs: 5_000_000 }],
};

test('gives no warning for a file that fits its event', () => {
  expect(eventWarnings(FACTS)).toEqual([]);
});

describe('gives a warning', () => {
  const distance = (name: string, fastestMs: number, slowestMs: number) => ({
    distances: [{ distance: name, count: 3, fastestMs, slowestMs }],
  });

  test.each<[string, Partial<EventFacts>, string, RegExp]>([
    ['a later day', { now: '2026-09-13T08:00:00Z' }, 'not_event_day', /09-12T.*09-13T/],
    ['an earlier day', { now: '2026-09-11T08:00:00Z' }, 'not_event_day', /09-12T.*09-11T/],
    ['unknown bibs', { knownBibs: 79 }, 'unknown_bibs', /79 of 100/],
    ['many changes', { changedResults: 21 }, 'many_changes', /21 of 100/],
    ['fewer rows', { rows: 99 }, 'fewer_rows', /99 rows.*100/],
    [
      'cancelled registrations',
      { cancelled: { count: 2, rows: [3, 9] } },
      'cancelled_registration',
      /2 rows/,
    ],
    ['statuses', { reinstated: { count: 1, rows: [4] } }, 'status_would_change', /FINISHED/],
    [
      'a half marathon in 88 seconds',
      distance('Half', 88_000, 130_000),
      'implausible_for_distance',
      /1 min 28 s/,
    ],
    [
      'a 10 km in 41 hours',
      distance('10 km', 1_700_000, 150_600_000),
      'implausible_for_distance',
      /41 h 50 min/,
    ],
  ])('for %s', (_what, facts, code, detail) => {
    expect(eventWarnings({ ...FACTS, ...facts })).toEqual([
      { code, detail: expect.stringMatching(detail), rows: expect.any(Array) },
    ]);
  });
});
