import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import * as z from 'zod';
import { RaceResultsClient } from '../../client/index.ts';
import { type Race, type Registered, type RunningApi, startApi } from './api.ts';
import {
  type Ended,
  type InstalledCommand,
  installCommand,
  type RunningCommand,
  type StartCommand,
} from './command.ts';
import { type Cut, startTearingProxy, type TearingProxy } from './tearing-proxy.ts';

const Line = z.looseObject({ type: z.string() });
/** A line of `--json`. */
export type Line = z.infer<typeof Line>;

export const linesIn = (printed: string): Line[] =>
  printed
    .split('\n')
    .slice(0, -1)
    .map((line) => Line.parse(JSON.parse(line)));

/** A laptop at a finish line: a folder, the command, and a possibly bad network. */
export type Crew<Running extends RunningCommand = RunningCommand> = Race & {
  proxy: TearingProxy;
  env: Record<string, string>;
  /** The folder of the results file and the command's state. */
  folder: string;
  client: RaceResultsClient;
  write(name: string, text: string): void;
  read(name: string): string;
  run(...args: string[]): Promise<Ended>;
  start(...args: string[]): Running;
  /** The stored results by bib: `00:40:00.000` or `DNF`. */
  held(): Promise<Record<string, string>>;
};

export const WATCHING = ['--json'] as const;
/** The event of the race is tomorrow, which is a guard of `send`: a crew in a rehearsal passes the guard. */
export const REHEARSAL = [
  ...['--force', 'not_event_day,unknown_bibs,rows_fail_alike,unknown_status_words', '--json'],
] as const;

/** Starts the API before the tests of a file. */
export function useApi() {
  let api: RunningApi;
  beforeAll(async () => {
    api = await startApi(inject('workerEnv'));
  }, 120_000);
  afterAll(() => api?.stop());
  return () => api;
}

/** Installs the command before the tests of a file. */
export function useCommand(options: Parameters<typeof installCommand>[0] = {}) {
  let command: InstalledCommand;
  beforeAll(() => {
    command = installCommand(options);
  });
  afterAll(() => command?.remove());
  return () => command;
}

/**
 * Sends a crew, which leaves when the test ends.
 * @param cuts how the first connections break
 * @param race an event with another laptop as a sender
 */
export async function sendCrew<Running extends RunningCommand>(
  api: RunningApi,
  startCommand: StartCommand<Running>,
  {
    runners = 20,
    cuts = [],
    registration = {},
    race: shared,
  }: { runners?: number; cuts?: Cut[]; registration?: Registered; race?: Race } = {},
): Promise<Crew<Running>> {
  const [race, proxy] = await Promise.all([
    shared ?? api.createRace(runners, registration),
    startTearingProxy(api.origin, cuts),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'crew-'));
  onTestFinished(async () => {
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    RACE_RESULTS_API: proxy.origin,
    RACE_RESULTS_KEY: shared ? await race.createKey() : race.apiKey,
    RACE_RESULTS_EVENT: race.eventId,
    XDG_CONFIG_HOME: join(folder, 'home'),
  };
  // A separate key, so that the test's requests do not count against the command's rate limit.
  const client = new RaceResultsClient({ baseUrl: api.origin, apiKey: await race.createKey() });
  return {
    ...race,
    proxy,
    env,
    folder,
    client,
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    run: (...args) => startCommand(args, { cwd: folder, env }).ended,
    start: (...args) => startCommand(args, { cwd: folder, env }),
    async held() {
      const results: Record<string, string> = {};
      for await (const { bib_number, status, chip_time } of client.listEventResults(race.eventId)) {
        results[bib_number ?? ''] = chip_time ?? status;
      }
      return results;
    },
  };
}

/** The page of a `watch`, as a browser loads the page. */
export function pageOf(crew: Pick<Crew, 'read'>) {
  const [, address = ''] = /replace\("([^"]+)"\)/.exec(crew.read('.race-results/watch.html')) ?? [];
  const { origin, hash } = new URL(address);
  const ask = (path: string, more: RequestInit = {}) =>
    fetch(origin + path, { headers: { Authorization: `Bearer ${hash.slice(1)}` }, ...more });
  const view = async () => (await ask('/view')).text();
  /** Presses the first button. */
  const answer = async () => {
    const [, entry = ''] = /data-entry="([^"]+)"/.exec(await view()) ?? [];
    const body = entry.replaceAll('&quot;', '"');
    return (await ask('/entry', { method: 'POST', body })).status;
  };
  return { origin, token: hash.slice(1), view, answer };
}
