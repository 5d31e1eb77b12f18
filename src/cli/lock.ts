import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { CliError, EXIT } from './exit-codes.ts';
import { codeOf } from './journal.ts';
import { now, writing } from './state.ts';

const LOCK_FILE = 'lock.json';
/** Far more than it takes from finding a lock stale to removing it. */
const TAKEOVER_MS = 50;

const Holder = z.object({
  pid: z.int(),
  startedAt: z.string(),
  event: z.string(),
  /** The file or folder that it sends. */
  name: z.string(),
  host: z.string(),
  /** Where the process answers as long as it lives. */
  address: z.string(),
});

/** The process that has a lock. */
type Holder = z.infer<typeof Holder>;

export type Lock = { release(): Promise<void> };

/**
 * Takes the lock of a state folder, and the one of an event and a name on this computer. A process that
 * has a lock listens at an address of its own, so that a lock whose process is gone is told for sure:
 * an id of a process may belong to another one after a restart.
 * @param name the file or folder that is sent; undefined if the command sends none
 * @throws CliError naming the process that has it
 */
export async function takeLock(
  stateDir: string,
  { event, name }: { event: string; name: string | undefined },
): Promise<Lock> {
  const address = newAddress();
  const server = await writing(tmpdir(), () => listen(address));
  const holder: Holder = {
    ...{ pid: process.pid, startedAt: now(), event, name: name ?? '' },
    ...{ host: hostname(), address },
  };
  const taken: string[] = [];
  const release = async () => {
    for (const path of taken.splice(0).reverse()) await rm(path, { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    await writing(stateDir, () => mkdir(stateDir, { recursive: true }));
    const paths = [join(stateDir, LOCK_FILE)];
    if (name !== undefined) paths.push(pathFor(event, name));
    for (const path of paths) {
      const other = await writing(dirname(path), () => take(path, holder));
      if (other) throw alreadyRunning(other, path);
      taken.push(path);
    }
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The living process that has the lock of a state folder. */
export async function lockHolder(stateDir: string): Promise<Holder | undefined> {
  const holder = await readHolder(join(stateDir, LOCK_FILE));
  return holder && (await isAlive(holder)) ? holder : undefined;
}

/** @returns the living process that has it already */
async function take(path: string, holder: Holder): Promise<Holder | undefined> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (;;) {
      // A link appears with its content, and only if there is none.
      if (await linked(own, path)) {
        // Several may have found the same stale lock, and one may have removed this new one for it.
        await wait(TAKEOVER_MS);
        const kept = await readHolder(path);
        if (kept?.address === holder.address) return undefined;
        continue;
      }
      const other = await readHolder(path);
      if (other && (await isAlive(other))) return other;
      const living = await removeStale(path, other);
      if (living) return living;
    }
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Removes a lock that was found stale. Another process may have replaced it meanwhile: then it is put
 * back.
 */
async function removeStale(path: string, stale: Holder | undefined): Promise<Holder | undefined> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const moved = await readHolder(aside);
    if (moved && moved.address !== stale?.address && (await isAlive(moved))) {
      await linked(aside, path);
      return moved;
    }
    if (moved && process.platform !== 'win32') await rm(moved.address, { force: true });
    return undefined;
  } finally {
    await rm(aside, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Memory cards and some network drives know no links.
    return created(to, await readFile(from, 'utf8'));
  }
}

async function created(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return Holder.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A process on another computer cannot be asked: it counts as living. */
const isAlive = ({ host, address }: Holder): Promise<boolean> =>
  host === hostname() ? answers(address) : Promise.resolve(true);

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error) => {
      // Another user's process may refuse to be asked.
      const isGone = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(codeOf(error) ?? '');
      resolve(!isGone);
    });
  });
}

/** Short, because a path of a socket may have about a hundred characters. */
const newAddress = (): string => {
  const name = `race-results-${randomUUID().slice(0, 13)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
};

async function listen(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  // It must not keep a command running that is done.
  server.unref();
  return server;
}

/** One place for all terminals of a user on this computer. */
function pathFor(event: string, name: string): string {
  const user = process.getuid?.() ?? '';
  const digest = createHash('sha256').update(`${user}\n${event}\n${name}`).digest('hex');
  return join(tmpdir(), `race-results-${digest.slice(0, 16)}.lock`);
}

function alreadyRunning(holder: Holder, path: string): CliError {
  const { pid, startedAt, name, host } = holder;
  const where = host === hostname() ? '' : ` on the computer ${host}`;
  const what = name === '' ? '' : ` and sends ${name}`;
  const remedy =
    host === hostname()
      ? 'Stop it with Ctrl-C in its window, or go on working there.'
      : `If it is not running any more, remove ${path}.`;
  return new CliError(
    EXIT.running,
    `race-results is running already${where}: process ${pid}, started at ${startedAt}${what}. ${remedy}`,
  );
}
