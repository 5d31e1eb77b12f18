import type { RequestIdVariables } from 'hono/request-id';
import type { LogFields } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Services } from '../services.ts';
import type { PageBindings } from './pages.ts';
import type { Holder } from './shares.ts';

export type AppEnv = {
  Bindings: PageBindings;
  Variables: RequestIdVariables & {
    services: Services;
    logFields: LogFields;
    /** Whose share the request takes: its organization's, or its network's as long as that is unknown. */
    sender: string;
    allowance?: Allowance;
    /** What an export holds its share with. */
    exportHolder: Holder;
    /** How long a cache may serve what a board answers. */
    freshSeconds?: number;
  };
};
