import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { loadState, waitingCount } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';

/** Sends again what the watched files say and the API does not hold, also what was taken back. */
export async function resend({ settings, output, prompter, signal }: Context): Promise<ExitCode> {
  const before = await loadState(settings.stateDir, settings.eventId);
  const bibs = [...before.state.said.keys()];
  if (bibs.length === 0) throw failure(EXIT.usage, 'nothing_to_resend');
  const question = say('ask_resend', { count: bibs.length });
  if (!settings.isYes && !(prompter.canAsk && (await prompter.confirm(question)))) {
    throw failure(prompter.canAsk ? EXIT.guard : EXIT.usage, 'not_sent_without_yes');
  }
  const { state, waiting } = await deliver(settings, { type: 'resend' }, bibs, signal);
  const stored = [...state.said].filter(([bib, { text }]) => state.stored.get(bib) === text).length;
  output.answer('resend', { stored, results: state.said.size });
  if (waiting === undefined) return EXIT.done;
  throw failure(EXIT.offline, 'queue_waits', { count: waitingCount(state), why: waiting });
}
