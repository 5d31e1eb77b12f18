import type { Context } from 'hono';
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
    /** Where the request comes from. */
    network: string;
    /** Who sends the request, as soon as that is known. */
    organizationId?: string;
    allowance?: Allowance;
    /** The turn that the request has, if its work is heavy. */
    turn?: Turn;
    /** How long a cache may serve what a board answers. */
    freshSeconds?: number;
  };
};

/** Whose share of the isolate a request takes: its organization's, or its network's as long as that is unknown. */
export const senderOf = <E extends AppEnv>(c: Context<E>): string =>
  c.get('organizationId') ?? c.get('network');
