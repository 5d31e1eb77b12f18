import { parseArgs } from 'node:util';
import { reasonOf } from '../dev/stack/listen.ts';
import { exitOnSignals, temporaryFolder } from '../testing/runtime/at-exit.ts';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { benchBundle } from './bundle.ts';
import { type Report, textOf } from './measure.ts';
import { benchPages } from './pages.ts';
import { benchPassings } from './passings.ts';
import { benchProcessor } from './processor/processor.ts';
import { benchReads } from './reads.ts';
import { benchTrips } from './trips.ts';
import { benchUploads } from './uploads.ts';

/** A busy machine may miss a goal that depends on the clock. All further goals must hold, with some room. */
const [GOAL_BROKEN, GOAL_MISSED] = [1, 2];

type Bench = (build: Build) => Promise<Report>;

/** These need only the embedded stack, and `pages` Chromium. They run when the command names no bench. */
const ON_EMBEDDED_STACK: Record<string, Bench> = {
  trips: benchTrips,
  bundle: benchBundle,
  processor: benchProcessor,
  pages: benchPages,
};

/** These need a real PostgreSQL and Redis. CI runs them every night. */
const ON_REAL_SERVERS: Record<string, Bench> = {
  uploads: benchUploads,
  reads: benchReads,
  passings: benchPassings,
};

const BENCHES = { ...ON_EMBEDDED_STACK, ...ON_REAL_SERVERS };

/**
 * `npm run bench`: measures, prints a report, and fails if a figure misses its goal: with 1 if the goal counts bytes,
 * trips or processor time and is missed by more than 15 %, else with 2. `-- reads uploads` runs these benches.
 */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const names = positionals.length > 0 ? positionals : Object.keys(ON_EMBEDDED_STACK);
  const benches = names.map((name) => {
    const run = BENCHES[name];
    if (run) return run;
    throw new Error(`There is no bench ${name}. The benches: ${Object.keys(BENCHES).join(', ')}.`);
  });

  exitOnSignals();
  const build = await buildWorker(temporaryFolder());
  for (const run of benches) {
    const report = await run(build);
    console.log(`${textOf(report)}\n`);
    const codes = report.lines.map(({ met, isBroken }) =>
      isBroken ? GOAL_BROKEN : met === false ? GOAL_MISSED : 0,
    );
    if (codes.includes(GOAL_BROKEN)) process.exitCode = GOAL_BROKEN;
    else if (codes.includes(GOAL_MISSED)) process.exitCode ??= GOAL_MISSED;
  }
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
