import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const [PACE_MS, TICK_MS, TRIP_MS] = [4_000, 250, 150];
const MEASURED_MS = 600_000;
/** The senders, the official version, the clocks and the points. */
const CHECK_REQUESTS = 4;
const PASSINGS_EVERY = 3;

/**
 * Plays ten minutes of `watch` with an arrival every so often.
 * @returns the requests in a minute, and the longest times between two looks and between an arrival and its upload
 */
function played(arrivalEveryMs: number, tripMs = TRIP_MS) {
  const turns = new Turns({ everyMs: PACE_MS });
  const waiting: number[] = [];
  let nowMs = 0;
  let lookedMs: number | undefined;
  let [requests, looks, lookGapMs, uploadMs, missing, arrivals] = [0, 0, 0, 0, 0, 0];
  for (; nowMs < MEASURED_MS; nowMs += TICK_MS) {
    for (; arrivals * arrivalEveryMs <= nowMs; arrivals++) {
      waiting.push(arrivals * arrivalEveryMs);
      turns.isUrgent = true;
    }
    const turn = turns.begin(nowMs, lookedMs);
    if (!turn) continue;
    let trips = turn.isCheck ? CHECK_REQUESTS : 0;
    if (turn.isLook) {
      trips += looks++ % PASSINGS_EVERY === 0 ? 2 : 1;
      lookGapMs = Math.max(lookGapMs, nowMs - (lookedMs ?? nowMs));
      lookedMs = nowMs + trips * tripMs;
    }
    const isSent = waiting.length > 0;
    if (isSent) {
      trips += 1;
      uploadMs = Math.max(uploadMs, nowMs + trips * tripMs - (waiting[0] ?? nowMs));
      waiting.length = 0;
      turns.storedMs = nowMs + trips * tripMs;
    }
    if (turn.isMissing) missing += 1;
    requests += trips + (turn.isMissing ? 1 : 0);
    nowMs += trips * tripMs;
    turns.answered(turn, { isSent, isMore: false }, nowMs);
  }
  return { perMinute: (requests * 60_000) / MEASURED_MS, lookGapMs, uploadMs, missing };
}

test.each([1_000, 3_000, 4_500, 5_000, 9_000, 60_000])(
  'T08 T13 D01: with an arrival every %i ms, looks within 10 s and needs at most 30 requests a minute',
  (everyMs) => {
    const { perMinute, lookGapMs, uploadMs, missing } = played(everyMs);
    expect(perMinute).toBeLessThanOrEqual(30);
    expect(lookGapMs).toBeLessThanOrEqual(9_000);
    expect(uploadMs).toBeLessThanOrEqual(6_000);
    expect(missing).toBeGreaterThanOrEqual(6);
  },
);

test('sends new rows at once after a pause, and waits as the API says', () => {
  const turns = new Turns({ everyMs: PACE_MS });
  expect(turns.begin(0, undefined)).toEqual({ isLook: true, isMissing: true, isCheck: true });
  turns.unanswered(40_000, 0);
  turns.isUrgent = true;
  expect(turns.begin(39_999, undefined)).toBeUndefined();
  const turn = turns.begin(40_000, undefined);
  expect(turn).toMatchObject({ isLook: true, isCheck: true });
  const nothing = { isLook: false, isMissing: false, isCheck: false };
  turns.answered(turn ?? nothing, { isSent: false, isMore: false }, 40_000);
  expect(turns.begin(40_250, 40_000)).toBeUndefined();
  turns.isUrgent = true;
  expect(turns.begin(40_250, 40_000)).toEqual(nothing);
  // The rows of a further file wait.
  turns.answered(nothing, { isSent: true, isMore: true }, 40_250);
  expect(turns.begin(40_500, 40_000)).toBeUndefined();
  expect(turns.begin(40_750, 40_000)).toBeDefined();
});
