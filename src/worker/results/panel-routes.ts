import { correctionWarnings } from '../../timing-files/judge/correction.ts';
import type { Warning } from '../../timing-files/judge/warning.ts';
import { formatRaceTime, parseRaceTime } from '../../timing-files/read/race-time.ts';
import { type ResultStatus, STATUS_RULES } from '../../timing-files/read/result-status.ts';
import { requireManager } from '../auth/panel/require-manager.ts';
import { plannedForEvent } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import { changedMeanwhile, invalid, notConfirmed } from '../errors.ts';
import { changing } from '../events/changing.ts';
import { findManagedEvent } from '../events/panel-queries.ts';
import type { AppEnv } from '../http/context.ts';
import { exporting } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { limits, pageOf } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { BibPath, EventPath, eventNotFound, runnerNotFound } from '../http/validation.ts';
import { type CorrectedRow, correctResult } from './batches/correction.ts';
import { written } from './batches/endpoints.ts';
import { listOnCourse } from './list-on-course.ts';
import { listRunners } from './list-runners.ts';
import { keepBeside } from './official/keep-beside.ts';
import { toOnCourseRunners } from './on-course.ts';
import type { OnCourse, ResultCorrection, Runners } from './panel-answer-schemas.ts';
import { exportNamedResults, findExportedEvent, namedResultsFile } from './panel-export.ts';
import { toRunner, wantedRunners } from './panel-runners.ts';
import {
  NamedExportQuery,
  OnCourseQuery,
  ResultCorrectionIn,
  RunnerQuery,
} from './panel-schemas.ts';
import { toResultContent } from './result.ts';
import type { StoredResult } from './sql.ts';
import { beforeWriting, writing } from './upload/before-writing.ts';

/** Reads and corrects the results of an event, in the organization's panel. */
export const organizationResultRoutes = new Hono<AppEnv>()

  .get(
    '/results/export',
    polled,
    requireManager('exportOrganizationEventResults', {
      ...exporting({
        query: NamedExportQuery,
        event: findExportedEvent,
        rows: exportNamedResults,
        file: namedResultsFile,
        found: keepBeside,
      }),
      isPersonal: true,
    }),
  )

  .get(
    '/runners',
    requireManager('listOrganizationEventRunners', {
      weight: 'heavy',
      isPersonal: true,
      param: EventPath,
      query: RunnerQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        following(
          [plannedForEvent()],
          listRunners({ eventId, ...wantedRunners(query), ...limits(query) }),
        ),
      ],
      answer: ([pages], { c, query }) => {
        const list = pageOf(c, pages, query, ({ rows }) => rows.map(toRunner));
        const answer: Runners = { ...list, groups: pages[0]?.groups ?? [] };
        return c.json(answer);
      },
    }),
  )

  .get(
    '/on-course',
    requireManager('getOrganizationEventOnCourse', {
      weight: 'heavy',
      isPersonal: true,
      param: EventPath,
      query: OnCourseQuery,
      statements: ({ param: { event_id: eventId }, query }) => [
        following(
          [plannedForEvent()],
          listOnCourse({
            eventId,
            lastPoint: query.last_point,
            distance: query.distance,
            ...limits(query),
          }),
        ),
      ],
      answer: ([pages], { c, query }) => {
        const list = pageOf(c, pages, query, (page) => toOnCourseRunners(page, Date.now()));
        const [found] = pages;
        if (!found) throw eventNotFound();
        const answer: OnCourse = { ...list, progress: found.progress };
        return c.json(answer);
      },
    }),
  )

  .patch(
    '/results/:bib_number',
    requireManager(
      'correctOrganizationEventResult',
      changing({
        weight: 'light',
        param: BibPath,
        body: ResultCorrectionIn,
        statements: (asked) => [
          findManagedEvent({ eventId: asked.param.event_id }),
          writing(
            beforeWriting(1),
            correctResult({ ...correctionOf(asked), isDry: asked.body.confirmed !== true }),
          ),
        ],
        async write([, [first]], { c, param, body, run }) {
          if (!first) throw runnerNotFound();
          if (!first.is_present) throw resultChanged(first);
          if (!first.is_possible) throw impossibleResult(first.after.status);
          let corrected: CorrectedRow | undefined = first;
          if (body.confirmed !== true) {
            const warnings = warningsOf(first);
            if (warnings.length > 0) throw unlikelyResult(warnings);
            const store = correctResult({ ...correctionOf({ param, body }), isDry: false });
            [[corrected]] = await run(writing(beforeWriting(1), store));
            if (!corrected) throw runnerNotFound();
            if (!corrected.is_present) throw resultChanged(corrected);
            if (!corrected.is_possible) throw impossibleResult(corrected.after.status);
          }
          const { batch_id, inscription_id, bib_number, before, after } = corrected;
          const answer: ResultCorrection = {
            batch_id,
            inscription_id,
            bib_number,
            before: before && toResultContent(before),
            after: toResultContent(after),
          };
          return written(c, answer, batch_id === null ? 0 : 1);
        },
      }),
    ),
  );

type AskedCorrection = {
  param: { event_id: string; bib_number: string };
  body: ResultCorrectionIn;
};

const correctionOf = ({
  param: { event_id: eventId, bib_number: bib },
  body,
}: AskedCorrection) => ({
  eventId,
  bib,
  batchId: crypto.randomUUID(),
  reason: body.reason ?? null,
  version: body.version,
  status: body.status,
  chipTimeMs: timeMs(body.chip_time),
  gunTimeMs: timeMs(body.gun_time),
});

/** The arguments against a correction. A correction without a change is not judged. */
function warningsOf({ bib_number, before, after, splits, distance, others }: CorrectedRow) {
  const { status, chip_time_ms: chipTimeMs, gun_time_ms: gunTimeMs } = after;
  const isSame =
    before?.status === status &&
    before.chip_time_ms === chipTimeMs &&
    before.gun_time_ms === gunTimeMs;
  if (isSame) return [];
  const { count, fastest_ms: fastestMs, slowest_ms: slowestMs } = others;
  const result = {
    bib: bib_number,
    status,
    chipTimeMs,
    gunTimeMs,
    hasZeroTime: false,
    splitNames: Object.keys(splits),
    splitTimesMs: Object.values(splits),
  };
  return correctionWarnings(result, {
    distance,
    others: fastestMs === null || slowestMs === null ? null : { count, fastestMs, slowestMs },
  });
}

/** The error for a result that is probably mistyped. */
export const unlikelyResult = (warnings: readonly Warning[]) =>
  notConfirmed(
    `Nothing was stored: ${warnings.map(({ detail }) => detail).join(' ')} ` +
      'Send "confirmed": true to store it as it is.',
    warnings,
  );

/** The error for a result that changed since `version`. */
export function resultChanged({ present, before }: Pick<CorrectedRow, 'present' | 'before'>) {
  const { user_id: userId, key_name: keyName, version = null } = present ?? {};
  const who = userId ? ` by the user ${userId}` : keyName ? ` with the key "${keyName}"` : '';
  const now = before ? outcomeOf(before) : 'no result';
  return changedMeanwhile(
    `Nothing was stored: the result was changed meanwhile${who} to ${now}. Read it again, and send ` +
      `"version": ${JSON.stringify(version)} to correct it as it is now.`,
  );
}

/** A result in a few words. */
const outcomeOf = ({ status, chip_time_ms: chipMs, gun_time_ms: gunMs }: StoredResult) =>
  [
    status,
    chipMs === null ? '' : `chip time ${formatRaceTime(chipMs)}`,
    gunMs === null ? '' : `gun time ${formatRaceTime(gunMs)}`,
  ]
    .filter(Boolean)
    .join(', ');

const timeMs = (time: string | null | undefined): number | null | undefined =>
  typeof time === 'string' ? parseRaceTime(time) : time;

/** The error for a status that contradicts the times. */
export const impossibleResult = (status: ResultStatus) =>
  invalid(
    'invalid_input',
    STATUS_RULES[status].hasPosition
      ? `A result that is ${status} needs a chip time or a gun time. Send one with the status.`
      : `The result is ${status}, so it has no times. Send "status": "FINISHED" with the time.`,
  );
