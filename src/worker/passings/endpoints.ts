import { clockWarnings } from '../../timing-files/judge/clocks.ts';
import { aboutLines } from '../../timing-files/judge/warning.ts';
import { notCompiled, plannedForEvent } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import { notFound } from '../errors.ts';
import { changing } from '../events/changing.ts';
import { endpoint } from '../http/endpoint.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { EventPath } from '../http/validation.ts';
import { beforeActing } from '../results/acts.ts';
import { findEventOf, type SenderKind } from '../results/sender.ts';
import {
  countsOf,
  failuresAmong,
  linesOf,
  streamCounts,
  warningsOf,
} from '../results/upload/answer.ts';
import { writing } from '../results/upload/before-writing.ts';
import { readClocks } from '../results/upload/clocks.ts';
import {
  FILE_BODY,
  JSON_BODY,
  readingFile,
  readingJson,
  readingPreview,
  weightOfJson,
} from '../results/upload/formats.ts';
import { IdempotencyHeader, otherContent, REPLAYED } from '../results/upload/idempotency.ts';
import { compareReadings } from '../results/upload/preview.ts';
import { type AnswerRead, eventGone, type ReadBody, receiving } from '../results/upload/receive.ts';
import { writeRows } from '../results/upload/write.ts';
import type { PassingDeletion, PassingsUploadOut } from './answer-schemas.ts';
import { toPoint } from './answers.ts';
import { type PassingBatch, passingRows, readPassings, tooManyPoints } from './batch.ts';
import { comparePassings } from './compare.ts';
import { countPassings, deletePassings } from './deletion.ts';
import { collectPassings } from './file-rows.ts';
import { previewLeftPassings } from './leave.ts';
import { listPoints } from './list-points.ts';
import { listUploads } from './list-uploads.ts';
import { lockNewPoints } from './lock-new-points.ts';
import { describePassings, leftAmong } from './preview.ts';
import { revertUpload } from './revert-upload.ts';
import {
  PassingDeletionQuery,
  PassingFileQuery,
  PassingsUploadIn,
  PassingsUploadQuery,
  UploadPath,
  UploadRevertQuery,
  UploadsQuery,
} from './schemas.ts';
import { type PassingFacts, storePassings } from './store.ts';

/** Stores the passings of a JSON body. */
export const uploadingPassings = (by: SenderKind) =>
  receiving({
    by,
    weight: weightOfJson,
    query: PassingsUploadQuery,
    header: IdempotencyHeader,
    body: { ...JSON_BODY, schema: PassingsUploadIn },
    read: (asked): ReadBody<PassingsUpload> => readingJson(asked, by, passingRows, readPassings),
    answer: storing(by),
  });

/** Stores the times of a file as passings of a point. */
export const uploadingPassingsFile = (by: SenderKind) =>
  receiving({
    by,
    weight: 'heavy',
    query: PassingFileQuery,
    header: IdempotencyHeader,
    body: FILE_BODY,
    read: (asked) => readingFile(asked, () => collectPassings(asked.query.point)),
    answer: ({ batch, fileName, content }, asked, held) =>
      storing(by)({ batch, facts: { source: 'csv', fileName, ...content } }, asked, held),
  });

/** Shows how a file of a point would be read. */
export const previewingPassingsFile = (by: SenderKind) =>
  receiving({
    by,
    isPersonal: true,
    weight: 'heavy',
    query: PassingFileQuery,
    body: FILE_BODY,
    read: (asked) => readingPreview(asked, by, () => collectPassings(asked.query.point)),
    async answer(read, { c, run, param, query: { point }, asking, race }, held) {
      const eventId = param.event_id;
      const { compared, left } = await compareReadings(
        run,
        read,
        (batch) => comparePassings(eventId, point, batch, by),
        Object.keys(asking).length > 0
          ? (batch) => previewLeftPassings(eventId, batch, asking, by)
          : undefined,
      );
      const answer = await describePassings(read, compared, point, left);
      if (!answer) throw await eventGone(run);
      const sent = { point, rows: read.rows };
      const clocks = race ? await readClocks(run, { eventId, by }, sent) : [];
      answer.warnings.push(...clockWarnings(clocks));
      c.get('logFields').rows = answer.counts.total_processed;
      held.release();
      return c.json(answer);
    },
  });

/** The points of a course with their counts. */
export const listingPoints = (by: SenderKind) =>
  endpoint({
    weight: 'heavy',
    param: EventPath,
    query: PageQuery,
    statements: ({ param: { event_id: eventId }, query }) => [
      following([plannedForEvent()], listPoints[by]({ eventId, ...limits(query) })),
    ],
    answer: ([pages], { c, query }) => answerPage(c, pages, query, ({ rows }) => rows.map(toPoint)),
  });

/** Deletes a point, or counts the passings that a deletion would remove. */
export const deletingPoint = (by: SenderKind) =>
  changing({
    weight: 'heavy',
    param: EventPath,
    query: PassingDeletionQuery,
    statements: ({ param: { event_id: eventId }, query: { point } }) => [
      countPassings[by]({ eventId, point }),
    ],
    async write([[counted]], { c, run, param: { event_id: eventId }, query }) {
      const { point } = query;
      const isDry = query.dry_run === 'true';
      let removed = counted?.total ?? 0;
      let uploadId: string | null = null;
      if (!isDry) {
        const [[deleted]] = await run(
          writing(
            beforeActing(eventId, by),
            deletePassings[by]({ eventId, point, uploadId: crypto.randomUUID() }),
          ),
        );
        if (!deleted) throw await eventGone(run);
        removed = deleted.total;
        uploadId = deleted.upload_id;
      }
      const answer: PassingDeletion = { upload_id: uploadId, point, dry_run: isDry, removed };
      return { answer: c.json(answer), logged: { rows: removed }, isChanged: !isDry };
    },
  });

/** The uploads of passings. */
export const listingUploads = (by: SenderKind) =>
  endpoint({
    weight: 'light',
    param: EventPath,
    query: UploadsQuery,
    statements: ({ param: { event_id: eventId }, query }) => [
      following(
        [notCompiled()],
        listUploads[by]({ eventId, sender: query.sender, ...limits(query) }),
      ),
    ],
    answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
  });

/** Reverts an upload of passings, or shows the effect of a revert. */
export const revertingUpload = (by: SenderKind) =>
  changing({
    weight: 'heavy',
    param: UploadPath,
    query: UploadRevertQuery,
    statements: ({ param: { event_id: eventId } }) => [findEventOf[by]({ eventId })],
    async write(_, { c, run, param: { event_id: eventId, upload_id: uploadId }, query }) {
      const isDry = query.dry_run === 'true';
      const revert = revertUpload[by]({
        eventId,
        uploadId,
        ...(!isDry && { revertId: crypto.randomUUID() }),
      });
      const [[reversal]] = await run(writing(beforeActing(eventId, by), revert));
      if (!reversal) throw uploadNotFound();
      const rows = reversal.restored + reversal.removed + reversal.reinstated;
      return {
        answer: c.json(reversal),
        logged: { rows },
        isChanged: reversal.upload_id !== null,
      };
    },
  });

export const uploadNotFound = () => notFound('This upload');

type PassingsUpload = { batch: PassingBatch; facts: PassingFacts };

/** Writes the rows in a single transaction. */
function storing(by: SenderKind): AnswerRead<PassingsUpload, { sender?: string | undefined }> {
  return async (
    { batch, facts },
    { c, run, param: { event_id: eventId }, query, asking, race, hasStarts },
    held,
  ) => {
    const given = {
      ...facts,
      sender: query.sender ?? null,
      startsVersion: race?.version,
      hasStarts,
    };
    const store = following(
      [lockNewPoints(eventId, batch, by)],
      storePassings(eventId, batch, given, by, asking),
    );
    const stored = await writeRows(run, eventId, batch.loadable, store, by);
    if (!stored) throw await eventGone(run, { race, eventId, by });
    if (!stored.is_same_content) throw otherContent();
    if (stored.is_crowded) throw tooManyPoints();
    if (stored.is_replayed) c.header(...REPLAYED);
    c.get('logFields').rows = batch.total;
    const failures = failuresAmong(batch, stored.missing);
    const left = leftAmong(batch, stored.left_rows);
    const clocks = race ? await readClocks(run, { eventId, by }) : [];
    const counts: Omit<PassingsUploadOut, 'left' | 'failed'> = {
      upload_id: stored.upload_id,
      ...countsOf(batch, stored),
      ...warningsOf(batch, [
        ...aboutLines('dns_with_passing', linesOf(batch, stored.dns_with_passing)),
        ...aboutLines('old_gun', linesOf(batch, stored.old_gun)),
        ...clockWarnings(clocks),
      ]),
    };
    return c.body(streamCounts(counts, left, failures, held), 200, {
      'Content-Type': 'application/json',
    });
  };
}
