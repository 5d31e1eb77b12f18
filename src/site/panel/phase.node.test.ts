import { expect, test } from 'vitest';
import { nextStepOf, stateOf } from './public/panel/race/phase.ts';

const hoursAway = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const race = {
  event_date: hoursAway(24),
  first_start_at: null,
  board_enabled: true,
  paid_inscriptions: 200,
  total_results: 0,
  latest_batch: null,
};
const upload = {
  ...{ source: 'csv' as const, user_id: null, file_name: 'finish.csv', total_processed: 9 },
  ...{ received_at: hoursAway(-1), runners: [], is_swap: false },
};
const started = { ...race, event_date: hoursAway(-3), total_results: 150, latest_batch: upload };
const complete = { ...started, total_results: 200 };
const live = { ...complete, latest_batch: { ...upload, received_at: hoursAway(0) } };
const over = { ...started, event_date: hoursAway(-7) };
const official = { state: 'official' } as const;
const changed = { state: 'changed_since' } as const;

test.each([
  ['nothing without runners', { ...race, paid_inscriptions: 0 }, null, undefined],
  ['the board before the race', { ...race, board_enabled: false }, null, 'board'],
  ['the starts, once the board is on', race, null, 'starts'],
  ['nothing before the gun', { ...race, first_start_at: hoursAway(24) }, null, undefined],
  ['a file after the gun', { ...race, first_start_at: hoursAway(-1) }, null, 'send'],
  ['a file while runners are out', started, null, 'send'],
  ['a file while results come in', live, null, 'send'],
  ['the official results, once everybody has a result', complete, null, 'official'],
  ['the official results, once the race is long over', over, null, 'official'],
  ['the official results, if the results have changed since', over, changed, 'official'],
  ['nothing after the official results', over, official, undefined],
  ['nothing before the official versions are loaded', over, undefined, undefined],
])('a race offers first %s', (_, facts, last, step) => expect(nextStepOf(facts, last)).toBe(step));

test.each([
  [-10, 'live'],
  [-20, 'over'],
])('results of a program %d hours after the start: the race is %s', (hours, state) =>
  expect(stateOf({ ...live, event_date: hoursAway(hours) })).toBe(state),
);
