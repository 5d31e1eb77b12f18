import { join } from 'node:path';
import { findRunning } from '../stack/running.ts';
import { ifStarted } from '../stack/script.ts';
import { readOptions } from './options.ts';
import { progressLine } from './progress.ts';
import { playRace } from './rehearsal.ts';
import { summaryOf } from './summary.ts';
import { cliSummary, hasFailed, playThroughCli } from './through-cli.ts';

const STATE = join(import.meta.dirname, '../../../.local');
/** The exit code that shells expect after Ctrl-C. */
const STOPPED = 130;

/** `npm run race`: plays a race against the `npm run dev` of this checkout, and checks the stored results. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), await findRunning(STATE));
  await fetch(`${options.origin}/healthz`).catch((cause: unknown) => {
    throw new Error(`No API answers at ${options.origin} (\`npm run dev\` starts it)`, {
      cause,
    });
  });
  const stop = new AbortController();
  // The race waits for the upload under way. A second Ctrl-C ends the process at once.
  const end = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', end).once('SIGTERM', end);

  if (options.throughCli !== undefined) {
    const race = await playThroughCli(
      { ...options, signal: stop.signal },
      options.throughCli,
      (line) => console.log(line),
    ).catch((error: unknown) => {
      if (stop.signal.aborted) return undefined;
      throw error;
    });
    if (race) console.log(cliSummary(race));
    process.exitCode = race ? Number(hasFailed(race)) : STOPPED;
    return;
  }

  const race = await playRace({
    ...options,
    signal: stop.signal,
    onProgress: (progress) => console.log(progressLine(progress)),
  });
  console.log(summaryOf(race));
  if (stop.signal.aborted) process.exitCode = STOPPED;
  else if (race.interruption !== undefined || race.differences.length > 0) process.exitCode = 1;
}

ifStarted(import.meta.filename, main);
