import { afterEach, beforeEach, vi } from 'vitest';

/**
 * In the tests of a file, reading gives way to no other request: a suggestion gives way a hundred times, and each
 * time waits a millisecond for a timer.
 */
export function withoutPauses(): void {
  const wait = setTimeout;
  beforeEach(() => {
    vi.stubGlobal('setTimeout', (run: () => void, ms = 0) =>
      ms > 0 ? wait(run, ms) : queueMicrotask(run),
    );
  });
  afterEach(() => void vi.unstubAllGlobals());
}
