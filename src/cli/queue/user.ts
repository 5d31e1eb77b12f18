import { randomBytes, randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../client/answer.ts';
import { digestOf, ownFolder, readOwn, replaceOwn } from '../own-files.ts';
import type { Environment } from '../words.ts';

const Kept = z.object({
  /** Makes this user's local addresses unknown to other users. */
  secret: z.string(),
  /** The address of each key, by the digest of the key. */
  keys: z.record(z.string(), z.string()),
});
type Kept = z.infer<typeof Kept>;

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
  const read = async () => z.safeParse(Kept, parseJson((await readOwn(path)) ?? '')).data;
  const write = (kept: Kept, to = path) => replaceOwn(to, `${JSON.stringify(kept)}\n`);
  await ownFolder(folder);
  // The lock of a folder depends on the secret. Of several first commands, a single command makes the whole file.
  const make = async () => {
    const made = { secret: randomBytes(16).toString('hex'), keys: {} };
    const beside = `${path}.${randomUUID()}.tmp`;
    try {
      await write(made, beside);
      await link(beside, path);
      return made;
    } catch {
      // Another command was first, or the disk has no links.
      const other = await read();
      if (!other) await write(made);
      return other ?? made;
    } finally {
      await rm(beside, { force: true });
    }
  };
  const { secret, keys }: Kept = (await read()) ?? (await make());
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
