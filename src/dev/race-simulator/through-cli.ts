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
import { planRace, type RacePlan, type Report, type ResultRow } from './plan.ts';
import { type RaceOptions, readEntrants } from './rehearsal.ts';

const COMMAND = join(import.meta.dirname, '../../cli/main.ts');
const WRITE_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 100;
/** After the race, the command has this long to send what is left. */
const LAST_ROWS_MS = 60_000;
const INTERRUPTED = 130;

const Status = z.object({
  type: z.literal('status'),
  message: z.string(),
  queue: z.int(),
  file: z.object({ rows: z.int() }).optional(),
});

/** A race that timing software wrote into a file, and the command sent from there. */
export type CliRehearsal = {
  /** Where the file and the state of the command are. */
  folder: string;
  plan: RacePlan;
  /** Results that the API should hold. */
  results: number;
  differences: readonly Difference[];
  /** The exit code of the command. */
  exitCode: number | null;
};

/**
 * Plays a race into a file, and lets `race-results watch` send it.
 * @param into the race gets a new folder in this one
 * @param onLine receives what the command says
 * @throws Error if the race cannot start, the command ends early, or it does not send everything
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
  const path = join(folder, 'results.csv');
  const splits = [...new Set(plan.outcomes.flatMap(({ splitsMs }) => Object.keys(splitsMs)))].sort(
    (a, b) => Number(a.slice(3)) - Number(b.slice(3)),
  );
  const file = await startExport(path, splits, wait);
  const command = startCommand(folder, options, onLine);
  try {
    await writeRace(options, plan, file, command);
    await command.untilSent(file.rows());
  } finally {
    command.stop();
  }
  const exitCode = await command.ended;
  const rows = expectedRows(plan, new Set(entrants.map(({ bib }) => bib)));
  const held: Result[] = [];
  for await (const result of client.listEventResults(eventId, {}, { signal })) held.push(result);
  const differences = misheld(rows, held);
  return { folder, plan, results: rows.size, differences, exitCode };
}

/** All reports of a race in the order in which they are made. */
const reportsOf = ({ points }: RacePlan): Report[] =>
  points.flatMap(({ reports }) => reports).sort((one, other) => one.atMs - other.atMs);

/** The last row of each bib. A bib that was misread has no registration. */
function expectedRows(plan: RacePlan, registered: ReadonlySet<string>): Map<string, ResultRow> {
  const rows = new Map<string, ResultRow>();
  for (const { row } of reportsOf(plan)) {
    if (registered.has(row.bib_number)) rows.set(row.bib_number, row);
  }
  return rows;
}

async function writeRace(
  { speed, signal }: RaceOptions,
  plan: RacePlan,
  file: Awaited<ReturnType<typeof startExport>>,
  command: Command,
): Promise<void> {
  const reports = reportsOf(plan);
  const startedAt = performance.now();
  for (let told = 0; told < reports.length; ) {
    signal?.throwIfAborted();
    command.throwIfEnded();
    await wait(WRITE_EVERY_MS, undefined, { signal });
    const clockMs = (performance.now() - startedAt) * speed;
    const due = reports.slice(told).filter(({ atMs }) => atMs <= clockMs);
    await file.write(due);
    told += due.length;
  }
  await file.finish();
}

type Command = ReturnType<typeof startCommand>;

function startCommand(
  folder: string,
  { origin, apiKey, eventId }: RaceOptions,
  onLine: (line: string) => void,
) {
  const args = ['watch', 'results.csv', '--json', '--settle', '0.3', '--every', '1'];
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', COMMAND, ...args, '--force', 'rehearsal'],
    {
      cwd: folder,
      env: {
        ...process.env,
        RACE_RESULTS_API: origin,
        RACE_RESULTS_KEY: apiKey,
        RACE_RESULTS_EVENT: eventId,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let last: z.infer<typeof Status> | undefined;
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      const said = z.object({ message: z.string() }).safeParse(JSON.parse(line));
      if (said.success) onLine(said.data.message);
      const status = Status.safeParse(JSON.parse(line));
      if (status.success) last = status.data;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  const throwIfEnded = () => {
    if (child.exitCode === null) return;
    throw new Error(`race-results ended with ${child.exitCode} in the middle of the race.`);
  };
  return {
    ended,
    throwIfEnded,
    stop: () => child.kill('SIGINT'),
    /** Waits until the command has read so many rows, and nothing waits. */
    async untilSent(rows: number): Promise<void> {
      const end = performance.now() + LAST_ROWS_MS;
      while (last?.file?.rows !== rows || last.queue > 0) {
        throwIfEnded();
        if (performance.now() > end) {
          throw new Error(`race-results did not send everything: ${last?.message}`);
        }
        await wait(LOOK_EVERY_MS);
      }
    },
  };
}

const LINES_SHOWN = 10;

/** What it came to, for whoever played it. */
export function cliSummary({ folder, results, differences, exitCode }: CliRehearsal): string {
  const lines = differences.slice(0, LINES_SHOWN).map(({ bib, what }) => `  bib ${bib}: ${what}`);
  return [
    `The race is in ${folder}. race-results ended with ${exitCode}, as after Ctrl-C.`,
    ...(differences.length === 0
      ? [`The API holds all ${results} results as they were raced.`]
      : [`The API does not hold what was raced (${differences.length} bibs):`, ...lines]),
  ].join('\n');
}

export const hasFailed = ({ differences, exitCode }: CliRehearsal): boolean =>
  differences.length > 0 || exitCode !== INTERRUPTED;
