import { globalRegistry } from 'zod';
import { REASON_MAX } from '../db/sql.ts';
import { rankBy } from '../events/answer-schemas.ts';
import { OrganizationEvent } from '../events/panel-answer-schemas.ts';
import { describeFields, type ProseOf } from '../http/documentation.ts';
import { ONE_LINE } from '../http/validation.ts';
import { EventChange, EventRanking } from './answer-schemas.ts';
import type { rankingRoutes } from './routes.ts';
import { EventRankingIn, RankingQuery } from './schemas.ts';

EventRankingIn().register(globalRegistry, {
  id: 'EventRankingIn',
  description: 'The rule of ranking, and why it changes.',
});

const RULE = { ...globalRegistry.get(rankBy), description: 'The rule of ranking.' };

describeFields(EventRankingIn(), {
  rule: RULE,
  reason: {
    description: `Why, in one line of at most ${REASON_MAX} characters.`,
    maxLength: REASON_MAX,
    pattern: ONE_LINE,
    examples: ['The federation asks for gun times.'],
  },
});

describeFields(RankingQuery(), { rule: RULE });

export const rankingProse: ProseOf<typeof rankingRoutes> = {
  getEventRanking: {
    tag: 'Organization',
    summary: 'Preview a rule of ranking',
    description:
      'Tells how the event ranks, and what another `rule` would change: how many finishers would get another place within ' +
      'their distance, and in which groups the first three would change. It changes nothing.',
    answer: { status: 200, description: 'How the event ranks.', schema: EventRanking },
    errors: { 400: { rule: 'rule: expected chip, gun, gun_overall, not "net".' } },
  },
  updateEventRanking: {
    tag: 'Organization',
    summary: "Set an event's rule of ranking",
    description: `
Sets the rule that the places within a distance follow, and with them lists, files, the board and official versions. The
positions in the whole event stay those by chip time. The history of the event keeps who changed the rule, and the reason.
An official version keeps the rule that it was made with: under another one, the results count as changed since.`.trim(),
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
    errors: { 400: { rule: 'rule: expected chip, gun, gun_overall, not "net".' } },
  },
  listEventChanges: {
    tag: 'Organization',
    summary: 'List the changes of an event',
    description:
      "Lists what users changed about an event in the panel, latest change first. What changed results is in the event's batches.",
    answer: { status: 200, description: 'A page of changes.', listOf: EventChange },
  },
};
