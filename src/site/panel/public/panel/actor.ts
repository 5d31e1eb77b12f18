import type { Version } from './api.ts';
import { isolated, textOfLater as text } from './formats.ts';

/**
 * The author of a version of a result, or the sender of an upload: a user, or a key with the sender's name for itself.
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
