import { join } from 'node:path';
import { readDemo } from '../local/demo.ts';
import { reasonOf } from '../local/listen.ts';
import { readOptions } from './options.ts';
import { progressBar } from './progress.ts';
import { playRace } from './race.ts';
import { summaryOf } from './summary.ts';

const STATE = join(import.meta.dirname, '../../.local');
/** What a shell tells of a program that Ctrl-C ended. */
const STOPPED = 130;

/** `npm run race`: plays a race against the running `npm run dev`, and says whether it is stored. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), {
    port: process.env['PORT'] ?? '8787',
    demo: readDemo(STATE),
  });
  await fetch(`${options.origin}/healthz`).catch((cause: unknown) => {
    throw new Error(`Nothing answers at ${options.origin}. Is \`npm run dev\` running?`, { cause });
  });
  const stop = new AbortController();
  // The uploads under way are still answered; a second Ctrl-C does not wait for them.
  const end = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', end).once('SIGTERM', end);

  const bar = progressBar(process.stdout);
  const race = await playRace({ ...options, signal: stop.signal, onProgress: bar.show });
  bar.clear();
  console.log(summaryOf(race));
  if (stop.signal.aborted) process.exitCode = STOPPED;
  else if (race.interruption !== undefined || race.differences.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
