import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../local/listen.ts';
import { exitOnSignals, temporaryFolder } from './at-exit.ts';
import { benchBundle } from './bundle.ts';
import { benchDatabase } from './database.ts';
import { benchEncodings } from './encodings.ts';
import type { Report } from './measure.ts';
import { benchMemory } from './memory.ts';
import { serverVersion } from './race.ts';
import { benchesInReadme, signed, textOf, writeToReadme } from './readme.ts';
import { benchReads } from './reads.ts';
import { benchStandings } from './standings.ts';
import { benchTraffic } from './traffic.ts';
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
  encodings: benchEncodings,
  traffic: benchTraffic,
  uploads: benchUploads,
  reads: benchReads,
  standings: benchStandings,
  memory: benchMemory,
};

const BENCHES = { ...ANYWHERE, ...ON_SERVERS };

/**
 * `npm run bench`: measures, and fails where a goal is missed.
 * `-- reads memory` runs the benches named, `-- --out FILE` also writes the report to a file, and
 * `-- --readme` each to its place in README.md: all that have one there, when none is named.
 */
async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    options: { out: { type: 'string' }, readme: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const placed = flags.readme ? benchesInReadme() : [];
  const unnamed = flags.readme ? placed : Object.keys(ANYWHERE);
  const benches = (positionals.length > 0 ? positionals : unnamed).map((name) => {
    const run = BENCHES[name];
    if (!run) throw new Error(`No bench ${name}: there are ${Object.keys(BENCHES).join(', ')}.`);
    if (flags.readme && !placed.includes(name))
      throw new Error(`README.md has no place for ${name}.`);
    return { name, run };
  });

  exitOnSignals();
  const build = await buildWorker(temporaryFolder());
  const reports: Report[] = [];
  for (const { name, run } of benches) {
    const report = await run(build);
    reports.push(report);
    if (flags.readme) {
      const server = name in ON_SERVERS ? await serverVersion() : undefined;
      writeToReadme(name, signed(name, report, server));
    }
  }

  const text = textOf(reports);
  console.log(text);
  if (flags.out !== undefined) writeFileSync(flags.out, `${text}\n`);
  const isMissed = ({ lines }: Report) => lines.some(({ met }) => met === false);
  if (reports.some(isMissed)) process.exitCode = GOAL_MISSED;
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
