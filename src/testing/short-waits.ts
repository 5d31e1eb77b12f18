import { vi } from 'vitest';

/**
 * Makes each wait and each deadline of `ofMs` end after `toMs`, until `vi.restoreAllMocks()`. Other waits stay as they
 * are, so that a busy machine meets no deadline sooner.
 */
export function shortenWait(ofMs: number, toMs: number): void {
  const shortened = (ms: number) => (ms === ofMs ? toMs : ms);
  const wait = setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) => wait(run, shortened(ms)));
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(shortened(ms)));
}
