import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a signal an exit like any other, so that what is released at exit is released then too. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
}

/** A folder that is gone when this process ends, however it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'race-results-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ends the group that a detached child leads, if the child is still there when this process ends. */
export function endGroupAtExit(child: ChildProcess): void {
  const end = () => {
    const { pid, exitCode, signalCode } = child;
    if (pid !== undefined && exitCode === null && signalCode === null)
      process.kill(-pid, 'SIGTERM');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}
