import { type MemberEnv, requireManager } from '../auth/panel/require-manager.ts';
import { findManagedEvent, managedEventId } from '../events/panel-queries.ts';
import { answerExport } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { onlyKnown } from '../http/known-inputs.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { polled } from '../http/revalidation.ts';
import { eventNotFound, eventPath, query } from '../http/validation.ts';
import { listBatchesOf } from './batches/queries.ts';
import { revertBatchAsMember } from './batches/revert.ts';
import { answerReversal, batchPath } from './batches/routes.ts';
import { RevertQuery } from './batches/schemas.ts';
import { exportResultsOf, resultsFile } from './read/export.ts';
import { beforeWriting } from './upload/store.ts';

const listBatches = listBatchesOf(managedEventId);
const exportResults = exportResultsOf(managedEventId);

/** The results of an event and their uploads, from the organization's panel. */
export const organizationResultRoutes = new Hono<MemberEnv>()

  .get('/results/export', polled, requireManager, eventPath, (c) => {
    const { event_id: eventId } = c.req.valid('param');
    const { userId, run } = c.var.member;
    return answerExport(c, {
      owner: userId,
      run,
      event: findManagedEvent({ eventId }),
      rows: exportResults({ eventId }),
      ...resultsFile(),
    });
  })

  .get('/result-batches', requireManager, query(PageQuery), eventPath, async (c) => {
    const page = c.req.valid('query');
    const { event_id: eventId } = c.req.valid('param');
    const [pages] = await c.var.member.run(listBatches({ eventId, ...limits(page) }));
    return answerPage(c, pages, page, rowsOf);
  })

  .post(
    '/result-batches/:batch_id/revert',
    requireManager,
    onlyKnown({ query: RevertQuery }),
    query(RevertQuery),
    batchPath,
    async (c) => {
      const { member } = c.var;
      const { event_id: eventId, batch_id: batchId } = c.req.valid('param');
      const isDryRun = c.req.valid('query').dry_run === 'true';
      const [[event], , , [reversal]] = await member.run(
        findManagedEvent({ eventId }),
        ...beforeWriting(),
        revertBatchAsMember({ eventId, batchId }, isDryRun),
      );
      if (!event) throw eventNotFound();
      return answerReversal(c, eventId, reversal);
    },
  );
