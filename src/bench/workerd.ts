import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endGroupAtExit } from './at-exit.ts';
import { bundleOf } from './worker.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKERD = join(ROOT, 'node_modules/.bin/workerd');
/** Of what the runtime says, as much as is told when it does not start. */
const TOLD_LINES = 50;

/** A bundled Worker, and what it is given. */
export type Served = { name: string; folder: string; bindings?: Record<string, string> };

export type Workerd = {
  pid: number;
  /** Where each of the Workers answers, by name. */
  origins: Record<string, string>;
  /** The address of the first Worker's debugging protocol. */
  inspector: string;
  stop(): Promise<void>;
};

export type WorkerdOptions = {
  v8Flags?: readonly string[];
  /** Is given what the Workers log and the runtime says; without it what they log is left unread. */
  onLine?: (line: string) => void;
};

/**
 * Runs bundles in one process of workerd and in nothing else: no proxy before it, as `wrangler dev`
 * has one, and no other isolate whose memory would be counted.
 */
export async function startWorkerd(
  workers: readonly Served[],
  { v8Flags = [], onLine }: WorkerdOptions = {},
): Promise<Workerd> {
  const folder = mkdtempSync(join(workers[0]?.folder ?? ROOT, 'workerd-'));
  for (const { name, folder: bundle } of workers) {
    symlinkSync(join(bundleOf(bundle), 'worker.js'), join(folder, `${name}.js`));
    writeFileSync(join(folder, `${name}.watched.js`), watched(name));
  }
  const config = join(folder, 'config.capnp');
  // It holds secrets.
  writeFileSync(config, configOf(workers, v8Flags), { mode: 0o600 });
  const child = spawn(
    WORKERD,
    ['serve', config, '--inspector-addr=127.0.0.1:0', '--control-fd=3'],
    // A group of its own, which ends with this process however it ends.
    { detached: true, stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe', 'pipe'] },
  );
  endGroupAtExit(child);
  const told: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      if (line.trim() === '') return;
      onLine?.(line);
      if (told.push(line) > TOLD_LINES) told.shift();
    });
  }
  const ports = await readPorts(child.stdio[3] as Readable, workers.length + 1);
  if (!ports || child.pid === undefined) {
    throw new Error(`workerd did not start:\n${told.join('\n')}`);
  }
  return {
    pid: child.pid,
    origins: Object.fromEntries(
      workers.map(({ name }) => [name, `http://127.0.0.1:${ports.get(name)}`]),
    ),
    inspector: `ws://127.0.0.1:${ports.get(INSPECTOR)}/${workers[0]?.name}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Of a promise that nobody waits for the runtime alone would say nothing. */
const watched = (name: string): string => `
addEventListener('unhandledrejection', ({ reason }) =>
  console.error('Unhandled rejection:', String(reason)));
export { default } from './${name}.js';
`;

const INSPECTOR = 'inspector';

/** What workerd tells of where it listens; undefined when it ends before it has told all. */
async function readPorts(
  control: Readable,
  expected: number,
): Promise<Map<string, number> | undefined> {
  const ports = new Map<string, number>();
  for await (const line of createInterface(control)) {
    const told: { socket?: string; port: number } = JSON.parse(line);
    ports.set(told.socket ?? INSPECTOR, told.port);
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
  const services = workers.map(({ name, bindings = {} }) => {
    const given = Object.entries(bindings).map(
      ([key, value]) => `(name = ${text(key)}, text = ${text(value)})`,
    );
    return `(name = ${text(name)}, worker = (
      modules = ${list([`${name}.watched.js`, `${name}.js`].map(file))},
      compatibilityDate = ${date},
      compatibilityFlags = ${flags},
      bindings = ${list(given)}
    ))`;
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
