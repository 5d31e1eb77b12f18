import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endGroupAtExit } from './at-exit.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKERD = join(ROOT, 'node_modules/.bin/workerd');
/** The last lines of output that an error shows if workerd does not start. */
const SHOWN_LINES = 50;

/** Where `buildWorker` writes the bundle. */
export const bundleOf = (folder: string): string => join(folder, 'bundle');

/** A bundled Worker and its bindings. */
type Served = {
  name: string;
  folder: string;
  bindings?: Record<string, string>;
  /** Binds REFUSALS to a counter that admits so many calls in 10 seconds. */
  refusals?: number | undefined;
};

export type Workerd = {
  pid: number;
  /** The address of each Worker, by name. */
  origins: Record<string, string>;
  /** The address of each Worker's debugging protocol, by name. Empty without `isInspected`. */
  inspectors: Record<string, string>;
  stop(): Promise<void>;
};

export type WorkerdOptions = {
  v8Flags?: readonly string[];
  /** Serves V8's debugging protocol, with which a bench profiles a Worker. */
  isInspected?: boolean;
  /** Receives each line that a Worker or the runtime prints. */
  onLine?: (line: string) => void;
};

/**
 * Runs bundles in one process of workerd. Unlike `wrangler dev` it has no proxy and no other isolate, so that
 * times and memory are those of the Workers.
 */
export async function startWorkerd(
  workers: readonly Served[],
  { v8Flags = [], isInspected = false, onLine }: WorkerdOptions = {},
): Promise<Workerd> {
  const folder = mkdtempSync(join(workers[0]?.folder ?? ROOT, 'workerd-'));
  for (const { name, folder: bundle, refusals } of workers) {
    symlinkSync(join(bundleOf(bundle), 'worker.js'), join(folder, `${name}.js`));
    writeFileSync(join(folder, `${name}.watched.js`), watched(name));
    if (refusals !== undefined)
      writeFileSync(join(folder, `${name}.refusals.js`), counter(refusals));
  }
  const config = join(folder, 'config.capnp');
  // The file holds secrets.
  writeFileSync(config, configOf(workers, v8Flags), { mode: 0o600 });
  const child = spawn(
    WORKERD,
    [
      ...['serve', config, '--control-fd=3'],
      ...(isInspected ? ['--inspector-addr=127.0.0.1:0'] : []),
    ],
    // A new process group, which ends when this process exits.
    { detached: true, stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe', 'pipe'] },
  );
  endGroupAtExit(child);
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      if (line.trim() === '') return;
      onLine?.(line);
      if (printed.push(line) > SHOWN_LINES) printed.shift();
    });
  }
  const expected = workers.length + (isInspected ? 1 : 0);
  const ports = await readPorts(child.stdio[3] as Readable, expected);
  if (!ports || child.pid === undefined) {
    throw new Error(`workerd did not start:\n${printed.join('\n')}`);
  }
  const inspectorPort = ports.get(INSPECTOR);
  return {
    pid: child.pid,
    origins: Object.fromEntries(
      workers.map(({ name }) => [name, `http://127.0.0.1:${ports.get(name)}`]),
    ),
    inspectors: Object.fromEntries(
      inspectorPort === undefined
        ? []
        : workers.map(({ name }) => [name, `ws://127.0.0.1:${inspectorPort}/${name}`]),
    ),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Prints unhandled rejections, which the runtime does not. */
const watched = (name: string): string => `
addEventListener('unhandledrejection', ({ reason }) =>
  console.error('Unhandled rejection:', String(reason)));
export { default } from './${name}.js';
export * from './${name}.js';
`;

/** Stands for the platform's rate limit binding. */
const counter = (limit: number): string => `
import { WorkerEntrypoint } from 'cloudflare:workers';
let counts = new Map();
let startedAt = 0;
export default class extends WorkerEntrypoint {
  limit({ key }) {
    if (Date.now() - startedAt > 10_000) [counts, startedAt] = [new Map(), Date.now()];
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: counts.get(key) <= ${limit} };
  }
}
`;

/** A report of workerd that a port is open. */
type Listening = { event: string; socket: string; port: number };

const INSPECTOR = 'listen-inspector';

/** Reads the ports of workerd. @returns undefined if workerd ends before it has reported all */
async function readPorts(
  control: Readable,
  expected: number,
): Promise<Map<string, number> | undefined> {
  const ports = new Map<string, number>();
  for await (const line of createInterface(control)) {
    const { event, socket, port }: Listening = JSON.parse(line);
    ports.set(event === INSPECTOR ? INSPECTOR : socket, port);
    if (ports.size === expected) return ports;
  }
  return undefined;
}

function configOf(workers: readonly Served[], v8Flags: readonly string[]): string {
  const list = (items: readonly string[]) => `[ ${items.join(', ')} ]`;
  const text = (value: string) => JSON.stringify(value);
  const file = (name: string) => `(name = ${text(name)}, esModule = embed ${text(name)})`;
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const date = /^compatibility_date = (".+")$/m.exec(toml)?.[1];
  const flags = /^compatibility_flags = (\[.+\])$/m.exec(toml)?.[1];
  const services = workers.flatMap(({ name, bindings = {}, refusals }) => {
    const counting = `${name}.refusals`;
    const given = Object.entries(bindings).map(
      ([key, value]) => `(name = ${text(key)}, text = ${text(value)})`,
    );
    if (refusals !== undefined) given.push(`(name = "REFUSALS", service = ${text(counting)})`);
    const worker = `(name = ${text(name)}, worker = (
      modules = ${list([`${name}.watched.js`, `${name}.js`].map(file))},
      compatibilityDate = ${date},
      compatibilityFlags = ${flags},
      bindings = ${list(given)}
    ))`;
    if (refusals === undefined) return [worker];
    const count = `(name = ${text(counting)}, worker = (
      modules = ${list([file(`${counting}.js`)])}, compatibilityDate = ${date}
    ))`;
    return [worker, count];
  });
  const internet = '(name = "internet", network = (allow = ["public", "private", "local"]))';
  const sockets = workers.map(
    ({ name }) =>
      `(name = ${text(name)}, address = "127.0.0.1:0", http = (), service = ${text(name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${list(v8Flags.map(text))},
  services = ${list([...services, internet])},
  sockets = ${list(sockets)}
);
`;
}
