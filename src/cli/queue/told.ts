import { join } from 'node:path';
import type { EventPoints, EventStarts } from '../../client/index.ts';
import { ownFolder, readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { onDisk } from './store.ts';

/** The facts that the API told for a clock. */
export type Told = Pick<EventStarts, 'starts'> &
  Pick<EventPoints, 'points'> & {
    event: string;
    read_at: string;
    /** The distance of each bib. */
    distances: [bib: string, distance: string | null][];
  };

const NAME = 'starts.json';

/** @returns the facts of the last `keepTold`; undefined without such facts */
export async function keptTold(stateDir: string, event: string): Promise<Told | undefined> {
  const found = unsealed((await readOwn(join(stateDir, NAME))) ?? '');
  return isTold(found) && found.event === event ? found : undefined;
}

const isTold = (found: unknown): found is Told =>
  typeof found === 'object' && found !== null && 'event' in found;

/** @throws DiskError */
export const keepTold = (stateDir: string, told: Told): Promise<void> =>
  onDisk(async () => {
    await ownFolder(stateDir);
    await replaceOwn(join(stateDir, NAME), sealed(JSON.stringify(told)));
  });
