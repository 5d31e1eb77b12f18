import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Terminal } from '../../cli/terminal/context.ts';
import { interrupted, raceResults } from '../../cli/terminal/race-results.ts';
import { sleep } from '../../client/waiting.ts';
import { differencesBetween } from './check.ts';
import { exportTo, splitNamesOf } from './export-file.ts';
import type { RacePlan } from './plan.ts';
import {
  clearCourse,
  clientOf,
  pace,
  planOf,
  type RaceOptions,
  resultsOf,
  tellStarts,
} from './rehearsal.ts';

/** The race is exported into two files of a folder, like two races of an event. */
const EXPORTS = 'exports';
const FILES = ['10k.csv', '21k.csv'];

const LOOK_EVERY_MS = 1_000;
/** After the race, the command has this long to send the remaining rows. */
const LAST_ROWS_MS = 30_000;

/** A race written into files, which the command sends. */
type CliRehearsal = {
  /** Holds the files and the state of the command. */
  folder: string;
  plan: RacePlan;
  /** Differences between the plan and the stored results. */
  differences: readonly string[];
};

/**
 * Writes a race into files of a folder that `race-results watch` sends.
 * @param into gets a new folder for the race
 * @param streams receive the command's output
 * @throws Error if the race cannot start or the command ends early
 */
export async function playThroughCli(
  options: RaceOptions,
  into: string,
  streams: Pick<Terminal, 'stdout' | 'stderr'>,
): Promise<CliRehearsal> {
  const client = clientOf(options);
  const plan = await planOf(client, options);
  await clearCourse(client, options);
  await tellStarts(client, options, plan);
  await mkdir(into, { recursive: true });
  const folder = await mkdtemp(join(resolve(into), 'race-'));
  await mkdir(join(folder, EXPORTS));
  const splits = splitNamesOf([...plan.finalRows.values()]);
  const files = FILES.map((name) =>
    exportTo(join(folder, EXPORTS, name), splits, (ms) => sleep(ms, undefined)),
  );
  for (const write of files) await write([]);

  const stop = new AbortController();
  const command = raceResults(['watch', EXPORTS], {
    ...streams,
    pace: { settleMs: 300, everyMs: 1_000 },
    stdin: Readable.from([]),
    stop,
    folder,
    env: {
      ...process.env,
      RACE_RESULTS_API: options.origin,
      RACE_RESULTS_KEY: options.apiKey,
      RACE_RESULTS_EVENT: options.eventId,
      // The command's settings stay in the folder of the race.
      XDG_CONFIG_HOME: join(folder, 'home'),
    },
  });
  const end = new AbortController();
  void command.then((exitCode) =>
    end.abort(new Error(`race-results ended with ${exitCode} before the race was over.`)),
  );
  const signal = AbortSignal.any([end.signal, options.signal ?? end.signal]);
  try {
    await pace(plan.reports, { ...options, signal }, async (due) => {
      for (const [at, write] of files.entries()) {
        const own = due.filter(({ row }) => row.bib_number.length % FILES.length === at);
        if (own.length > 0) await write(own);
      }
    });
    for (const write of files) await write([]);
    for (const untilMs = performance.now() + LAST_ROWS_MS; ; ) {
      await sleep(LOOK_EVERY_MS, signal);
      const differences = differencesBetween(plan, await resultsOf(client, options));
      if (differences.length === 0 || performance.now() > untilMs)
        return { folder, plan, differences };
    }
  } finally {
    stop.abort(interrupted());
    await command;
  }
}
