import type { RequestIdVariables } from 'hono/request-id';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Services } from '../services.ts';

/** What a request's one log line says beyond method, route, status and time. */
export type RequestFacts = {
  keyId?: string;
  /** Round trips waited for, one after the other. */
  trips: number;
  /** Rows read, or rows of an upload. */
  rows?: number;
};

export type AppEnv = {
  Variables: RequestIdVariables & {
    services: Services;
    facts: RequestFacts;
    allowance?: Allowance;
  };
};
