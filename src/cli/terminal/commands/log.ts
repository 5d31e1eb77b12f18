import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Context } from '../context.ts';
import { listUploads, uploadsOf } from './undo.ts';

const SHOWN = 50;

/** Lists the uploads of the event, newest first, from every sender. */
export async function log(context: Context): Promise<ExitCode> {
  const file = context.settings.text('file');
  const all = await uploadsOf(context, undefined, file === undefined ? SHOWN + 1 : undefined);
  const found = all.filter(({ batch }) => file === undefined || batch.file_name?.includes(file));
  const shown = file === undefined ? found.slice(0, SHOWN) : found;
  listUploads(context, shown);
  if (shown.length < found.length) context.output.progress('log_has_more');
  return EXIT.done;
}
