import { globalRegistry } from 'zod';
import { REASON_MAX } from '../../db/sql.ts';
import { describeFields } from '../../http/documentation.ts';
import { noRunnerWith, ONE_LINE } from '../../http/validation.ts';
import type { KeyProseOf } from '../pair-operations.ts';
import { ReasonQuery } from '../schemas.ts';
import {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
  ResultSwap,
  ResultVersion,
} from './answer-schemas.ts';
import { changedSinceSwap, nothingToSwap } from './endpoints.ts';
import type { batchPairs } from './routes.ts';
import { BatchesQuery, ResultSwapIn, RevertQuery } from './schemas.ts';

/** The form of `true` or `false`. */
export const DRY_RUN = { pattern: '^ *(true|false) *$', examples: ['true'] };

const REASON = {
  description:
    `Why, in one line of at most ${REASON_MAX} characters. Name no person: the runner’s card on the live ` +
    'board shows the reason to everybody.',
  maxLength: REASON_MAX,
  pattern: ONE_LINE,
};

describeFields(ReasonQuery(), { reason: { ...REASON, examples: ['Bib swapped'] } });

describeFields(RevertQuery(), {
  dry_run: {
    ...DRY_RUN,
    description: '`true` previews the revert and writes nothing.',
  },
});

describeFields(BatchesQuery(), {
  by_hand: {
    ...DRY_RUN,
    description: '`true` lists only decisions of a person, `false` all further batches.',
  },
  sender: { description: 'Only batches of this sender.', examples: ['Finish laptop'] },
});

ResultSwapIn().register(globalRegistry, {
  id: 'ResultSwapIn',
  description: 'Two bibs whose results belong to each other.',
});

describeFields(ResultSwapIn(), {
  bib_numbers: {
    description: 'Two different bibs of the event.',
    uniqueItems: true,
    examples: [['17', '18']],
  },
  reason: { ...REASON, examples: ['Bibs mixed up'] },
  dry_run: {
    description: 'True previews the swap and writes nothing.',
    examples: [true],
  },
});

export const resultBatchProse: KeyProseOf<typeof batchPairs> = {
  listResultBatches: {
    tag: 'Upload history',
    summary: 'List uploads',
    description:
      'Lists the uploads, reverts and deletions of an event with their counts. The batch that took effect last comes ' +
      'first: take batches back in this order to return to the results before these batches.',
    answer: { status: 200, description: 'A page of batches.', listOf: ResultBatch },
  },
  listResultBatchChanges: {
    tag: 'Upload history',
    summary: 'List what an upload changed',
    description: `
Lists the results that a batch created, replaced or took away, by bib. The list leaves out rows that equalled the
stored result.`.trim(),
    answer: { status: 200, description: 'A page of changes.', listOf: ResultChange },
  },
  listEventResultVersions: {
    tag: 'Results',
    summary: "Read a result's history",
    description: `
Lists the versions of a bib's result, the oldest version first, with content, time, key or user, file and reason.
Version n replaced version n - 1. A version without a \`result\` took the result away. If the next version has the
\`batch_id\` of a version in \`reverts\`, the next version takes this version back.`.trim(),
    answer: { status: 200, description: 'A page of versions.', listOf: ResultVersion },
  },
  revertResultBatch: {
    tag: 'Upload history',
    summary: 'Take an upload back',
    description: `
Undoes a batch: each replaced result returns to its old content, and each created result disappears. A result that
a later batch has replaced stays, and \`kept_rows\` lists this result.

The revert is one transaction. Positions are right at once. A second call changes nothing. The revert is a
new batch, and you can revert the revert too. With \`dry_run=true\` the answer is a preview.`.trim(),
    answer: { status: 200, description: 'The effect of the revert.', schema: ResultBatchReversal },
    errors: {
      400: { dryRun: 'dry_run: expected true or false, not "yes".' },
      409: { swapped: changedSinceSwap().message },
    },
  },
  swapEventResults: {
    tag: 'Results',
    summary: 'Swap two results',
    description: `
Exchanges the whole results of two runners: status, times, splits and passings. Two bibs were mixed up at the start, or
a runner wore both. If only one runner has a result, this result moves.

The swap is a new batch. \`revertResultBatch\` with its \`batch_id\` swaps back. If a result or a passing of the two
runners has changed since, the answer is 409 and nothing changes. A second call swaps again, so the client does not
repeat the call. With \`dry_run\` the answer is a preview.`.trim(),
    answer: { status: 200, description: 'The two runners.', schema: ResultSwap },
    errors: {
      400: { bibs: 'bib_numbers: expected two different bibs, not ["17","17"].' },
      404: { otherBib: noRunnerWith('nobody').message, nothingToSwap: nothingToSwap().message },
    },
  },
  deleteEventResult: {
    tag: 'Results',
    summary: 'Delete a result',
    description: `
Takes the result of a bib away: somebody misread the bib, and its runner is still on the course. The deletion is
a new batch. \`revertResultBatch\` with its \`batch_id\` brings the result back.`.trim(),
    answer: { status: 200, description: 'The deleted result.', schema: ResultDeletion },
  },
};
