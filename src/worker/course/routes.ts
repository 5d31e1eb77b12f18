import { pair } from '../results/pair.ts';
import { readingPoints, readingStarts, replacingPoints, replacingStarts } from './endpoints.ts';
import { readingWarnings } from './warnings.ts';

/** When the guns of an event go off, and the points of its course. */
export const coursePairs = [
  pair({
    method: 'get',
    path: '/starts',
    scope: 'events:read',
    ids: { key: 'getEventStarts', member: 'getOrganizationEventStarts' },
    endpoint: readingStarts,
  }),
  pair({
    method: 'put',
    path: '/starts',
    scope: 'results:write',
    ids: { key: 'putEventStarts', member: 'putOrganizationEventStarts' },
    endpoint: replacingStarts,
  }),
  pair({
    method: 'get',
    path: '/points',
    scope: 'events:read',
    ids: { key: 'getEventPoints', member: 'getOrganizationEventPoints' },
    endpoint: readingPoints,
  }),
  pair({
    method: 'put',
    path: '/points',
    scope: 'results:write',
    ids: { key: 'putEventPoints', member: 'putOrganizationEventPoints' },
    endpoint: replacingPoints,
  }),
  pair({
    method: 'get',
    path: '/warnings',
    scope: 'events:read',
    ids: { key: 'getEventWarnings', member: 'getOrganizationEventWarnings' },
    endpoint: readingWarnings,
  }),
];
