import type { ResultBatch, ResultBatchReversal } from '../../../client/index.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { bibOf } from '../../queue/item.ts';
import { deliver } from '../../queue/queue.ts';
import { isHeld } from '../../queue/record.ts';
import { loadState, tally } from '../../queue/state.ts';
import { localTime, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { sourceOf } from '../senders.ts';

/**
 * Takes a batch back: says what would happen, asks, does it. The latest upload is the preset. A repeated call
 * changes nothing, so one that was cut is repeated.
 */
export async function undo(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { eventId } = settings;
  const batch = await findBatch(context);
  const trial = await client.revertResultBatch(eventId, batch.id, { dryRun: true, signal });
  const at = localTime(batch.received_at);
  const what = { id: batch.id, at, source: sourceOf(batch), rows: batch.total_processed };
  const effect = effectOf(trial);
  const key = effect === '' ? 'undo_nothing' : 'undo_trial';
  const text = say(key, { ...what, effect, kept: keptText(trial) }).trimEnd();
  if (effect === '') {
    output.answer('undo', { ...trial }, text);
    return EXIT.done;
  }
  output.progress('dry_run', { ...trial }, text);
  await prompter.requireYes(say('ask_undo'), settings.isYes);
  const done = await client.revertResultBatch(eventId, batch.id, { signal });
  const group = done.batch_id;
  output.answer('undo', { ...done }, say('undo', { effect: effectOf(done), id: group ?? '-' }));
  const { known } = await deliver(context, { type: 'compare', isResend: false });
  const bibs = [...known].flatMap(([key, one]) =>
    isHeld(one) && one.taken?.batch === group ? [bibOf(key)] : [],
  );
  const [bib] = bibs;
  if (bib !== undefined) output.warning('still_held', { bibs, bib });
  return EXIT.done;
}

/** Sends again what the watched files say and the API does not hold, also what was taken back. */
export async function resend(context: Context): Promise<ExitCode> {
  const { settings, output, prompter } = context;
  const { state } = await loadState(settings.stateDir, settings.eventId);
  const count = tally(state).results;
  if (count === 0) throw failure(EXIT.usage, 'nothing_to_resend');
  await prompter.requireYes(say('ask_resend', { count }), settings.isYes);
  const entry = { type: 'compare' as const, isResend: true };
  const { results, stored } = tally(await deliver(context, entry));
  output.answer('resend', { stored, results });
  return EXIT.done;
}

async function findBatch({ settings, client, signal }: Context): Promise<ResultBatch> {
  const { eventId, operand } = settings;
  if (settings.operands.length > 0 && operand.trim() === '') {
    throw failure(EXIT.usage, 'undo_id');
  }
  const found: ResultBatch[] = [];
  for await (const batch of client.listResultBatches(eventId, {}, { signal })) {
    const { id, source, reverted_at, uploaded, updated, removed, unchanged } = batch;
    const changed = uploaded + updated + removed - unchanged;
    const isUpload = source !== 'revert' && reverted_at === null && changed > 0;
    if (operand === '' && isUpload) return batch;
    // The first characters of an id are enough, as long as one batch has them.
    if (operand !== '' && id.startsWith(operand.toLowerCase())) found.push(batch);
  }
  const [batch] = found;
  if (batch && found.length === 1) return batch;
  if (operand === '') throw failure(EXIT.usage, 'no_upload_to_undo');
  const key = batch ? 'batch_ambiguous' : 'batch_unknown';
  throw failure(EXIT.usage, key, { count: found.length, operand });
}

/** `2 results restored to before, 1 result removed`: only what happens. Blank if nothing does. */
const effectOf = ({ restored, removed, reinstated }: ResultBatchReversal): string =>
  [
    restored > 0 ? say('undo_restores', { restored }) : '',
    removed > 0 ? say('undo_removes', { removed }) : '',
    reinstated > 0 ? say('undo_reinstates', { reinstated }) : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

const keptText = ({ kept, kept_rows }: ResultBatchReversal): string =>
  kept === 0
    ? ''
    : say('undo_keeps', { kept, bibs: kept_rows.map(({ bib_number }) => bib_number ?? '-') });
