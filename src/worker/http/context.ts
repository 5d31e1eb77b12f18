import type { Context } from 'hono';
import type { RequestIdVariables } from 'hono/request-id';
import { type Gate, withoutLarge } from '../gate/gate.ts';
import type { Turn } from '../gate/turns.ts';
import type { LogFields } from '../log.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { Use } from '../rate-limit/uses.ts';
import type { Services } from '../services.ts';

export type AppEnv = {
  Bindings: Env;
  Variables: RequestIdVariables & {
    services: Services;
    logFields: LogFields;
    /** Where the request comes from. */
    network: string;
    /** The sender of the request, once known. */
    organizationId?: string;
    allowance?: Allowance;
    /** The request's part of its key's counts. */
    use?: Use;
    /** The turn of a request with heavy work. */
    turn?: Turn;
    /** How long a cache may serve a board's answer. */
    freshSeconds?: number;
  };
};

/**
 * The sender whose share of the isolate a request takes: its organization, or its network while the organization is
 * unknown.
 */
export const senderOf = <E extends AppEnv>(c: Context<E>): string =>
  c.get('organizationId') ?? c.get('network');

/** The gate for a body that may arrive before the check of the caller. */
export function bodyGateOf<E extends AppEnv>(c: Context<E>): Gate {
  const { gate } = c.get('services');
  return c.get('organizationId') === undefined ? withoutLarge(gate) : gate;
}
