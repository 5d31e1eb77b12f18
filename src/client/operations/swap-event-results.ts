// Generated from the OpenAPI document by `npm run generate:client`.

import type { Connection, Operation, RequestOptions } from '../connection.ts';
import type { ResultSwapIn } from '../types.ts';

export const request: Operation<'swapEventResults'> = { id: 'swapEventResults', method: 'POST', path: '/public/v1/events/{event_id}/results/swap' };

export function swapEventResults(api: Connection, eventId: string, resultSwap: ResultSwapIn, options?: RequestOptions) {
  return api.send(request, { ...options, ids: [eventId], json: resultSwap, isOnce: true });
}
