import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { digestOf, ownFolder, parsedJson, readOwn, replaceOwn } from '../own-files.ts';
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

/** The settings of the person running the command, in the user's own folder. The settings never hold a key. */
export async function openUser(env: Environment): Promise<User> {
  const settings = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config');
  const folder = join(settings, 'race-results');
  const path = join(folder, 'user.json');
  const read = async () => z.safeParse(Kept, parsedJson(await readOwn(path))).data;
  const write = (kept: z.infer<typeof Kept>) => replaceOwn(path, `${JSON.stringify(kept)}\n`);
  await ownFolder(folder);
  const found = await read();
  const { secret, keys } = found ?? { secret: randomBytes(16).toString('hex'), keys: {} };
  if (!found) await write({ secret, keys });
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
