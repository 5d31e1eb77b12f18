import { describe, expect, test } from 'vitest';
import { isOver, openingRace, raceState } from './public/board/race-state.ts';

const HOUR_MS = 3_600_000;
const START = '2026-05-17T08:00:00Z';
const at = (hours: number) => Date.parse(START) + hours * HOUR_MS;

/** The state at some hours after the start; the arrival, the change and the official version too are in hours. */
function stateOf(
  now: number,
  arrived?: number,
  changed = arrived,
  event_date = START,
  made?: number,
  state: 'official' | 'changed_since' = 'official',
) {
  const instant = (hours: number | undefined) =>
    hours === undefined ? null : new Date(at(hours)).toISOString();
  const arrival = {
    bib_number: '1',
    name: null,
    gender: null,
    category: null,
    place: 1,
    time: '01:00:00.000',
    arrived_at: instant(arrived) ?? '',
  };
  const event = {
    name: 'Harbour Half',
    city: 'Port',
    event_date,
    time_zone: null,
    rank_by: 'chip' as const,
    starts: [],
    board_names: 'none' as const,
    board_code: null,
    changed_at: instant(changed),
    has_numeric_bibs: true,
  };
  const official =
    made === undefined
      ? null
      : { version: 1, made_at: new Date(at(made)).toISOString(), state, changes: null };
  return raceState(
    { event, official, races: [{ arrivals: arrived === undefined ? [] : [arrival] }] },
    at(now),
  );
}

describe('the state of a race', () => {
  test.each([
    ['before', -1, undefined, undefined],
    ['waiting', 1, undefined, undefined],
    ['empty', 25, undefined, undefined],
    ['live', 1.05, 1, 1],
    ['quiet', 1.2, 1, 1],
    ['over', 5, 1, 1],
  ])('is %s', (state, now, arrived, changed) => {
    expect(stateOf(now, arrived, changed).state).toBe(state);
  });

  test('is updated and not live when a result is corrected on the next day', () => {
    expect(stateOf(30, 1, 30)).toEqual({ state: 'updated', at: at(30) });
  });

  test('is updated and not live when the file of last week is uploaded today', () => {
    expect(stateOf(170, 170, 170)).toEqual({ state: 'updated', at: at(170) });
  });

  test('is live in a wave that starts hours later, and on a day without a time', () => {
    expect(stateOf(10, 10, 10).state).toBe('live');
    const day = '2026-05-17T00:00:00.000Z';
    expect(stateOf(26, 26, 26, day).state).toBe('live');
    expect(stateOf(40, 40, 40, day).state).toBe('updated');
  });

  test('is over once the results are official, until somebody arrives', () => {
    expect(stateOf(1.05, 1, 1, START, 1.04).state).toBe('over');
    expect(stateOf(1.5, 1, 1.4, START, 1.04)).toEqual({ state: 'updated', at: at(1.4) });
    expect(stateOf(1.3, 1, 1, START, 1.1, 'changed_since').state).toBe('over');
    expect(stateOf(1.05, 1, 1, START, 1.04, 'changed_since').state).toBe('live');
    expect(stateOf(1.07, 1.06, 1.06, START, 1.04).state).toBe('live');
  });

  test('is over once nobody arrives any more', () => {
    const states = ['before', 'waiting', 'live', 'quiet', 'over', 'updated', 'empty'] as const;
    expect(states.filter(isOver)).toEqual(['over', 'updated', 'empty']);
  });
});

describe('the race that a board opens', () => {
  type Told = [distance: string, entered: number, finished: number, passed?: number];
  const raceOf = ([distance, entered, finished, passed = finished]: Told) => ({
    distance,
    entered,
    counts: { FINISHED: finished, DNF: 0, DNS: 0, DSQ: 0 },
    points: [{ point: 'Km 1', order: 1, km: 1, passed, first: [], latest: [], quantiles: [] }],
  });
  const opened = (races: Told[], isOver: boolean) =>
    openingRace(races.map(raceOf), isOver)?.distance;

  test('has the most runners on the course', () => {
    expect(
      opened(
        [
          ['2K', 400, 399],
          ['10K', 800, 500],
          ['21K', 700, 20],
        ],
        false,
      ),
    ).toBe('21K');
  });

  test('has seen a runner, at the finish or at a point', () => {
    expect(
      opened(
        [
          ['2K', 400, 390],
          ['10K', 800, 0],
        ],
        false,
      ),
    ).toBe('2K');
    expect(
      opened(
        [
          ['2K', 400, 390],
          ['10K', 800, 0, 5],
        ],
        false,
      ),
    ).toBe('10K');
  });

  test('is the largest before the first runner, and once the event is over', () => {
    expect(
      opened(
        [
          ['2K', 400, 0],
          ['10K', 800, 0],
        ],
        false,
      ),
    ).toBe('10K');
    expect(
      opened(
        [
          ['2K', 400, 350],
          ['10K', 800, 800],
        ],
        true,
      ),
    ).toBe('10K');
  });
});
