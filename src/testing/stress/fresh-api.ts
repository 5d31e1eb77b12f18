import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type RunningApi, startApi } from '../runtime/api.ts';
import { type OwnStack, startOwnStack } from '../runtime/own-stack.ts';

/**
 * Starts a database for the tests of a file, and a Worker for each test: memory of an earlier body would be free for the
 * next body.
 * @param heapLimitMib V8 keeps garbage while memory is plenty, which is so here and not on the platform
 */
export function useFreshApi(heapLimitMib: number) {
  let own: OwnStack;
  let api: RunningApi;
  beforeAll(async () => {
    own = await startOwnStack(inject('servers'));
  });
  afterAll(() => own?.stop());
  beforeEach(async () => {
    api = await startApi(own.stack.workerEnv, { heapLimitMib });
  });
  afterEach(() => api?.stop());
  return {
    get own() {
      return own;
    },
    get api() {
      return api;
    },
  };
}
