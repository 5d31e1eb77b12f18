import { kmOfPoint } from '../../timing-files/read/point.ts';
import { offsetOf } from '../../timing-files/read/race-clock.ts';
import { following } from '../db/statement.ts';
import { ApiError, changedMeanwhile, invalid } from '../errors.ts';
import type { EventStart } from '../events/answer-schemas.ts';
import { changing, type Outcome } from '../events/changing.ts';
import { type Asked, endpoint } from '../http/endpoint.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { beforeActing } from '../results/acts.ts';
import { findEventOf, type SenderKind } from '../results/sender.ts';
import { writing } from '../results/upload/before-writing.ts';
import type { EventPoints, EventStarts, EventStartsStored } from './answer-schemas.ts';
import {
  countWithoutStart,
  findPoints,
  findStarts,
  lockSettings,
  makeSettings,
} from './queries.ts';
import { replacePoints, replaceStarts } from './replace-list.ts';
import { PointsIn, StartsIn, StartsQuery } from './schemas.ts';
import { shiftStart } from './shift-start.ts';

/** The starts of an event. */
export const readingStarts = (by: SenderKind) =>
  endpoint({
    weight: 'light',
    param: EventPath,
    statements: ({ param: { event_id: eventId } }) => [findStarts[by]({ eventId })],
    answer: ([[found]], { c }) => {
      if (!found) throw eventNotFound();
      const answer: EventStarts = { version: found.version, starts: found.told };
      return c.json(answer);
    },
  });

export const replacingStarts = (by: SenderKind) =>
  changing({
    weight: 'heavy',
    param: EventPath,
    query: StartsQuery,
    body: StartsIn,
    statements: ({ param: { event_id: eventId } }) => [findStarts[by]({ eventId })],
    async write([[found]], { c, run, param: { event_id: eventId }, query, body }) {
      if (!found) throw eventNotFound();
      const shift =
        query.shift === 'true' ? shiftBetween(found, body, query.dry_run === 'true') : undefined;
      const items = body.starts.map((start) => ({
        ...start,
        utc_offset_minutes: offsetMinutesOf(start.starts_at),
      }));
      if (shift) return shiftStarts(shift, { c, run, eventId, body, by });
      const change = { eventId, version: body.version, items: JSON.stringify(items) };
      const [[replaced], [uncovered]] = await run(
        following(
          [makeSettings[by]({ eventId }), lockSettings({ eventId })],
          replaceStarts[by](change),
        ),
        countWithoutStart[by]({ eventId }),
      );
      if (!replaced) throw eventNotFound();
      if (!replaced.is_as_sent) throw staleVersion('starts', body.version, replaced.version);
      const answer: EventStartsStored = {
        version: replaced.version,
        starts: replaced.told,
        runners_without_start: uncovered?.total ?? 0,
        shift: null,
      };
      return { answer: c.json(answer) };
    },
  });

/** The offset at the end of an RFC 3339 instant; null for `Z`. */
function offsetMinutesOf(instant: string): number | null {
  const offsetMs = offsetOf(instant);
  return offsetMs === undefined ? null : offsetMs / 60_000;
}

/**
 * Moves a start and the times since its gun, or counts them.
 * @throws ApiError VALIDATION_ERROR, NOT_FOUND
 */
async function shiftStarts(
  shift: NonNullable<ReturnType<typeof shiftBetween>>,
  { c, run, eventId, body, by }: Shifting,
): Promise<Outcome> {
  const [[moved], [stored], [uncovered]] = await run(
    writing(
      [...beforeActing(eventId, by), makeSettings[by]({ eventId }), lockSettings({ eventId })],
      shiftStart[by]({ eventId, version: body.version, ...shift }),
    ),
    findStarts[by]({ eventId }),
    countWithoutStart[by]({ eventId }),
  );
  if (!moved || !stored) throw eventNotFound();
  const { version, impossible, ...counts } = moved;
  if (version !== body.version) throw staleVersion('starts', body.version, version);
  if (impossible.length > 0) throw impossibleShift(impossible);
  const isDry = shift.isDry === true;
  const batchId = isDry ? null : shift.batchId;
  const answer: EventStartsStored = {
    version: stored.version,
    starts: stored.told,
    runners_without_start: uncovered?.total ?? 0,
    shift: { ...counts, batch_id: batchId, dry_run: isDry, seconds: shift.laterMs / 1_000 },
  };
  return {
    answer: c.json(answer),
    logged: { ...(batchId && { batch_id: batchId }), rows: moved.results + moved.passings },
    isChanged: !isDry,
  };
}

type Shifting = Pick<Asked<unknown>, 'c' | 'run'> & {
  eventId: string;
  body: StartsIn;
  by: SenderKind;
};

/**
 * The one start that a change moves.
 * @returns undefined if the starts are as they were sent: the same request came before
 * @throws ApiError VALIDATION_ERROR if the change is another one
 */
function shiftBetween(
  { version, told }: { version: number; told: readonly EventStart[] },
  { version: sentVersion, starts }: StartsIn,
  isDry: boolean,
) {
  const claimOf = ({ starts_at: _, ...claim }: EventStart | StartsIn['starts'][number]) =>
    JSON.stringify([claim.name, claim.distance, claim.bib_from, claim.bib_to]);
  const laterMs = starts.map(
    ({ starts_at }, at) => Date.parse(starts_at) - Date.parse(told[at]?.starts_at ?? ''),
  );
  const moved = laterMs.flatMap((ms, at) => (ms === 0 ? [] : [at]));
  const areSame =
    starts.length === told.length &&
    starts.every((start, at) => told[at] && claimOf(start) === claimOf(told[at]));
  if (areSame && moved.length === 0) return undefined;
  if (version !== sentVersion) throw staleVersion('starts', sentVersion, version);
  const [at = -1, another] = moved;
  const start = starts[at];
  if (!areSame || !start || another !== undefined) throw notOneShift();
  return {
    ordinal: at + 1,
    startsAt: start.starts_at,
    offsetMinutes: offsetMinutesOf(start.starts_at),
    laterMs: laterMs[at] ?? 0,
    batchId: crypto.randomUUID(),
    ...(isDry && { isDry: true as const }),
  };
}

export const notOneShift = () =>
  invalid(
    'invalid_input',
    'shift=true moves one start: send the starts as you read them, with another starts_at of one start.',
    { inputs: ['starts'] },
  );

export const impossibleShift = (bibs: readonly string[]) =>
  new ApiError(
    'VALIDATION_ERROR',
    'Nothing was moved: times of these bibs would be zero or less, or a gun time below its chip time: ' +
      `${bibs.join(', ')}.`,
    { status: 409, refusal: 'not_confirmed', values: { case: 'times', bibs }, count: bibs.length },
  );

const staleVersion = (what: string, sent: number, current: number) =>
  changedMeanwhile(
    `The ${what} have version ${current}, and the request changes version ${sent}. Read the ${what} again, make the ` +
      'change there, and send the version that was read.',
  );

/** The points of an event: as sent, or else derived from the passings. */
export const readingPoints = (by: SenderKind) =>
  endpoint({
    weight: 'heavy',
    param: EventPath,
    statements: ({ param: { event_id: eventId } }) => [findPoints[by]({ eventId })],
    answer: ([[found]], { c }) => {
      if (!found) throw eventNotFound();
      const { version, told, seen } = found;
      const derived = seen.map(({ name }, index) => ({
        name,
        distance: null,
        order: index + 1,
        km: kmOfPoint(name) ?? null,
      }));
      const answer: EventPoints = { version, points: told.length > 0 ? told : derived };
      return c.json(answer);
    },
  });

export const replacingPoints = (by: SenderKind) =>
  changing({
    weight: 'light',
    param: EventPath,
    body: PointsIn,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async write([[event]], { c, run, param: { event_id: eventId }, body }) {
      if (!event) throw eventNotFound();
      const items = body.points
        .map(({ order, km, ...point }) => ({
          ...point,
          course_order: order,
          km: km ?? kmOfPoint(point.name) ?? null,
        }))
        .sort((point, other) => point.course_order - other.course_order);
      const change = { eventId, version: body.version, items: JSON.stringify(items) };
      const [[replaced]] = await run(
        following(
          [makeSettings[by]({ eventId }), lockSettings({ eventId })],
          replacePoints[by](change),
        ),
      );
      if (!replaced) throw eventNotFound();
      if (!replaced.is_as_sent) throw staleVersion('points', body.version, replaced.version);
      const answer: EventPoints = { version: replaced.version, points: replaced.told };
      return { answer: c.json(answer) };
    },
  });
