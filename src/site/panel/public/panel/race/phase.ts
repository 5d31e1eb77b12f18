import type { OrganizationEvent } from '../../../../../worker/events/panel-answer-schemas.ts';
import type { OrganizationResultBatch as Batch } from '../../../../../worker/results/batches/answer-schemas.ts';
import type { OfficialResults } from '../../../../../worker/results/official/answer-schemas.ts';

type RaceState = 'before' | 'waiting' | 'live' | 'quiet' | 'over';

/** Results arrive every few seconds in a race. A race is live while the latest upload is this recent. */
const LIVE_MS = 5 * 60_000;
/** A race runs this long, or results still come from its timing. */
export const RUNS_MS = 6 * 60 * 60_000;
/** Results of a program that still come so late are a repair, or a race of several days. */
const LONGEST_MS = 15 * 60 * 60_000;
/** Runners may be on the course for a day after the first start. */
const DAY_MS = 24 * 60 * 60_000;

/** What the state of a race depends on. */
export type StateFacts = Pick<
  OrganizationEvent,
  'event_date' | 'first_start_at' | 'total_results' | 'latest_batch'
>;

/** The date of the event stands in for missing starts. */
const startsAt = ({ event_date, first_start_at }: StateFacts) =>
  Date.parse(first_start_at ?? event_date);

/** Whether runners of the race may be on the course. */
export function mayRun(race: StateFacts): boolean {
  const passedMs = Date.now() - startsAt(race);
  return passedMs >= 0 && passedMs < DAY_MS;
}

/** The state of a race. */
export function stateOf(race: StateFacts): RaceState {
  const { total_results, latest_batch } = race;
  const isRecent = latest_batch && Date.now() - Date.parse(latest_batch.received_at) < LIVE_MS;
  const passedMs = Date.now() - startsAt(race);
  const isOld = passedMs > RUNS_MS;
  // A correction of yesterday's race does not make the race run.
  if (isRecent && passedMs < LONGEST_MS && !(isOld && isByHand(latest_batch))) return 'live';
  if (total_results > 0) return isOld ? 'over' : 'quiet';
  return startsAt(race) > Date.now() ? 'before' : 'waiting';
}

/** In the panel only a correction of a single result has no file. */
export const kindOf = ({ source, user_id }: Pick<Batch, 'source'> & { user_id?: string | null }) =>
  source === 'json' && user_id ? 'correction' : source;

/** Whether a person changed stored results: no file and no program sent results. */
const isByHand = (batch: Pick<Batch, 'source' | 'is_swap'> & { user_id?: string | null }) =>
  batch.is_swap || ['correction', 'delete', 'revert'].includes(kindOf(batch));

type RaceFacts = StateFacts & Pick<OrganizationEvent, 'board_enabled' | 'paid_inscriptions'>;

/**
 * The step of an organizer that a race offers first: the board and the starts before the race, the files during the
 * race, and the official results after the race. Undefined if nothing is to do now.
 * @param last the last official version: null without a version, undefined before the loading
 */
export function nextStepOf(
  race: RaceFacts,
  last: Pick<OfficialResults, 'state'> | null | undefined,
): 'board' | 'starts' | 'send' | 'official' | undefined {
  const { paid_inscriptions: registered, total_results: results } = race;
  if (registered === 0 && results === 0) return undefined;
  const state = stateOf(race);
  if (state === 'before' && !race.board_enabled) return 'board';
  if (state === 'before' && race.first_start_at === null) return 'starts';
  if (state === 'before') return undefined;
  if (state !== 'over' && !(state === 'quiet' && results >= registered)) return 'send';
  return last === undefined || last?.state === 'official' ? undefined : 'official';
}
