import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { codeOf, digestOf, ownFolder, parsedJson, readOwn, replaceOwn } from '../own-files.ts';
import type { Environment } from '../words.ts';

const Kept = z.object({
  /** Makes this user's local addresses unknown to other users. */
  secret: z.string(),
  /** The address of each key, by the digest of the key. */
  keys: z.record(z.string(), z.string()),
});

export type User = {
  secret: string;
  /** The address of a key. Other people may write the folder of a race, so the user's folder keeps the address. */
  addressOf(key: string): string | undefined;
  /** Binds a key to the accepting address. */
  bind(key: string, address: string): Promise<void>;
};

const [TRIES, TRY_AGAIN_MS] = [5, 20];

/** The settings of the person running the command, in the user's own folder. The settings never hold a key. */
export async function openUser(env: Environment): Promise<User> {
  const settings = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config');
  const folder = join(settings, 'race-results');
  const path = join(folder, 'user.json');
  const read = async () => z.safeParse(Kept, parsedJson(await readOwn(path))).data;
  const write = (kept: z.infer<typeof Kept>) => replaceOwn(path, `${JSON.stringify(kept)}\n`);
  await ownFolder(folder);
  // The lock of a folder depends on the secret: of two first commands at the same moment, a single one makes the
  // secret.
  const make = async () => {
    const made: z.infer<typeof Kept> = { secret: randomBytes(16).toString('hex'), keys: {} };
    const isFirst = await writeFile(path, `${JSON.stringify(made)}\n`, { flag: 'wx', mode: 0o600 })
      .then(() => true)
      .catch((error: unknown) => {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      });
    for (let tries = 0; !isFirst && tries < TRIES; tries++) {
      await wait(TRY_AGAIN_MS);
      const other = await read();
      if (other) return other;
    }
    if (!isFirst) await write(made);
    return made;
  };
  const { secret, keys } = (await read()) ?? (await make());
  return {
    secret,
    addressOf: (key) => keys[digestOf(key)],
    async bind(key, address) {
      if (keys[digestOf(key)] === address) return;
      keys[digestOf(key)] = address;
      // Another command may have bound another key.
      await write({ secret, keys: { ...(await read())?.keys, [digestOf(key)]: address } });
    },
  };
}
