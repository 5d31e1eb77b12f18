import type { RequestIdVariables } from 'hono/request-id';
import type { Turn } from '../gate/turns.ts';
import type { LogFields } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Services } from '../services.ts';
import type { PageBindings } from './pages.ts';

export type AppEnv = {
  Bindings: PageBindings;
  Variables: RequestIdVariables & {
    services: Services;
    logFields: LogFields;
    /** Who sends the request: its organization, or its network as long as that is unknown. */
    sender: string;
    allowance?: Allowance;
    /** The turn that the request has, if its work is heavy. */
    turn?: Turn;
    /** How long a cache may serve what a board answers. */
    freshSeconds?: number;
  };
};
