// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultSwapIn } from '../types.ts';

export const request: Operation<'swapEventResults'> = { id: 'swapEventResults', method: 'POST', path: '/public/v1/events/{event_id}/results/swap' };

/**
 * Gives each of two runners the whole result of the other one: status, times, splits and passings. Two bibs were mixed
 * up at the start, or one runner wore both. A runner without a result gets that of the other one, who then has none.
 * The client does not retry it. Scope `results:write`.
 */
export function swapEventResults(api: Connection, eventId: string, resultSwap: ResultSwapIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId], json: resultSwap, isOnce: true });
}
