import type { Context } from 'hono';
import { transact } from '../../db/client.ts';
import { ApiError } from '../../errors.ts';
import type { AppEnv } from '../../http/context.ts';
import { timed } from '../../log.ts';
import type { Allowance } from '../../rate-limit/rate-limiter.ts';
import { findMember, type MemberValues } from './queries.ts';

/**
 * Counts a request of a session and of the organization's sessions together, before any other read or write. Only
 * managers count for the organization: no other user can use up its requests. An isolate that does not know the user's
 * role looks up the role first. The statements of the request judge the role.
 * @throws ApiError RATE_LIMITED
 */
export async function countPanelRequest(
  c: Context<AppEnv>,
  sessionId: string,
  member: MemberValues,
): Promise<void> {
  const logFields = c.get('logFields');
  const services = c.get('services');
  const { sessions, organizations } = services.panelLimits;
  const { organizationId } = member;

  const take = async (limiter: typeof sessions, sender: string): Promise<void> => {
    const taken = limiter.take(sender, (late) => c.executionCtx.waitUntil(late));
    const allowance = await timed(logFields, 'redis_ms', taken);
    if (!allowance.admitted) throw overPanelLimit(allowance);
  };

  async function manages(): Promise<boolean> {
    if (sessions.organizationOf(sessionId) === organizationId) return true;
    logFields.trips += 1;
    const found = transact(services.db, [findMember({})], member);
    const [[role]] = await timed(logFields, 'postgres_ms', found);
    return role?.manages ?? false;
  }

  await take(sessions, sessionId);
  if (!(await manages())) return;
  sessions.remember(sessionId, organizationId);
  c.set('organizationId', organizationId);
  await take(organizations, organizationId);
}

export const overPanelLimit = ({ resetSeconds }: Pick<Allowance, 'resetSeconds'>) =>
  new ApiError('RATE_LIMITED', 'The panel has used up its requests for this minute.', {
    retryAfterSeconds: resetSeconds,
  });
