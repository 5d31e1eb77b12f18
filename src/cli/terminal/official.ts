import type { OfficialResults, RaceResultsClient } from '../../client/index.ts';
import { localTime, say } from '../words.ts';

/** The last official version of the results, and whether results have changed since. */
export type Official = Pick<OfficialResults, 'version' | 'made_at' | 'state'>;

/** @returns null if no version is official. @throws RaceResultsError */
export async function readOfficial(
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
): Promise<Official | null> {
  const list = await client.listOfficialResults(eventId, { page_size: 1 }, { signal });
  const [last] = list.data;
  return last ? { version: last.version, made_at: last.made_at, state: last.state } : null;
}

export const officialText = ({ version, made_at, state }: Official): string =>
  say(state === 'official' ? 'official_is' : 'official_changed', {
    version,
    at: localTime(made_at),
  });
