import { join } from 'node:path';
import { findRunning } from '../stack/running.ts';
import { ifStarted } from '../stack/script.ts';
import { readOptions } from './options.ts';
import { playRace } from './rehearsal.ts';
import { progressLine, summaryOf, verdictOn } from './summary.ts';
import { playThroughCli } from './through-cli.ts';

const STATE = join(import.meta.dirname, '../../../.local');
/** The exit code for shells after Ctrl-C. */
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
  const end = () => {
    process.exitCode = STOPPED;
    stop.abort(new Error('interrupted'));
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  const { signal } = stop;

  if (options.throughCli !== undefined) {
    const race = await playThroughCli({ ...options, signal }, options.throughCli, process);
    console.log(
      [`The files are in ${race.folder}.`, ...verdictOn(race.plan, race.differences)].join('\n'),
    );
    process.exitCode ??= race.differences.length === 0 ? 0 : 1;
    return;
  }
  const onProgress = (race: Parameters<typeof progressLine>[0]) => console.log(progressLine(race));
  const race = await playRace({ ...options, signal, onProgress });
  console.log(summaryOf(race));
  process.exitCode ??= race.interruption === undefined && race.differences.length === 0 ? 0 : 1;
}

ifStarted(import.meta.filename, main);
