import { requireManager } from '../auth/panel/require-manager.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import {
  deletingPoint,
  listingPoints,
  previewingPassingsFile,
  uploadingPassingsFile,
} from './endpoints.ts';

/** The points of a course, from the organization's panel. */
export const organizationPassingRoutes = new Hono<AppEnv>()

  .post(
    '/file',
    requireManager('uploadOrganizationEventPassingsFile', uploadingPassingsFile('member')),
  )

  .post(
    '/file/preview',
    requireManager('previewOrganizationEventPassingsFile', previewingPassingsFile('member')),
  )

  .get('/points', requireManager('listOrganizationEventPassingPoints', listingPoints('member')))

  .delete('/', requireManager('deleteOrganizationEventPassings', deletingPoint('member')));
