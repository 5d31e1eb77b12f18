import { requireScope } from '../auth/api-key/require-scope.ts';
import { plannedForEvent } from '../db/planned.ts';
import { following } from '../db/statement.ts';
import { findEvent } from '../events/queries.ts';
import type { AppEnv } from '../http/context.ts';
import { copying, orCopy } from '../http/copy.ts';
import { exporting } from '../http/export.ts';
import { Hono } from '../http/hono.ts';
import { answerPage } from '../http/pagination.ts';
import { EventPath } from '../http/validation.ts';
import { pair } from '../results/pair.ts';
import { passingsFile, passingsOf } from './answers.ts';
import { passingCopy } from './copy.ts';
import {
  deletingPoint,
  listingPoints,
  listingUploads,
  previewingPassingsFile,
  revertingUpload,
  uploadingPassings,
  uploadingPassingsFile,
} from './endpoints.ts';
import { exportPassings } from './export-passings.ts';
import { listPassings } from './list-passings.ts';
import { PassingExportQuery, PassingQuery } from './schemas.ts';

/** The operations of passings at timing points before the finish. */
export const passingRoutes = new Hono<AppEnv>()

  .post('/', requireScope('uploadEventPassings', 'results:write', uploadingPassings('key')))

  .get(
    '/',
    requireScope('listEventPassings', 'events:read', {
      weight: ({ query }) => (query.point === undefined ? 'heavy' : 'light'),
      param: EventPath,
      query: PassingQuery,
      statements: ({ param, query }) => [
        following([plannedForEvent()], listPassings(param.event_id, query)),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, passingsOf),
    }),
  )

  .get(
    '/export',
    orCopy(
      requireScope(
        'exportEventPassings',
        'events:read',
        exporting({
          query: PassingExportQuery,
          event: findEvent,
          rows: exportPassings,
          file: passingsFile,
        }),
      ),
      requireScope('exportEventPassings', 'events:read', copying(passingCopy)),
    ),
  );

export const passingPairs = [
  pair({
    method: 'post',
    path: '/passings/file',
    scope: 'results:write',
    ids: { key: 'uploadEventPassingsFile', member: 'uploadOrganizationEventPassingsFile' },
    endpoint: uploadingPassingsFile,
  }),
  pair({
    method: 'post',
    path: '/passings/file/preview',
    scope: 'results:write',
    ids: { key: 'previewEventPassingsFile', member: 'previewOrganizationEventPassingsFile' },
    endpoint: previewingPassingsFile,
  }),
  pair({
    method: 'get',
    path: '/passings/points',
    scope: 'events:read',
    ids: { key: 'listEventPassingPoints', member: 'listOrganizationEventPassingPoints' },
    endpoint: listingPoints,
  }),
  pair({
    method: 'delete',
    path: '/passings',
    scope: 'results:write',
    ids: { key: 'deleteEventPassings', member: 'deleteOrganizationEventPassings' },
    endpoint: deletingPoint,
  }),
  pair({
    method: 'get',
    path: '/passing-uploads',
    scope: 'events:read',
    ids: { key: 'listPassingUploads', member: 'listOrganizationPassingUploads' },
    endpoint: listingUploads,
  }),
  pair({
    method: 'post',
    path: '/passing-uploads/:upload_id/revert',
    scope: 'results:write',
    ids: { key: 'revertPassingUpload', member: 'revertOrganizationPassingUpload' },
    endpoint: revertingUpload,
  }),
];
