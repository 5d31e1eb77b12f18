import type { ProseOf } from '../http/documentation.ts';
import { Organization } from './answer-schemas.ts';
import type { organizationRoutes } from './routes.ts';

export const organizationProse: ProseOf<typeof organizationRoutes> = {
  getOrganization: {
    tag: 'Organization',
    summary: 'Read an organization',
    description: 'Returns the name of the organization.',
    answer: { status: 200, description: 'The organization.', schema: Organization },
  },
};
