import { kmOfPoint } from '../../timing-files/read/point.ts';
import { offsetOf } from '../../timing-files/read/race-clock.ts';
import { changedMeanwhile } from '../errors.ts';
import { endpoint } from '../http/endpoint.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { findEventOf, type SenderKind } from '../results/sender.ts';
import type { EventPoints, EventStarts, EventStartsStored } from './answer-schemas.ts';
import {
  countWithoutStart,
  findPoints,
  findStarts,
  lockSettings,
  makeSettings,
  replacePoints,
  replaceStarts,
} from './queries.ts';
import { PointsIn, StartsIn } from './schemas.ts';

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
  endpoint({
    weight: 'heavy',
    param: EventPath,
    body: StartsIn,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async answer([[event]], { c, run, param: { event_id: eventId }, body }) {
      if (!event) throw eventNotFound();
      const items = body.starts.map((start) => ({
        ...start,
        utc_offset_minutes: offsetMinutesOf(start.starts_at),
      }));
      const change = { eventId, version: body.version, items: JSON.stringify(items) };
      const [, , [replaced], [uncovered]] = await run(
        makeSettings[by]({ eventId }),
        lockSettings({ eventId }),
        replaceStarts[by](change),
        countWithoutStart[by]({ eventId }),
      );
      if (!replaced) throw eventNotFound();
      if (!replaced.is_as_sent) throw staleVersion('starts', body.version, replaced.version);
      c.executionCtx.waitUntil(c.get('services').purgeBoard(eventId));
      const answer: EventStartsStored = {
        version: replaced.version,
        starts: replaced.told,
        runners_without_start: uncovered?.total ?? 0,
      };
      return c.json(answer);
    },
  });

/** The offset at the end of an RFC 3339 instant; null for `Z`. */
function offsetMinutesOf(instant: string): number | null {
  const offsetMs = offsetOf(instant);
  return offsetMs === undefined ? null : offsetMs / 60_000;
}

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
      const derived = seen.map(({ name }, place) => ({
        name,
        distance: null,
        order: place + 1,
        km: kmOfPoint(name) ?? null,
      }));
      const answer: EventPoints = { version, points: told.length > 0 ? told : derived };
      return c.json(answer);
    },
  });

export const replacingPoints = (by: SenderKind) =>
  endpoint({
    weight: 'light',
    param: EventPath,
    body: PointsIn,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async answer([[event]], { c, run, param: { event_id: eventId }, body }) {
      if (!event) throw eventNotFound();
      const items = body.points
        .map(({ order, km, ...point }) => ({
          ...point,
          course_order: order,
          km: km ?? kmOfPoint(point.name) ?? null,
        }))
        .sort((point, other) => point.course_order - other.course_order);
      const change = { eventId, version: body.version, items: JSON.stringify(items) };
      const [, , [replaced]] = await run(
        makeSettings[by]({ eventId }),
        lockSettings({ eventId }),
        replacePoints[by](change),
      );
      if (!replaced) throw eventNotFound();
      if (!replaced.is_as_sent) throw staleVersion('points', body.version, replaced.version);
      c.executionCtx.waitUntil(c.get('services').purgeBoard(eventId));
      const answer: EventPoints = { version: replaced.version, points: replaced.told };
      return c.json(answer);
    },
  });
