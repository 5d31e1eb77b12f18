import type { RequestIdVariables } from 'hono/request-id';
import type { LogFields } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Services } from '../services.ts';
import type { PageBindings } from './pages.ts';

export type AppEnv = {
  Bindings: PageBindings;
  Variables: RequestIdVariables & {
    services: Services;
    logFields: LogFields;
    allowance?: Allowance;
  };
};
