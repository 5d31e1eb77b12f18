import { globalRegistry } from 'zod';
import { describeFields, type ProseOf } from '../http/documentation.ts';
import { BOARD_ENABLED, boardNames, OrganizationEvent } from './panel-answer-schemas.ts';
import type { organizationEventRoutes } from './panel-routes.ts';
import { EventBoardIn } from './panel-schemas.ts';

EventBoardIn().register(globalRegistry, {
  id: 'EventBoardIn',
  description: 'The settings to change. A setting that is not sent stays.',
});

describeFields(EventBoardIn(), {
  board_enabled: { ...globalRegistry.get(BOARD_ENABLED) },
  board_names: { ...globalRegistry.get(boardNames) },
});

export const organizationEventProse: ProseOf<typeof organizationEventRoutes> = {
  listOrganizationEvents: {
    tag: 'Organization',
    summary: "List an organization's events",
    description:
      'Lists the events with their counts and the settings of their live boards, latest event date first.',
    answer: { status: 200, description: 'A page of events.', listOf: OrganizationEvent },
  },
  getOrganizationEvent: {
    tag: 'Organization',
    summary: 'Get an event in the panel',
    description: 'Answers one item of `listOrganizationEvents`.',
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
  },
  updateEventBoard: {
    tag: 'Organization',
    summary: "Set up an event's live board",
    description:
      'Switches the live board of an event on or off, and sets how much of the names the board shows. A board ' +
      'that is switched on for the first time gets its short address. A cache may show the previous state for up ' +
      'to 10 seconds.',
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
    errors: {
      400: {
        switch: 'board_enabled: expected true or false, not "yes".',
        json: 'The body is not JSON: Unexpected end of JSON input',
      },
    },
  },
  renewBoardCode: {
    tag: 'Organization',
    summary: "Renew a board's short address",
    description: `
Gives the live board a new short address, such as \`/b/kd7w-x9f2\`. The old short address answers 404 within seconds, so
a poster with it leads nowhere any more. \`/board/{event_id}\` stays. The history of the event shows the change.`.trim(),
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
  },
};
