import type { ResultBatch, ResultBatchReversal } from '../../../client/index.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { heldBibs } from '../../queue/state.ts';
import { named, results, rows, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { localTime } from '../output.ts';
import { sourceOf } from './log.ts';

/**
 * Takes a batch back: says what would happen, asks, does it. The latest upload is the preset. A repeated call
 * changes nothing, so one that was cut is repeated.
 */
export async function undo(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { eventId } = settings;
  const batch = await findBatch(context);
  const trial = await client.revertResultBatch(eventId, batch.id, { dryRun: true, signal });
  const what = `${say('batch_2')} ${batch.id}, ${localTime(batch.received_at)}, ${sourceOf(batch)}`;
  const { restored, removed, reinstated } = trial;
  if (restored + removed + reinstated === 0) {
    const none = say('there_is_nothing_to_take');
    output.answer({ type: 'undo', ...trial }, `${what}: ${none} ${keptText(trial)}`.trim());
    return EXIT.done;
  }
  const after = say('after_taking_it_back');
  output.progress(
    { type: 'dry_run', ...trial },
    `${what}, ${rows(batch.total_processed)}. ${after}: ${effect(trial)}. ${keptText(trial)}`.trim(),
  );
  const nothing = say('nothing_was_taken_back');
  if (!settings.isYes && !prompter.canAsk) {
    throw new CliError(EXIT.usage, `${nothing} ${say('add_yes_to_do_it')}`);
  }
  if (!settings.isYes && !(await prompter.confirm(say('take_it_back')))) {
    output.warning({ type: 'undo', batch_id: null }, nothing);
    return EXIT.guard;
  }
  const done = await client.revertResultBatch(eventId, batch.id, { signal });
  // A value that was taken back is not sent again until a file has another value.
  const entry = { type: 'undone' as const, group: done.batch_id };
  const { state, waiting } = await deliver(settings, entry, [], signal);
  const held = heldBibs(state).filter((bib) => state.decisions.get(bib)?.group === done.batch_id);
  if (held.length > 0) {
    output.warning(
      { type: 'still_held', bibs: held },
      say('still_held_so_that_no', { bibs: named(held) }),
    );
  }
  const later = waiting === undefined ? '' : ` ${say('not_compared_yet')}: ${waiting}.`;
  const back =
    done.batch_id === null
      ? ''
      : ` ${say('to_take_this_back')}: race-results undo ${done.batch_id}.`;
  output.answer(
    { type: 'undo', ...done },
    say('done_watch_sends_these_rows', { effect: effect(done), back, later }),
  );
  return EXIT.done;
}

async function findBatch({ settings, client, signal }: Context): Promise<ResultBatch> {
  const { eventId, operand } = settings;
  const batches = client.listResultBatches(eventId, {}, { signal });
  if (operand === '') {
    for await (const batch of batches) {
      const { source, reverted_at, uploaded, updated, unchanged } = batch;
      const hasStored = uploaded + updated > unchanged;
      if (source !== 'revert' && reverted_at === null && hasStored) return batch;
    }
    throw new CliError(EXIT.usage, say('there_is_no_upload_to'));
  }
  const found: ResultBatch[] = [];
  // The first characters of an id are enough, as long as one batch has them.
  for await (const batch of batches)
    if (batch.id.startsWith(operand.toLowerCase())) found.push(batch);
  const [batch] = found;
  if (batch && found.length === 1) return batch;
  throw new CliError(
    EXIT.usage,
    batch
      ? say('batches_start_with_give_more', { length: found.length, operand })
      : say('there_is_no_batch_in', { operand }),
  );
}

/** `3 earlier results restored, 4 results removed` */
function effect({ restored, removed, reinstated }: ResultBatchReversal): string {
  const parts = [
    restored > 0 ? `${results(restored)} ${say('restored_to_before')}` : '',
    removed > 0 ? `${results(removed)} ${say('removed_2')}` : '',
    reinstated > 0 ? `${results(reinstated)} ${say('brought_back')}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function keptText({ kept, kept_rows }: ResultBatchReversal): string {
  if (kept === 0) return '';
  const bibs = named(kept_rows.map(({ bib_number }) => bib_number ?? '-'));
  return say('came_again_later_and_would', { rows: rows(kept), bibs });
}
