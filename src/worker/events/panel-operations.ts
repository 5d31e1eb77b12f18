import { globalRegistry } from 'zod';
import { describeFields, type Operation } from '../http/documentation.ts';
import { PANEL_BODY_MAX } from '../http/json-body.ts';
import { PageQuery } from '../http/pagination.ts';
import { BOARD_ENABLED, BOARD_SHOWS_NAMES, OrganizationEvent } from './panel-answer-schemas.ts';
import { EventBoardIn } from './panel-schemas.ts';

describeFields(EventBoardIn, {
  board_enabled: { ...globalRegistry.get(BOARD_ENABLED) },
  board_shows_names: { ...globalRegistry.get(BOARD_SHOWS_NAMES) },
});

export const organizationEventOperations: readonly Operation[] = [
  {
    id: 'listOrganizationEvents',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events',
    tag: 'Organization',
    summary: "List an organization's events",
    description:
      'Lists the events with their counts and the switches of their live boards, latest event date first.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of events.', listOf: OrganizationEvent },
  },
  {
    id: 'getOrganizationEvent',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}',
    tag: 'Organization',
    summary: 'Get an event in the panel',
    description: 'Answers one item of `listOrganizationEvents`.',
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
  },
  {
    id: 'updateEventBoard',
    method: 'patch',
    path: '/api/v1/organizations/{organization_id}/events/{event_id}/board',
    tag: 'Organization',
    summary: "Switch an event's live board",
    description:
      'Switches the live board of an event, or the names on it, on or off. A cache may show the ' +
      'previous state for up to 10 seconds.',
    body: {
      json: EventBoardIn.register(globalRegistry, {
        id: 'EventBoardIn',
        description: 'The switches to change. A switch that is not sent keeps its position.',
      }),
      maxBytes: PANEL_BODY_MAX,
    },
    answer: { status: 200, description: 'The event.', schema: OrganizationEvent },
    errors: {
      400: {
        switch: 'board_enabled: expected true or false, not "yes".',
        json: 'The body is not JSON: Unexpected end of JSON input',
      },
    },
  },
];
