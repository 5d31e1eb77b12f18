import type { ResultBatch, ResultBatchReversal } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { deliver } from '../deliver.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { plural } from '../output.ts';
import { readState } from '../state.ts';
import { localTime, sourceOf } from './log.ts';

/** Takes a batch back: says what would happen, asks, does it. The latest upload is the preset. */
export async function undo(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { eventId } = settings;
  const batch = await findBatch(context);
  const trial = await client.revertResultBatch(eventId, batch.id, { dryRun: true, signal });
  const what = `Batch ${batch.id} of ${localTime(batch.received_at)} from ${sourceOf(batch)}`;
  const { restored, removed, reinstated } = trial;
  if (restored + removed + reinstated === 0) {
    output.answer(
      { type: 'undo', ...trial },
      `${what}: there is nothing to take back. ${keptText(trial)}`.trim(),
    );
    return EXIT.done;
  }
  output.progress(
    { type: 'dry_run', ...trial },
    `${what}, ${plural(batch.total_processed, 'row')}. After taking it back: ${effect(trial)}. ${keptText(trial)}`.trim(),
  );
  if (!settings.isYes && !prompter.canAsk) {
    throw new CliError(
      EXIT.usage,
      'Nothing was taken back, for there is no terminal to ask. Add --yes to do it.',
    );
  }
  if (!settings.isYes && !(await prompter.confirm('Take it back?'))) {
    output.warning({ type: 'undo', batch_id: null }, 'Nothing was taken back.');
    return EXIT.guard;
  }
  const bibs: string[] = [];
  for await (const { bib_number, replaced_by } of client.listResultBatchChanges(
    eventId,
    batch.id,
    {},
    { signal },
  )) {
    if (replaced_by === null && bib_number !== null) bibs.push(bib_number);
  }
  // First: a running watch must not find the results gone and send them again.
  await deliver(context, { type: 'undone', batch: batch.id, bibs });
  const done = await client.revertResultBatch(eventId, batch.id, { signal });
  const { held } = await readState(settings.stateDir);
  const stillHeld = bibs.filter((bib) => held.has(bib));
  if (stillHeld.length > 0) {
    output.warning(
      { type: 'still_held', bibs: stillHeld },
      `Still held, so that no file changes them: bib ${stillHeld.join(', ')}. \`race-results release BIB\` ends a hold.`,
    );
  }
  output.answer(
    { type: 'undo', ...done },
    `Done: ${effect(done)}. Watch sends these rows again only if they change in the file; send sends them at once.` +
      (done.batch_id === null ? '' : ` To take this back: race-results undo ${done.batch_id}`),
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
    throw new CliError(
      EXIT.usage,
      'There is no upload to take back: `race-results log` lists them all.',
    );
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
      ? `${found.length} batches start with ${operand}. Give more characters of the id.`
      : `There is no batch ${operand} in this event. \`race-results log\` lists them.`,
  );
}

/** `3 earlier results restored, 4 results removed` */
function effect({ restored, removed, reinstated }: ResultBatchReversal): string {
  const parts = [
    restored > 0 ? `${plural(restored, 'earlier result')} restored` : '',
    removed > 0 ? `${plural(removed, 'result')} removed` : '',
    reinstated > 0 ? `${plural(reinstated, 'removed result')} brought back` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const BIBS_SHOWN = 10;

function keptText({ kept, kept_rows }: ResultBatchReversal): string {
  if (kept === 0) return '';
  const bibs = kept_rows.slice(0, BIBS_SHOWN).map(({ bib_number }) => bib_number ?? '-');
  const more = kept > bibs.length ? ', …' : '';
  return `${plural(kept, 'row')} of it came again later and would stay: bib ${bibs.join(', ')}${more}.`;
}
