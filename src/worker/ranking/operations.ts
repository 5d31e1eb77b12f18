import { globalRegistry } from 'zod';
import { REASON_MAX } from '../db/sql.ts';
import { rankBy } from '../events/answer-schemas.ts';
import { OrganizationEvent, prizes } from '../events/panel-answer-schemas.ts';
import { describeFields, type ProseOf } from '../http/documentation.ts';
import { ONE_LINE } from '../http/validation.ts';
import { EventChange, EventRanking } from './answer-schemas.ts';
import type { rankingRoutes } from './routes.ts';
import { EventRankingIn, RankingQuery } from './schemas.ts';

EventRankingIn().register(globalRegistry, {
  id: 'EventRankingIn',
  description:
    'The rule of ranking or the prizes, and the reason of the change. A field that is not sent stays.',
});

const RULE = { ...globalRegistry.get(rankBy), description: 'The rule of ranking.' };

describeFields(EventRankingIn(), {
  rule: RULE,
  prizes: { ...globalRegistry.get(prizes) },
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
      'Answers the rule of the event, and the effect of a different `rule`: the number of finishers whose place ' +
      'within their distance would change, and the groups whose first three would change. The preview changes ' +
      'nothing.',
    answer: { status: 200, description: 'How the event ranks.', schema: EventRanking },
    errors: { 400: { rule: 'rule: expected chip, gun, gun_overall, not "net".' } },
  },
  updateEventRanking: {
    tag: 'Organization',
    summary: "Set an event's rule of ranking and prizes",
    description: `
Sets the rule of the places within a distance, for lists, files, the board and official versions, or sets which places
have a prize, for the sheet of the speaker. The positions in the whole event stay by chip time. The history of the event
keeps the user and the reason. An official version keeps its rule: under a different rule, the results count as changed
since.`.trim(),
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
    errors: { 400: { rule: 'rule: expected chip, gun, gun_overall, not "net".' } },
  },
  listEventChanges: {
    tag: 'Organization',
    summary: 'List the changes of an event',
    description:
      'Lists the changes of users to an event in the panel, latest change first. ' +
      "The event's batches have the changes of results.",
    answer: { status: 200, description: 'A page of changes.', listOf: EventChange },
  },
};
