import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { RaceResultsClient, type Result } from '../../client/index.ts';
import { type Difference, misheld } from './check.ts';
import { startExport } from './export-file.ts';
import { planRace, type RacePlan } from './plan.ts';
import { type RaceOptions, readEntrants } from './rehearsal.ts';

const COMMAND = join(import.meta.dirname, '../../cli/main.ts');
/** The race is exported into two files of a folder, as two races of one event are. */
const EXPORTS = 'exports';
const FILES = ['10k.csv', '21k.csv'];
const fileOf = (bib: string): number => bib.length % FILES.length;

const WRITE_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 100;
/** After the race, the command has this long to send the remaining rows. */
const LAST_ROWS_MS = 60_000;
const INTERRUPTED = 130;

const Status = z.object({
  type: z.literal('status'),
  message: z.string(),
  queue: z.int(),
  fileRows: z.int(),
});

/** A race that was written into a file and sent from there by the command. */
type CliRehearsal = {
  /** Holds the file and the state of the command. */
  folder: string;
  plan: RacePlan;
  /** The number of results that the API must hold. */
  results: number;
  differences: readonly Difference[];
  /** The exit code of the command. */
  exitCode: number | null;
};

/**
 * Writes a race into files of a folder that `race-results watch` sends.
 * @param into gets a new folder for the race
 * @param onLine receives each line that the command prints
 * @throws Error if the race cannot start, the command ends early, or it does not send every row
 */
export async function playThroughCli(
  options: RaceOptions,
  into: string,
  onLine: (line: string) => void,
): Promise<CliRehearsal> {
  const { origin, apiKey, eventId, signal = new AbortController().signal } = options;
  const client = new RaceResultsClient({ baseUrl: origin, apiKey });
  const entrants = await readEntrants(client, options, signal);
  const plan = planRace(entrants, options.seed);
  await mkdir(into, { recursive: true });
  const folder = await mkdtemp(join(resolve(into), 'race-'));
  await mkdir(join(folder, EXPORTS));
  const rows = plan.finalRows;
  const splits = [...new Set([...rows.values()].flatMap((row) => Object.keys(row.splits)))].sort(
    (a, b) => Number(a.slice(3)) - Number(b.slice(3)),
  );
  const files = await Promise.all(
    FILES.map((name) => startExport(join(folder, EXPORTS, name), splits, wait)),
  );
  const command = startCommand(folder, options, onLine);
  try {
    await writeRace(options, plan, files, command);
    await command.untilSent(files.reduce((sum, file) => sum + file.rows(), 0));
  } finally {
    command.stop();
  }
  const exitCode = await command.ended;
  const held: Result[] = [];
  for await (const result of client.listEventResults(eventId, {}, { signal })) held.push(result);
  const differences = misheld(rows, held);
  return { folder, plan, results: rows.size, differences, exitCode };
}

async function writeRace(
  { speed, signal }: RaceOptions,
  { reports }: RacePlan,
  files: readonly Awaited<ReturnType<typeof startExport>>[],
  command: Command,
): Promise<void> {
  const startedAt = performance.now();
  for (let written = 0; written < reports.length; ) {
    signal?.throwIfAborted();
    command.throwIfEnded();
    await wait(WRITE_EVERY_MS, undefined, { signal });
    const clockMs = (performance.now() - startedAt) * speed;
    const due = reports.slice(written).filter(({ atMs }) => atMs <= clockMs);
    for (const [at, file] of files.entries()) {
      await file.write(due.filter(({ row }) => fileOf(row.bib_number) === at));
    }
    written += due.length;
  }
  for (const file of files) await file.finish();
}

type Command = ReturnType<typeof startCommand>;

function startCommand(
  folder: string,
  { origin, apiKey, eventId }: RaceOptions,
  onLine: (line: string) => void,
) {
  const args = ['watch', EXPORTS, '--json', '--settle', '0.3', '--every', '1'];
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', COMMAND, ...args],
    {
      cwd: folder,
      env: {
        ...process.env,
        RACE_RESULTS_API: origin,
        RACE_RESULTS_KEY: apiKey,
        RACE_RESULTS_EVENT: eventId,
        // Its settings stay in the folder of the race.
        XDG_CONFIG_HOME: join(folder, 'home'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let last: z.infer<typeof Status> | undefined;
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      const printed: unknown = JSON.parse(line);
      const event = z.object({ message: z.string() }).safeParse(printed);
      if (event.success) onLine(event.data.message);
      const status = Status.safeParse(printed);
      if (status.success) last = status.data;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  const throwIfEnded = () => {
    if (child.exitCode === null) return;
    throw new Error(`race-results ended with ${child.exitCode} before the race was over.`);
  };
  return {
    ended,
    throwIfEnded,
    stop: () => child.kill('SIGINT'),
    /** Waits until the command has read this many rows and its queue is empty. */
    async untilSent(rows: number): Promise<void> {
      const end = performance.now() + LAST_ROWS_MS;
      while (last?.fileRows !== rows || last.queue > 0) {
        throwIfEnded();
        if (performance.now() > end) {
          throw new Error(`race-results did not send every row: ${last?.message}`);
        }
        await wait(LOOK_EVERY_MS);
      }
    },
  };
}

const LINES_SHOWN = 10;

/** The report that `npm run race -- --through-cli` prints. */
export function cliSummary({ folder, results, differences, exitCode }: CliRehearsal): string {
  const lines = differences.slice(0, LINES_SHOWN).map(({ bib, what }) => `  bib ${bib}: ${what}`);
  return [
    `The files are in ${folder}. race-results ended with ${exitCode}.`,
    ...(differences.length === 0
      ? [`All ${results} results are stored as they were written.`]
      : [`The stored results of ${differences.length} bibs differ from the file:`, ...lines]),
  ].join('\n');
}

export const hasFailed = ({ differences, exitCode }: CliRehearsal): boolean =>
  differences.length > 0 || exitCode !== INTERRUPTED;
