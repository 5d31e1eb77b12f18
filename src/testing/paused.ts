import type { Database } from '../worker/db/client.ts';
import { buildServices } from '../worker/services.ts';
import { startApp, testConfig } from './harness.ts';

/** Long enough for another request between two statements. */
const PAUSE = { sql: 'select pg_sleep(1)', params: [] };

/**
 * An application whose transactions of three statements or more pause before the last statement. The embedded database
 * makes concurrent transactions wait: only a real server shows their work during the pause.
 */
export function startPausing() {
  const { db } = buildServices(testConfig, { info() {}, error() {} });
  let began = () => {};
  const pausing: Database = async (queries, ...options) => {
    const at = queries.length - 1;
    if (at < 2) return db(queries, ...options);
    began();
    const answers = await db([...queries.slice(0, at), PAUSE, ...queries.slice(at)], ...options);
    return answers.toSpliced(at, 1);
  };
  const { request } = startApp(testConfig, { db: pausing });
  return {
    /** Asks, and does something else before the last statement of the request. */
    async around(path: string, init: RequestInit, meanwhile: () => Promise<unknown>) {
      const { promise, resolve } = Promise.withResolvers<void>();
      began = resolve;
      const answer = request(path, init);
      await promise;
      await new Promise((soon) => setTimeout(soon, 300));
      await meanwhile();
      return answer;
    },
  };
}
