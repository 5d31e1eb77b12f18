import { realpathSync } from 'node:fs';
import { reasonOf } from './listen.ts';

/** Runs a script if node was started with the script's file. A failure is a single line, and exit code 1. */
export function ifStarted(filename: string, main: () => Promise<void>): void {
  // A checkout may be reached through a link.
  if (filename !== realpathSync(process.argv[1] ?? '.')) return;
  main().catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode ??= 1;
  });
}
