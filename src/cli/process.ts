import { setFlagsFromString } from 'node:v8';
import { EXIT } from './exit-codes.ts';
import { interrupted, raceResults } from './terminal/race-results.ts';
import { openScreen } from './terminal/screen.ts';
import type { Pace } from './terminal/settings.ts';

/** Runs the command line of this process. @param pace replaces the usual pace in tests */
export async function runProcess(pace?: Pace): Promise<void> {
  // Without these flags, V8 lets forgotten rows take 100 MB. A laptop at a finish line has more work to do.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
  // `race-results log | head` closes the pipe early.
  process.stdout.on('error', () => process.exit());

  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The second Ctrl-C ends the process at once.
    process.on(name, () =>
      stop.signal.aborted ? process.exit(EXIT.interrupted) : stop.abort(interrupted()),
    );
  }
  const { stdin, stdout, stderr, env, argv } = process;
  const screen = argv[2] === 'watch' ? openScreen({ stdout, stderr }) : undefined;
  const terminal = { stdin, stdout, stderr, env, stop, folder: process.cwd() };
  process.exitCode = await raceResults(argv.slice(2), {
    ...terminal,
    ...(screen && { screen }),
    ...(pace && { pace }),
  });
  await screen?.end();
}
