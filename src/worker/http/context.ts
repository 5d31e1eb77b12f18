import type { RequestIdVariables } from 'hono/request-id';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Services } from '../services.ts';
import type { PageBindings } from './pages.ts';

/** What handlers and guards add to the request's log line. */
type LogFields = {
  keyId?: string;
  /** Sequential round trips to the database. */
  trips: number;
  /** Rows that a read answers, or rows of an upload. */
  rows?: number;
};

export type AppEnv = {
  Bindings: PageBindings;
  Variables: RequestIdVariables & {
    services: Services;
    logFields: LogFields;
    allowance?: Allowance;
  };
};
