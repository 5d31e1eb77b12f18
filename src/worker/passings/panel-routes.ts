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

  .post('/file', requireManager(uploadingPassingsFile('member')))

  .post('/file/preview', requireManager(previewingPassingsFile('member')))

  .get('/points', requireManager(listingPoints('member')))

  .delete('/', requireManager(deletingPoint('member')));
