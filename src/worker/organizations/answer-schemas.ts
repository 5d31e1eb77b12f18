import * as z from 'zod';

export const Organization = z
  .object({
    id: z.guid().meta({
      description: 'Id of the organization.',
      examples: ['f0000000-0000-4000-8000-000000000001'],
    }),
    name: z
      .string()
      .meta({ description: 'Name of the organization.', examples: ['Harbour Runners'] }),
  })
  .meta({ id: 'Organization', description: 'An organization that runs events.' });

export type Organization = z.infer<typeof Organization>;
