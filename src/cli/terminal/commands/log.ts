import type { ResultBatch } from '../../../client/index.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { localTime, table } from '../output.ts';

const SHOWN = 50;

/** Lists the batches of the event, newest first, from every sender. */
export async function log({ settings, client, output, signal }: Context): Promise<ExitCode> {
  const { since, file, isJson } = settings;
  const shown: ResultBatch[] = [];
  const list = client.listResultBatches(settings.eventId, { page_size: 100 }, { signal });
  const most = since || file ? Number.POSITIVE_INFINITY : SHOWN;
  let isMore = false;
  for await (const batch of list) {
    if (since && new Date(batch.received_at) < since) break;
    isMore = shown.length === most;
    if (isMore) break;
    if (file === undefined || batch.file_name?.includes(file)) shown.push(batch);
  }
  for (const batch of isJson ? shown : []) output.answer({ type: 'batch', ...batch }, '');
  if (isJson) return EXIT.done;
  const header = [
    ...[say('batch'), say('received'), say('from'), say('rows')],
    ...[say('new_2'), say('changed'), say('same')],
    ...[say('removed'), say('failed'), ''],
  ];
  const none = say('nothing_was_sent');
  output.answer({ type: 'log' }, shown.length === 0 ? none : table(header, shown.map(batchLine)));
  const more = say('older_ones_since');
  if (isMore) output.progress({ type: 'hint' }, more);
  return EXIT.done;
}

const batchLine = (batch: ResultBatch): string[] => [
  batch.id.slice(0, 8),
  localTime(batch.received_at),
  sourceOf(batch),
  String(batch.total_processed),
  String(batch.uploaded),
  String(batch.updated - batch.unchanged),
  String(batch.unchanged),
  String(batch.removed),
  String(batch.not_found + batch.errors),
  batch.reverted_at ? `${say('undone')} ${localTime(batch.reverted_at)}` : '',
];

/** The file that a batch came from, or the key where no file was named. */
export const sourceOf = ({ source, file_name, key_name, reverts }: ResultBatch): string =>
  source === 'revert' ? `undo ${reverts?.slice(0, 8)}` : (file_name ?? `key ${key_name}`);
