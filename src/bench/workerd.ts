import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endGroupAtExit } from './at-exit.ts';
import { bundleOf } from './worker.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKERD = join(ROOT, 'node_modules/.bin/workerd');
const COMPATIBILITY_DATE = '2026-10-01';

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

/**
 * Runs bundles in one process of workerd and in nothing else: no proxy before it, as `wrangler dev`
 * has one, and no other isolate whose memory would be counted.
 */
export async function startWorkerd(
  workers: readonly Served[],
  { v8Flags = [] }: { v8Flags?: readonly string[] } = {},
): Promise<Workerd> {
  const folder = mkdtempSync(join(workers[0]?.folder ?? ROOT, 'workerd-'));
  for (const { name, folder: bundle } of workers) {
    symlinkSync(join(bundleOf(bundle), 'worker.js'), join(folder, `${name}.js`));
  }
  const config = join(folder, 'config.capnp');
  writeFileSync(config, configOf(workers, v8Flags));
  const child = spawn(
    WORKERD,
    ['serve', config, '--inspector-addr=127.0.0.1:0', '--control-fd=3'],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  endGroupAtExit(child);
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2_000);
  });
  const ports = await readPorts(child.stdio[3] as Readable, workers.length + 1);
  if (!ports || child.pid === undefined) throw new Error(`workerd did not start:\n${printed}`);
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
  const services = workers.map(({ name, bindings = {} }) => {
    const given = Object.entries(bindings).map(
      ([key, value]) => `(name = ${text(key)}, text = ${text(value)})`,
    );
    return `(name = ${text(name)}, worker = (
      modules = [ (name = "worker.js", esModule = embed ${text(`${name}.js`)}) ],
      compatibilityDate = ${text(COMPATIBILITY_DATE)},
      compatibilityFlags = ["nodejs_compat"],
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
