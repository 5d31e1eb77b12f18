import type { Version } from './api.ts';
import { isolated, textOfParts as text } from './formats.ts';

/**
 * Who made a version of a result, or sent an upload: a user, or a key and the name that the sender gave itself.
 * @param userId the reader
 */
export function actorOf(
  { user_id, key_name, sender }: Pick<Version, 'user_id' | 'key_name' | 'sender'>,
  userId: string,
): string {
  if (user_id) return text('by', { actor: user_id === userId ? text('you') : user_id });
  return [key_name ? text('withKey', { name: isolated(key_name) }) : '', isolated(sender ?? '')]
    .filter(Boolean)
    .join(', ');
}
