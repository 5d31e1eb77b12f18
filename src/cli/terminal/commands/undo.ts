import type { PassingUpload, ResultBatch } from '../../../client/index.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { allOf } from '../../queue/api.ts';
import { holderOf } from '../../queue/folder.ts';
import { Store } from '../../queue/store.ts';
import { localTime, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { table } from '../output.ts';
import { senderOf, sourceOf } from '../senders.ts';

/** An upload of results or of passings. */
type Upload = { of: 'results' | 'passings'; batch: ResultBatch | PassingUpload };

const [LISTED, LOGGED] = [20, 50];

/**
 * Reverts an upload: shows the effect, asks, reverts. Without an id, the last upload of this folder is reverted. A
 * repeated call changes nothing, so the client repeats an interrupted call.
 */
export async function undo(context: Context): Promise<ExitCode> {
  const { settings, output, prompter } = context;
  const { operand } = settings;
  if (settings.operands.length > 0 && operand.trim() === '') throw failure(EXIT.usage, 'undo_id');
  const isAny = settings.has('any');
  const sender = isAny ? undefined : await senderNameOf(context);
  const uploads = await uploadsOf(context, sender, operand !== '');
  if (isAny && operand === '') {
    listUploads(context, uploads.filter(isOpen).slice(0, LISTED));
    output.progress('undo_any_hint');
    return EXIT.done;
  }
  const upload = await chosen(context, uploads);
  const { batch } = upload;
  const trial = await revert(context, upload, true);
  const effect = effectOf(trial);
  const text = say(effect === '' ? 'undo_nothing' : 'undo_trial', {
    id: batch.id,
    at: localTime(batch.received_at),
    source: `${sourceOf(batch)}, ${senderOf(batch)}`,
    rows: batch.total_processed,
    kept: keptText(trial),
    effect,
  }).trimEnd();
  if (effect === '') {
    output.answer('undo', { ...trial }, text);
    return EXIT.done;
  }
  output.progress('dry_run', { ...trial }, text);
  await prompter.requireYes(say('ask_undo'), settings.isYes);
  const done = await revert(context, upload, false);
  const id = ('batch_id' in done ? done.batch_id : done.upload_id) ?? '-';
  output.answer('undo', { ...done }, say('undo', { effect: effectOf(done), id }));
  // A running `watch` knows at once which rows stay away, and `decide` lists these rows.
  await holderOf(settings, { type: 'look' });
  return EXIT.done;
}

/** Lists the uploads of the event, newest first, from every sender. */
export async function log(context: Context): Promise<ExitCode> {
  const file = context.settings.text('file');
  const all = await uploadsOf(context, undefined, file !== undefined);
  const found = all.filter(({ batch }) => file === undefined || batch.file_name?.includes(file));
  const shown = file === undefined ? found.slice(0, LOGGED) : found;
  listUploads(context, shown);
  if (shown.length < found.length) context.output.progress('log_has_more');
  return EXIT.done;
}

/** @throws CliError for a folder without uploads */
async function senderNameOf({ settings }: Context): Promise<string> {
  const { owner } = await Store.read(settings.stateDir);
  if (!owner) throw failure(EXIT.usage, 'no_upload_to_undo');
  return owner.sender;
}

/**
 * The newest first.
 * @param sender undefined for all senders
 * @param isWhole whether the newest hundred uploads of results, and of passings, are too few
 */
async function uploadsOf(
  { settings: { eventId }, client, signal }: Context,
  sender?: string,
  isWhole = true,
): Promise<Upload[]> {
  const query = { page_size: 100, ...(sender !== undefined && { sender }) };
  const batches = client.listResultBatches(eventId, query, { signal });
  const uploads = client.listPassingUploads(eventId, query, { signal });
  const results = isWhole ? await allOf(batches) : (await batches).data;
  const passings = isWhole ? await allOf(uploads) : (await uploads).data;
  return [
    ...results.map((batch): Upload => ({ of: 'results', batch })),
    ...passings.map((batch): Upload => ({ of: 'passings', batch })),
  ].sort((one, other) => (one.batch.received_at > other.batch.received_at ? -1 : 1));
}

/** @throws CliError without a match, or for several matching ids */
async function chosen(context: Context, uploads: readonly Upload[]): Promise<Upload> {
  const { operand } = context.settings;
  if (operand === '') {
    const upload = uploads.find(isOpen);
    if (!upload) throw failure(EXIT.usage, 'no_upload_to_undo');
    return upload;
  }
  // The first characters of an id are enough, if only a single upload matches.
  const begins = ({ batch }: Upload) => batch.id.startsWith(operand.toLowerCase());
  const found = uploads.filter(begins);
  const [upload] = found;
  if (upload && found.length === 1) return upload;
  if (found.length > 1)
    throw failure(EXIT.usage, 'batch_ambiguous', { count: found.length, operand });
  const other = (await uploadsOf(context)).find(begins);
  if (!other) throw failure(EXIT.usage, 'batch_unknown', { operand });
  throw failure(EXIT.usage, 'batch_of_another', { operand, sender: senderOf(other.batch) });
}

const isOpen = ({ batch }: Upload): boolean => {
  const { source, reverted_at, uploaded, updated, removed, unchanged } = batch;
  return source !== 'revert' && reverted_at === null && uploaded + updated + removed > unchanged;
};

/** Prints uploads as a table. */
function listUploads({ settings, output }: Context, uploads: readonly Upload[]): void {
  if (settings.isJson) {
    for (const { of, batch } of uploads) output.answer('upload', { of, ...batch }, '');
  } else if (uploads.length === 0) output.answer('log_empty');
  else output.answer('log', {}, table(say('log_columns'), uploads.map(cellsOf)));
}

const cellsOf = ({ of, batch }: Upload): string[] => [
  ...[batch.id.slice(0, 8), localTime(batch.received_at), senderOf(batch), sourceOf(batch)],
  say(`of_${of}`),
  ...[
    batch.total_processed,
    batch.uploaded,
    batch.updated - batch.unchanged,
    batch.unchanged,
    batch.removed,
    batch.left,
    batch.not_found + batch.errors,
  ].map(String),
  batch.reverted_at ? say('log_undone', { at: localTime(batch.reverted_at) }) : '',
];

function revert(
  { settings: { eventId }, client, signal }: Context,
  { of, batch }: Upload,
  dryRun: boolean,
) {
  return of === 'results'
    ? client.revertResultBatch(eventId, batch.id, { dryRun, signal })
    : client.revertPassingUpload(eventId, batch.id, { dryRun, signal });
}

type Reversal = Awaited<ReturnType<typeof revert>>;

/** `2 restored to before, 1 removed`: only the real changes. Blank without a change. */
const effectOf = (reversal: Reversal): string =>
  (['restored', 'removed', 'reinstated'] as const)
    .flatMap((part) => (reversal[part] > 0 ? [say(`undone_${part}`, { ...reversal })] : []))
    .join(', ');

function keptText(trial: Reversal): string {
  if (trial.kept === 0) return '';
  const rows = 'kept_rows' in trial ? trial.kept_rows : [];
  return say('undo_keeps', {
    kept: trial.kept,
    bibs: rows.map(({ bib_number }) => bib_number ?? '-'),
  });
}
