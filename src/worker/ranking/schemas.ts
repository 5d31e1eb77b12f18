import * as z from 'zod/mini';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { PRIZES } from '../db/sql.ts';
import { onlyFields } from '../http/validation.ts';
import { later } from '../later.ts';
import { reason } from '../results/schemas.ts';

const rule = () => z.enum(RANKING_RULES, { error: `expected ${RANKING_RULES.join(', ')}` });

/** The query of getEventRanking. */
export const RankingQuery = later(() => z.object({ rule: z.optional(rule()) }));

const WHAT = 'Send an object with "rule", "prizes" or both, and "reason" if you like';

/** The body of updateEventRanking. */
export const EventRankingIn = later(() =>
  onlyFields(
    {
      rule: z.optional(rule()),
      prizes: z.optional(z.enum(PRIZES, { error: `expected ${PRIZES.join(', ')}` })),
      reason: reason(),
    },
    WHAT,
  ).check(z.refine(({ rule, prizes }) => rule ?? prizes, { error: WHAT })),
);

export type EventRankingIn = z.infer<ReturnType<typeof EventRankingIn>>;
