import type { ResultBatch } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { table } from '../output.ts';

const SHOWN = 50;

/** Lists the batches of the event, newest first, from every sender. */
export async function log({ settings, client, output, signal }: Context): Promise<ExitCode> {
  const { data, meta } = await client.listResultBatches(
    settings.eventId,
    { page_size: SHOWN },
    { signal },
  );
  for (const batch of data) if (settings.isJson) output.answer({ type: 'batch', ...batch }, '');
  if (settings.isJson) return EXIT.done;
  if (data.length === 0) {
    output.answer({ type: 'log' }, 'Nothing was sent to this event yet.');
    return EXIT.done;
  }
  const header = [
    'batch',
    'received',
    'from',
    'rows',
    'new',
    'changed',
    'same',
    'removed',
    'failed',
    '',
  ];
  output.answer({ type: 'log' }, table(header, data.map(batchLine)));
  if (meta.total > data.length) {
    output.progress({ type: 'hint' }, `The newest ${data.length} of ${meta.total}.`);
  }
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
  batch.reverted_at ? `undone ${localTime(batch.reverted_at)}` : '',
];

/** The file that a batch came from, or the key where no file was named. */
export const sourceOf = ({ source, file_name, key_name, reverts }: ResultBatch): string =>
  source === 'revert' ? `undo of ${reverts?.slice(0, 8)}` : (file_name ?? `key ${key_name}`);

/** An instant as the clock of this laptop shows it. */
export const localTime = (instant: string): string => {
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
};
