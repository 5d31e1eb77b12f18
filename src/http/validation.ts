import { zValidator } from '@hono/zod-validator';
import * as z from 'zod';
import { invalid, notFound } from '../errors.ts';

/**
 * Checks the query string.
 * @throws ApiError VALIDATION_ERROR naming each parameter, what was found and what is accepted.
 */
export const query = <T extends z.ZodType>(schema: T) =>
  zValidator('query', schema, (result) => {
    if (result.success) return;
    throw invalid(result.error.issues.map((issue) => describe(issue, result.data)).join(' '));
  });

const EventPath = z.object({ event_id: z.guid() });

/**
 * Checks `event_id`; stands after the other checks, as a missing resource is judged last.
 * @throws ApiError NOT_FOUND: what is no uuid names no event.
 */
export const eventPath = zValidator('param', EventPath, (result) => {
  if (!result.success) throw eventNotFound();
});

export const eventNotFound = () => notFound('This event');

function describe(issue: z.core.$ZodIssue, sent: unknown): string {
  const name = issue.path.join('.');
  if (name === '') return `${issue.message}.`;
  const value = new Map(Object.entries(sent ?? {})).get(name);
  return `${name}: ${issue.message}, not ${JSON.stringify(value)?.slice(0, 60)}.`;
}
