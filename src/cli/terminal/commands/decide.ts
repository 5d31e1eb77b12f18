import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import type { Open } from '../../queue/difference.ts';
import { comparedText, deliver, Folder, holderOf } from '../../queue/folder.ts';
import { bibOf } from '../../queue/item.ts';
import type { Context } from '../context.ts';
import { leftText, shownBy } from '../view.ts';

/** Chooses the file's value or the stored value. Without an answer, lists the open questions. */
export async function decide(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { operands, isJson } = settings;
  const open = await openOf(context);
  const words = operands.slice(0, -1);
  const by = operands.at(-1);
  if (by === undefined || words.length === 0) {
    const shown = by === undefined ? open : named(open, [by]);
    for (const one of shown) output.answer('open', { ...one }, isJson ? '' : openText(one));
    if (shown.length === 0) output.answer('nothing_open');
    return shown.length === 0 ? EXIT.done : EXIT.guard;
  }
  const chosen = named(open, words);
  for (const one of chosen) output.progress('open', { ...one }, openText(one));
  const keys = chosen.map(({ key }) => key);
  await deliver(context, { type: 'decide', keys, by });
  output.answer('decided', { bibs: keys.map(bibOf), by });
  return EXIT.done;
}

/** @throws CliError for a bib or a reason without a question */
function named(open: readonly Open[], words: readonly string[]): Open[] {
  return words.flatMap((word) => {
    const found = open.filter(({ key, code }) => bibOf(key) === word || code === word);
    if (found.length === 0) throw failure(EXIT.usage, 'nobody_asked', { bib: word });
    return found;
  });
}

const openText = (one: Open): string => `${one.code}  ${comparedText(one)}  ${leftText(one.code)}`;

/** The open questions, from a running `watch` or from the answers of the API. */
async function openOf(context: Context): Promise<readonly Open[]> {
  const holder = await holderOf(context.settings);
  if (holder === 'silent') throw failure(EXIT.running, 'already_running_silent');
  if (holder) return shownBy(holder)?.open ?? [];
  const folder = await Folder.open(context, 'decide');
  if (!(folder instanceof Folder)) return openOf(context);
  try {
    await folder.look(context.signal);
    return folder.open;
  } finally {
    await folder.close();
  }
}
