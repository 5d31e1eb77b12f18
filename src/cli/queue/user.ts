import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { digestOf, ownFolder, parsedJson, readOwn, replaceOwn } from '../own-files.ts';

const User = z.object({
  /** Makes the names of this user's locks such as nobody else can know. */
  secret: z.string(),
  /** The addresses that a key was used with, by the digest of the key. */
  keys: z.array(z.tuple([z.string(), z.string()])),
});

export type User = {
  folder: string;
  secret: string;
  /** The address that a key was used with. It is not in the folder of a race, which others may write. */
  addressOf(key: string): string | undefined;
  /** Binds a key to the address that has accepted it. */
  bind(key: string, address: string): Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the person who runs the command, in the user's own folder. They never hold a key. */
export async function openUser(env: Environment): Promise<User> {
  const settings = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config');
  const folder = join(settings, 'race-results');
  const path = join(folder, 'user.json');
  const read = async () => {
    const found = z.safeParse(User, parsedJson(await readOwn(path)));
    return found.data ?? { secret: randomBytes(16).toString('hex'), keys: [] };
  };
  await ownFolder(folder);
  const user = await read();
  const write = (next: z.infer<typeof User>) => replaceOwn(path, `${JSON.stringify(next)}\n`);
  if ((await readOwn(path)) === undefined) await write(user);
  const keys = new Map(user.keys);
  return {
    ...{ folder, secret: user.secret },
    addressOf: (key) => keys.get(digestOf(key)),
    async bind(key, address) {
      if (keys.get(digestOf(key)) === address) return;
      keys.set(digestOf(key), address);
      const now = new Map((await read()).keys).set(digestOf(key), address);
      await write({ secret: user.secret, keys: [...now] });
    },
  };
}
