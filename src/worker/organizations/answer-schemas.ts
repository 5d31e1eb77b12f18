import * as z from 'zod';
import { id, text } from '../http/answer-schemas.ts';

export const Organization = z
  .object({
    id: id('Id of the organization.', 'f0000000-0000-4000-8000-000000000001'),
    name: text('Name of the organization.', 'Harbour Runners'),
  })
  .meta({ id: 'Organization', description: 'An organization that runs events.' });

export type Organization = z.infer<typeof Organization>;
