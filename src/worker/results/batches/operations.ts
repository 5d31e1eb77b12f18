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

describeFields(ReasonQuery(), {
  reason: {
    description: `Why, in one line of at most ${REASON_MAX} characters. Name no person: the runner’s card on the live board shows it to everybody.`,
    maxLength: REASON_MAX,
    pattern: ONE_LINE,
    examples: ['Bib swapped'],
  },
});

describeFields(RevertQuery(), {
  dry_run: {
    ...DRY_RUN,
    description: '`true` answers what a revert would do and writes nothing.',
  },
});

describeFields(BatchesQuery(), {
  by_hand: {
    ...DRY_RUN,
    description: '`true` lists only what a person decided, `false` only the others.',
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
  reason: {
    description: `Why, in one line of at most ${REASON_MAX} characters. Name no person: the runner’s card on the live board shows it to everybody.`,
    maxLength: REASON_MAX,
    pattern: ONE_LINE,
    examples: ['Bibs mixed up'],
  },
  dry_run: {
    description: 'True answers what the swap would do and writes nothing.',
    examples: [true],
  },
});

export const resultBatchProse: KeyProseOf<typeof batchPairs> = {
  listResultBatches: {
    tag: 'Upload history',
    summary: 'List uploads',
    description:
      'Lists the uploads, reverts and deletions of an event with their counts. The one that took effect last comes ' +
      'first: batches that are taken back in this order leave what was there before them.',
    answer: { status: 200, description: 'A page of batches.', listOf: ResultBatch },
  },
  listResultBatchChanges: {
    tag: 'Upload history',
    summary: 'List what an upload changed',
    description: `
Lists the results that a batch created, replaced or took away, by bib. A row that equalled the stored result
changed nothing, so it is not listed.`.trim(),
    answer: { status: 200, description: 'A page of changes.', listOf: ResultChange },
  },
  listEventResultVersions: {
    tag: 'Results',
    summary: "Read a result's history",
    description: `
Lists the versions of the result of one bib, the first one first: what it said, when and by which key or user it was
made, from which file, and why. Version n replaced version n - 1. A version without a \`result\` took it away. The next
version takes one back if its \`reverts\` is this one's \`batch_id\`.`.trim(),
    answer: { status: 200, description: 'A page of versions.', listOf: ResultVersion },
  },
  revertResultBatch: {
    tag: 'Upload history',
    summary: 'Take an upload back',
    description: `
Undoes a batch: each result that it replaced becomes what it was before, and each result that it created
disappears. A result that a later batch has replaced is left alone and listed in \`kept_rows\`.

All of it happens in one transaction. Positions are right at once. A second call changes nothing. The revert
is a batch of its own, and it can be reverted too. With \`dry_run=true\` the answer says what would happen.`.trim(),
    answer: { status: 200, description: 'What the revert did.', schema: ResultBatchReversal },
    errors: {
      400: { dryRun: 'dry_run: expected true or false, not "yes".' },
      409: { swapped: changedSinceSwap().message },
    },
  },
  swapEventResults: {
    tag: 'Results',
    summary: 'Swap two results',
    description: `
Gives each of two runners the whole result of the other one: status, times, splits and passings. Two bibs were mixed up
at the start, or one runner wore both. A runner without a result gets that of the other one, who then has none.

The swap is a batch of its own. \`revertResultBatch\` with its \`batch_id\` swaps back, unless a result or a passing of
the two has changed since: then it is 409 and nothing changes. A second call swaps again, so the client does not repeat
it. With \`dry_run\` the answer says what would happen.`.trim(),
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
Takes the result of one bib away: a bib that was misread, whose runner is still on the course. The deletion
is a batch of its own. \`revertResultBatch\` with its \`batch_id\` brings the result back.`.trim(),
    answer: { status: 200, description: 'The deleted result.', schema: ResultDeletion },
  },
};
