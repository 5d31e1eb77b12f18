import * as z from 'zod/mini';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';
import { reason } from '../results/schemas.ts';

const rule = () => z.enum(RANKING_RULES, { error: `expected ${RANKING_RULES.join(', ')}` });

/** The query of getEventRanking. */
export const RankingQuery = later(() => z.object({ rule: z.optional(rule()) }));

/** The body of updateEventRanking. */
export const EventRankingIn = later(() =>
  onlyFields(
    { rule: rule(), reason: reason() },
    'Send an object with "rule", and "reason" if you like',
  ),
);

export type EventRankingIn = z.infer<ReturnType<typeof EventRankingIn>>;
