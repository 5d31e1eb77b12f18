import { realpathSync } from 'node:fs';
import { reasonOf } from './listen.ts';

/** Runs a script if node was started with its file. A failure is one line, and exit code 1. */
export function ifStarted(filename: string, main: () => Promise<void>): void {
  // A checkout may be reached through a link.
  if (filename !== realpathSync(process.argv[1] ?? '.')) return;
  main().catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode ??= 1;
  });
}
