import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../local/listen.ts';
import { exitOnSignals, temporaryFolder } from './at-exit.ts';
import { benchBundle } from './bundle.ts';
import { benchDatabase } from './database.ts';
import { linesTable, type Report } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchReads } from './reads.ts';
import { benchStandings } from './standings.ts';
import { benchTrips } from './trips.ts';
import { benchUploads } from './uploads.ts';
import { type Build, buildWorker } from './worker.ts';

/** Told apart from a bench that broke: a busy machine may miss a goal. */
const GOAL_MISSED = 2;

type Bench = (build: Build) => Promise<Report>;

/** On an embedded stack, as every machine has it; these run when none is named. */
const ANYWHERE: Record<string, Bench> = { trips: benchTrips, bundle: benchBundle };

/** On a real PostgreSQL and Redis. */
const ON_SERVERS: Record<string, Bench> = {
  database: benchDatabase,
  uploads: benchUploads,
  reads: benchReads,
  standings: benchStandings,
  memory: benchMemory,
};

const BENCHES = { ...ANYWHERE, ...ON_SERVERS };

/**
 * `npm run bench`: measures, and fails where a goal is missed.
 * `-- reads memory` runs the benches named, `-- --out FILE` also writes the report to a file.
 */
async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    options: { out: { type: 'string' } },
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(ANYWHERE);
  const benches = names.map((name) => {
    const bench = BENCHES[name];
    if (!bench) throw new Error(`No bench ${name}: there are ${Object.keys(BENCHES).join(', ')}.`);
    return bench;
  });

  exitOnSignals();
  const build = await buildWorker(temporaryFolder());
  const reports: Report[] = [];
  for (const bench of benches) reports.push(await bench(build));

  const lines = reports.flatMap((report) => report.lines);
  const report = [linesTable(lines), ...reports.flatMap(({ notes }) => notes)].join('\n\n');
  console.log(report);
  if (flags.out !== undefined) writeFileSync(flags.out, `${report}\n`);
  if (lines.some(({ met }) => met === false)) process.exitCode = GOAL_MISSED;
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
