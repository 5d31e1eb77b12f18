#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { EXIT } from './exit-codes.ts';
import { interrupted, raceResults } from './terminal/race-results.ts';

// V8 would let rows that are read and forgotten take 100 MB. A laptop at a finish line has other work.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--optimize-for-size');
// `race-results log | head` closes the pipe early.
process.stdout.on('error', () => process.exit());

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The second Ctrl-C does not wait for anything.
  process.on(name, () =>
    stop.signal.aborted ? process.exit(EXIT.interrupted) : stop.abort(interrupted()),
  );
}
const { stdin, stdout, stderr, env } = process;
const terminal = { stdin, stdout, stderr, env, stop, folder: process.cwd() };
void raceResults(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode;
});
