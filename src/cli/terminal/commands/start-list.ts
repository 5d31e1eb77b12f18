import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { StartListFile, startListText } from '../start-list.ts';

/** Writes the start list as a file for a timing program, and says what has changed since it was written last. */
export async function startList(context: Context): Promise<ExitCode> {
  const { settings, output, signal } = context;
  const file = new StartListFile(context, settings.operand);
  const { written } = await file.update(signal);
  const { path } = file;
  if (written) output.answer('start_list', written, startListText(written));
  else output.answer('start_list', { path }, say('start_list_same', { path }));
  return EXIT.done;
}
