import { join } from 'node:path';
import * as z from 'zod/mini';
import { EXIT } from '../exit-codes.ts';
import { codeOf, ownFolder, readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';
import { systemText } from './api.ts';
import { DiskError } from './store.ts';

const text = z.string();
const textOrNull = z.nullable(text);
const numberOrNull = z.nullable(z.number());

/** The facts that the API told for a clock. */
const Told = z.object({
  event: text,
  read_at: text,
  starts: z.array(
    z.object({
      ...{ name: text, distance: textOrNull, starts_at: text },
      ...{ bib_from: numberOrNull, bib_to: numberOrNull },
    }),
  ),
  points: z.array(
    z.object({ name: text, distance: textOrNull, order: z.number(), km: numberOrNull }),
  ),
  /** The distance of each bib. */
  distances: z.array(z.tuple([text, textOrNull])),
});
export type Told = z.infer<typeof Told>;

const NAME = 'starts.json';

/** @returns the facts of the last `keepTold`; undefined without such facts */
export const keptTold = async (stateDir: string): Promise<Told | undefined> =>
  z.safeParse(Told, unsealed((await readOwn(join(stateDir, NAME))) ?? '')).data;

/** @throws DiskError */
export async function keepTold(stateDir: string, told: Told): Promise<void> {
  try {
    await ownFolder(stateDir);
    await replaceOwn(join(stateDir, NAME), sealed(JSON.stringify(told)));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new DiskError(EXIT.usage, say('disk', { why: systemText(error) }));
  }
}
