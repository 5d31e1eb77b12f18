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
  splitsRemoved: { count: 0, rows: [] },
  dnsWithPassing: { count: 0, rows: [] },
  oldGun: { count: 0, rows: [] },
  gunTimesRemoved: { count: 0, rows: [] },
  distances: [{ distance: '10K', count: 100, fastestMs: 1_700_000, slowestMs: 5_000_000 }],
  ranking: ranking('chip', {}),
};

type Times = Partial<Record<'chip' | 'gun', { rows?: number[]; isKnown?: boolean }>>;

/** Lines without a time, and whether any finisher has the time. */
function ranking(rankBy: 'chip' | 'gun' | 'gun_overall', { chip, gun }: Times) {
  const timeOf = ({ rows = [], isKnown = true }: Times['chip'] = {}) => ({
    without: { count: rows.length, rows },
    isKnown,
  });
  return { rankBy, chip: timeOf(chip), gun: timeOf(gun) };
}

test('gives no warning for a file that fits its event', () => {
  expect(eventWarnings(FACTS)).toEqual([]);
});

test('takes a time that nobody has for none of an event that never chose a rule', () => {
  const chip = { rows: [4, 5], isKnown: false };
  expect(eventWarnings({ ...FACTS, ranking: ranking('chip', { chip }) })).toEqual([]);
});

test('is silent about a file of times that rank nobody', () => {
  expect(eventWarnings({ ...FACTS, ranking: null })).toEqual([]);
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
    [
      'lost splits',
      { splitsRemoved: { count: 2, rows: [2, 3] } },
      'splits_removed',
      /2 results would/,
    ],
    [
      'lost gun times',
      { gunTimesRemoved: { count: 1, rows: [2] } },
      'gun_times_removed',
      /1 result would/,
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
    [
      'a runner without a chip time',
      { ranking: ranking('chip', { chip: { rows: [4] }, gun: { rows: [5, 6] } }) },
      'rank_time_missing',
      /^1 row has no chip time, by which the event ranks: the gun time ranks instead\.$/,
    ],
    [
      'runners without a gun time, which nobody has yet, where gun times rank',
      { ranking: ranking('gun', { chip: { rows: [4] }, gun: { rows: [5, 6], isKnown: false } }) },
      'rank_time_missing',
      /^2 rows have no gun time, by which the event ranks: the chip time ranks instead\.$/,
    ],
    [
      'a runner without a chip time where categories rank by it',
      { ranking: ranking('gun_overall', { chip: { rows: [4] } }) },
      'rank_time_missing',
      /no chip time, by which the event ranks in categories/,
    ],
  ])('for %s', (_what, facts, code, detail) => {
    expect(eventWarnings({ ...FACTS, ...facts })).toEqual([
      {
        code,
        detail: expect.stringMatching(detail),
        values: expect.any(Object),
        rows: expect.any(Array),
      },
    ]);
  });
});
