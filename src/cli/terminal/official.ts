import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { checked } from '../queue/api.ts';
import { localTime, say } from '../words.ts';

/** The last official version of the results, and whether results have changed since. */
export const Official = z.object({
  version: z.int(),
  made_at: z.string(),
  state: z.enum(['official', 'changed_since']),
});
export type Official = z.infer<typeof Official>;

/** @returns null if no version is official. @throws RaceResultsError */
export async function readOfficial(
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
): Promise<Official | null> {
  const list = await client.listOfficialResults(eventId, { page_size: 1 }, { signal });
  const [last] = list.data;
  return last ? checked(Official, last, 'listOfficialResults') : null;
}

export const officialText = ({ version, made_at, state }: Official): string =>
  say(state === 'official' ? 'official_is' : 'official_changed', {
    version,
    at: localTime(made_at),
  });
