import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../dev/stack/listen.ts';
import { exitOnSignals, temporaryFolder } from '../testing/runtime/at-exit.ts';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { benchBundle } from './bundle.ts';
import { benchDatabase } from './database.ts';
import { benchLoad } from './load.ts';
import type { Report } from './measure.ts';
import { benchOrdinary } from './ordinary/ordinary.ts';
import { benchPages } from './pages.ts';
import { benchPassings } from './passings.ts';
import { benchPreviews } from './previews.ts';
import { benchProcessor } from './processor/processor.ts';
import { serverVersion } from './race.ts';
import { benchRanking } from './ranking.ts';
import { benchReads } from './reads.ts';
import { resultsFile, textOf } from './report.ts';
import { benchTrips } from './trips.ts';
import { benchUploads } from './uploads.ts';

const RESULTS = join(import.meta.dirname, 'RESULTS.md');
/** A busy machine may miss a goal that depends on the clock. Any other goal must hold, with some room. */
const [GOAL_BROKEN, GOAL_MISSED] = [1, 2];

type Bench = (build: Build) => Promise<Report>;

/** These need only the embedded stack, and `pages` Chromium. They run when no bench is named. */
const ON_EMBEDDED_STACK: Record<string, Bench> = {
  trips: benchTrips,
  bundle: benchBundle,
  processor: benchProcessor,
  pages: benchPages,
};

/** These need a real PostgreSQL and Redis, and `ordinary` installs packages of its own. */
const ON_REAL_SERVERS: Record<string, Bench> = {
  database: benchDatabase,
  uploads: benchUploads,
  reads: benchReads,
  ranking: benchRanking,
  passings: benchPassings,
  previews: benchPreviews,
  ordinary: benchOrdinary,
  load: benchLoad,
};

const BENCHES = { ...ON_EMBEDDED_STACK, ...ON_REAL_SERVERS };

/**
 * `npm run bench`: measures, prints a report, and fails if a figure misses its goal: with 1 if the goal is one of bytes,
 * trips or processor time and missed by more than 15 %, else with 2. A line without a goal is a report; one of bytes or
 * processor time still fails with 1 if it is so much worse than it was.
 * `-- reads uploads` runs these benches. `-- --write` also writes the report to `src/bench/RESULTS.md`:
 * if you name no bench, with all of them.
 */
async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    options: { write: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unnamed = Object.keys(flags.write ? BENCHES : ON_EMBEDDED_STACK);
  const benches = (positionals.length > 0 ? positionals : unnamed).map((name) => {
    const run = BENCHES[name];
    if (run) return { name, run };
    throw new Error(`There is no bench ${name}. The benches: ${Object.keys(BENCHES).join(', ')}.`);
  });

  exitOnSignals();
  const build = await buildWorker(temporaryFolder());
  const usesServers = benches.some(({ name }) => name in ON_REAL_SERVERS);
  const server = flags.write && usesServers ? await serverVersion() : undefined;
  const reports: (Report & { name: string })[] = [];
  for (const { name, run } of benches) {
    const report = await run(build);
    console.log(`${textOf(report)}\n`);
    reports.push({ name, ...report });
    // The benches take half an hour together. If one fails, the others are written.
    if (flags.write) writeFileSync(RESULTS, resultsFile(reports, server));
  }
  const lines = reports.flatMap((report) => report.lines);
  if (lines.some(({ met }) => met === false)) process.exitCode = GOAL_MISSED;
  if (lines.some(({ isBroken }) => isBroken)) process.exitCode = GOAL_BROKEN;
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
