import type { Operation } from '../http/documentation.ts';
import { Organization } from './answer-schemas.ts';

export const organizationOperations: readonly Operation[] = [
  {
    id: 'getOrganization',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}',
    tag: 'Organization',
    summary: 'Read an organization',
    description: 'Returns the name of the organization.',
    answer: { status: 200, description: 'The organization.', schema: Organization },
  },
];
