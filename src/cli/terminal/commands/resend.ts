import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { deliver } from '../../queue/deliver.ts';
import { loadState } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';

/** Sends again what the watched files say and the API does not hold, also what was taken back. */
export async function resend({ settings, output, prompter, signal }: Context): Promise<ExitCode> {
  const before = await loadState(settings.stateDir, settings.eventId);
  const bibs = [...before.state.said.keys()];
  if (bibs.length === 0) throw failure(EXIT.usage, 'nothing_to_resend');
  await prompter.requireYes(say('ask_resend', { count: bibs.length }), settings.isYes);
  const entry = { type: 'compare' as const, group: null, isResend: true };
  const { said, stored } = await deliver(settings, entry, bibs, signal);
  const same = [...said].filter(([bib, { text }]) => stored.get(bib) === text).length;
  output.answer('resend', { stored: same, results: said.size });
  return EXIT.done;
}
