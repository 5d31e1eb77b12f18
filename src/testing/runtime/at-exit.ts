import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Turns signals into a normal exit, so that the exit handlers run. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
}

/** Creates a folder for the lifetime of this process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'race-results-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ends the process group of a detached child when this process exits. */
export function endGroupAtExit(child: ChildProcess): void {
  const end = () => {
    const { pid, exitCode, signalCode } = child;
    if (pid !== undefined && exitCode === null && signalCode === null)
      process.kill(-pid, 'SIGTERM');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}
