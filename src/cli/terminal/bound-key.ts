import { CliError, EXIT } from '../exit-codes.ts';
import type { User } from '../queue/user.ts';
import { say } from '../words.ts';
import type { Prompter } from './prompt.ts';

/**
 * The folder of a race may come from anybody: its address does not get a key that was used with another one.
 * @throws CliError if nobody can be asked, or the person says no
 */
export async function requireBound(
  user: User,
  { apiKey, apiUrl }: { apiKey: string; apiUrl: string },
  prompter: Prompter,
): Promise<void> {
  const { origin } = new URL(apiUrl);
  const before = user.addressOf(apiKey);
  if (before === undefined || before === origin) return;
  const found = say('this_key_was_used_with', { before, origin });
  const question = `${found} ${say('send_it_there')}`;
  if (prompter.canAsk && (await prompter.confirm(question))) return;
  throw new CliError(EXIT.key, `${found} ${say('it_was_not_sent_if')}`);
}
