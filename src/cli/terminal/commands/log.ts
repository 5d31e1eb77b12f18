import type { ResultBatch } from '../../../client/index.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { table } from '../output.ts';
import { senderOf, sourceOf } from '../senders.ts';

const SHOWN = 50;

/** Lists the batches of the event, newest first, from every sender. */
export async function log({ settings, client, output, signal }: Context): Promise<ExitCode> {
  const { eventId, isJson } = settings;
  const file = settings.text('file');
  const lines: string[][] = [];
  const most = file ? Number.POSITIVE_INFINITY : SHOWN;
  for await (const batch of client.listResultBatches(eventId, { page_size: 100 }, { signal })) {
    if (file !== undefined && !batch.file_name?.includes(file)) continue;
    if (lines.length === most) {
      output.progress('log_has_more');
      break;
    }
    if (isJson) output.answer('batch', { ...batch }, '');
    lines.push(batchLine(batch));
  }
  if (isJson) return EXIT.done;
  if (lines.length === 0) output.answer('log_empty');
  else output.answer('log', {}, table(say('log_columns'), lines));
  return EXIT.done;
}

const batchLine = (batch: ResultBatch): string[] => {
  const changed = batch.updated - batch.unchanged;
  const failed = batch.not_found + batch.errors;
  return [
    batch.id.slice(0, 8),
    localTime(batch.received_at),
    senderOf(batch),
    sourceOf(batch),
    `${batch.total_processed}`,
    `${batch.uploaded}`,
    `${changed}`,
    `${batch.unchanged}`,
    `${batch.removed}`,
    `${batch.left}`,
    `${failed}`,
    batch.reverted_at ? say('log_undone', { at: localTime(batch.reverted_at) }) : '',
  ];
};
