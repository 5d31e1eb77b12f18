import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { isWaiting, loadState } from '../../queue/state.ts';
import { results, rows, say } from '../../words.ts';
import type { Context } from '../context.ts';

/** Sends again what the watched files say and the API does not hold, also what was taken back. */
export async function resend({ settings, output, prompter, signal }: Context): Promise<ExitCode> {
  const { stateDir, eventId } = settings;
  const before = await loadState(stateDir, eventId);
  const bibs = [...before.state.said.keys()];
  if (bibs.length === 0) {
    throw new CliError(EXIT.usage, say('no_file_was_watched_from'));
  }
  const question = say('compare_with_the_api_and', { rows: rows(bibs.length) });
  if (!settings.isYes && !(prompter.canAsk && (await prompter.confirm(question)))) {
    throw new CliError(prompter.canAsk ? EXIT.guard : EXIT.usage, say('nothing_was_sent_give_yes'));
  }
  const { state, waiting } = await deliver(settings, { type: 'resend' }, bibs, signal);
  const stored = [...state.said].filter(([bib, { text }]) => state.stored.get(bib) === text).length;
  const left = bibs.filter((bib) => isWaiting(state, bib)).length;
  output.answer(
    { type: 'resend', results: state.said.size, stored, waiting: left },
    say('of_of_the_files_are', { stored, results: results(state.said.size) }),
  );
  if (waiting === undefined) return EXIT.done;
  throw new CliError(EXIT.offline, `${rows(left)}: ${waiting}.`);
}
