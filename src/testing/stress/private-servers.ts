import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, LOOPBACK } from '../../dev/stack/listen.ts';
import { connectTo } from '../../dev/stack/postgres.ts';

/** A server that a test can stop and start again. It keeps its data. */
export type PrivateServer = {
  url: string;
  start(): Promise<void>;
  /** Ends the server at once. */
  crash(): Promise<void>;
  /** Stops the server until `resume`. Its connections stay open. */
  pause(): void;
  resume(): void;
  remove(): Promise<void>;
};

const START_MS = 30_000;
/** The folder in which Debian installs the versions of PostgreSQL. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Starts PostgreSQL with a new, empty cluster. */
export async function startPrivatePostgres(): Promise<PrivateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'private-postgres-'));
  const port = await freePort();
  const url = `postgres://postgres@${LOOPBACK}:${port}/postgres`;
  // PostgreSQL refuses to run as root. Then it runs as the user of its package.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '--auth', 'trust', '--no-sync', '--encoding', 'UTF8'];
  execFileSync(binary('initdb'), init, { ...user, cwd: folder, stdio: 'pipe' });
  const server = privateServer({
    url,
    folder,
    spawn: () =>
      spawn(binary('postgres'), ['-D', data, '-p', `${port}`, '-h', LOOPBACK, '-k', folder], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
      }),
    crashSignal: 'SIGQUIT',
    answers: () => connectTo(url).then((client) => client.end()),
  });
  await server.start();
  return server;
}

/** Starts an empty Redis. */
export async function startPrivateRedis(): Promise<PrivateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'private-redis-'));
  const port = await freePort();
  const url = `redis://${LOOPBACK}:${port}`;
  const options = ['--bind', LOOPBACK, '--port', `${port}`, '--save', '', '--dir', folder];
  const server = privateServer({
    url,
    folder,
    spawn: () => spawn('redis-server', options, { stdio: 'ignore' }),
    crashSignal: 'SIGKILL',
    async answers() {
      const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => {});
      try {
        await client.connect();
      } finally {
        client.disconnect();
      }
    },
  });
  await server.start();
  return server;
}

function privateServer(parts: {
  url: string;
  folder: string;
  spawn: () => ChildProcess;
  crashSignal: NodeJS.Signals;
  answers: () => Promise<void>;
}): PrivateServer {
  let child: ChildProcess | undefined;
  const crash = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(parts.crashSignal);
    await ended;
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url: parts.url,
    async start() {
      child = parts.spawn();
      for (const deadline = Date.now() + START_MS; ; ) {
        try {
          return await parts.answers();
        } catch (error) {
          if (Date.now() > deadline || child.exitCode !== null) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    crash,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await crash();
      rmSync(parts.folder, { recursive: true, force: true });
    },
  };
}

const idOf = (which: '-u' | '-g'): number =>
  Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));

function binary(name: string): string {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? name : join(DEBIAN_VERSIONS, newest, 'bin', name);
}
