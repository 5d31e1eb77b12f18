import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { newSigningKeys } from '../../dev/stack/signing-keys.ts';
import { endGroupAtExit } from './at-exit.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKERD = join(ROOT, 'node_modules/.bin/workerd');
/** The number of output lines in the error if workerd does not start. */
const SHOWN_LINES = 50;

/** Where `buildWorker` writes the bundle. */
export const bundleOf = (folder: string): string => join(folder, 'bundle');

export type Workerd = { pid: number; origin: string; stop(): Promise<void> };

export type WorkerdOptions = {
  /** By default a new PANEL_JWT_SECRET and new SIGNING_KEYS. */
  bindings?: Record<string, string>;
  /** Binds REFUSALS to a counter with this limit of calls in 10 seconds. */
  refusals?: number | undefined;
  /** The number of Workers in the process. `origin` belongs to the first Worker. */
  isolates?: number;
  /** Ends the process when the heap grows beyond this size. */
  heapLimitMib?: number;
  /** Receives each output line of the Worker or the runtime. */
  onLine?: (line: string) => void;
};

/**
 * Runs a bundle in workerd. Unlike `wrangler dev`, workerd has no proxy and no second isolate, so times and memory are
 * the Worker's own.
 * @param build the folder of the build
 */
export async function startWorkerd(
  build: string,
  { bindings = {}, refusals, isolates = 1, heapLimitMib, onLine }: WorkerdOptions = {},
): Promise<Workerd> {
  const folder = mkdtempSync(join(build, 'workerd-'));
  symlinkSync(join(bundleOf(build), 'worker.js'), join(folder, 'worker.js'));
  writeFileSync(join(folder, 'watched.js'), WATCHED);
  if (refusals !== undefined) writeFileSync(join(folder, 'refusals.js'), counter(refusals));
  const secrets = {
    PANEL_JWT_SECRET: randomBytes(32).toString('base64url'),
    SIGNING_KEYS: newSigningKeys(),
    ...bindings,
  };
  const config = join(folder, 'config.capnp');
  // The file holds secrets.
  writeFileSync(config, configOf(secrets, { refusals, isolates, heapLimitMib }), { mode: 0o600 });
  // A new process group, which ends when this process exits.
  const child = spawn(WORKERD, ['serve', config, '--control-fd=3'], {
    detached: true,
    stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
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
  const [port] = await readPorts(child.stdio[3] as Readable, isolates);
  if (port === undefined || child.pid === undefined) {
    throw new Error(`workerd did not start:\n${printed.join('\n')}`);
  }
  return {
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Prints unhandled rejections, which the runtime does not. */
const WATCHED = `
addEventListener('unhandledrejection', ({ reason }) =>
  console.error('Unhandled rejection:', String(reason)));
export { default } from './worker.js';
export * from './worker.js';
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

/** Reads the ports that workerd opens. @returns nothing if workerd ends early */
async function readPorts(control: Readable, count: number): Promise<number[]> {
  const ports: number[] = [];
  for await (const line of createInterface(control)) {
    const { port }: { port: number } = JSON.parse(line);
    if (ports.push(port) === count) return ports;
  }
  return [];
}

function configOf(
  bindings: Record<string, string>,
  {
    refusals,
    isolates = 1,
    heapLimitMib,
  }: Pick<WorkerdOptions, 'refusals' | 'isolates'> & { heapLimitMib: number | undefined },
): string {
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const date = /^compatibility_date = (".+")$/m.exec(toml)?.[1];
  const flags = /^compatibility_flags = (\[.+\])$/m.exec(toml)?.[1];
  const list = (items: readonly string[]) => `[ ${items.join(', ')} ]`;
  const module = (name: string) => `(name = "${name}", esModule = embed "${name}")`;
  const bindingLines = Object.entries(bindings).map(
    ([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`,
  );
  const names = Array.from({ length: isolates }, (_, at) => `worker-${at}`);
  const services = ['(name = "internet", network = (allow = ["public", "private", "local"]))'];
  if (refusals !== undefined) {
    bindingLines.push('(name = "REFUSALS", service = "refusals")');
    services.push(`(name = "refusals", worker = (
      modules = [ ${module('refusals.js')} ], compatibilityDate = ${date}
    ))`);
  }
  for (const name of names) {
    services.push(`(name = "${name}", worker = (
      modules = [ ${module('watched.js')}, ${module('worker.js')} ],
      compatibilityDate = ${date},
      compatibilityFlags = ${flags},
      bindings = ${list(bindingLines)}
    ))`);
  }
  const sockets = names.map(
    (name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [ ${heapLimitMib === undefined ? '' : `"--max-heap-size=${heapLimitMib}"`} ],
  services = ${list(services)},
  sockets = ${list(sockets)}
);
`;
}
