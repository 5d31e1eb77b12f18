import * as z from 'zod';
import { keyNotFound } from '../../worker/api-keys/routes.ts';
import { organizationNotFound } from '../../worker/auth/panel/require-manager.ts';
import type { Cases } from '../../worker/http/documentation.ts';
import { eventNotFound } from '../../worker/http/validation.ts';
import { participantNotFound } from '../../worker/participants/routes.ts';
import { batchNotFound } from '../../worker/results/batches/routes.ts';
import { resultNotFound } from '../../worker/results/read/routes.ts';
import { HEADERS } from './headers.ts';

/** The parameters of paths. The API answers 404 to an id that is not a uuid. */
export const PATH_PARAMETERS = {
  event_id: z.guid().meta({
    description: 'An event of your organization.',
    examples: ['e0000000-0000-4000-8000-000000000001'],
  }),
  bib_number: z.string().meta({
    description: 'The bib of a runner. The answer is 404 if the bib has no result.',
    examples: ['17'],
  }),
  inscription_id: z.guid().meta({
    description: 'A participant of the event.',
    examples: ['a0000000-0000-4000-8000-000000000017'],
  }),
  batch_id: z.guid().meta({
    description: 'A batch of the event.',
    examples: ['b0000000-0000-4000-8000-000000000001'],
  }),
  organization_id: z.guid().meta({
    description: 'An organization of which you are a member.',
    examples: ['f0000000-0000-4000-8000-000000000001'],
  }),
  key_id: z.guid().meta({
    description: 'A key of the organization.',
    examples: ['c0000000-0000-4000-8000-000000000001'],
  }),
};

type PathParameter = keyof typeof PATH_PARAMETERS;

/** The error where the parameter names nothing: the name of the case and its `detail`. */
const NOT_FOUND: Record<PathParameter, [name: string, detail: string]> = {
  event_id: ['event', eventNotFound().message],
  bib_number: ['result', resultNotFound().message],
  inscription_id: ['participant', participantNotFound().message],
  batch_id: ['batch', batchNotFound().message],
  organization_id: ['organization', organizationNotFound().message],
  key_id: ['key', keyNotFound().message],
};

const BAD_PAGE: Cases = {
  page: 'page: expected a whole number from 1 on, not "0".',
  pageSize: 'page_size: expected a whole number from 1 to 100, not "101".',
};

export const IF_NONE_MATCH = {
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description: 'The `ETag` of the answer that you have, a list of them, or `*`.',
      examples: [HEADERS.ETag.example],
    }),
};

export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({
      description:
        'A name for this upload, such as a new UUID: 1 to 255 visible characters, with or without quotes ' +
        'around them. An upload with the same key and the same content writes nothing and ' +
        'gets the answer of the first one, also later, and also while the first one is still running.',
      examples: ['a0000000-0000-4000-8000-000000000001'],
    }),
};

const isPathParameter = (name: string): name is PathParameter => name in PATH_PARAMETERS;

/** @throws Error for a parameter that PATH_PARAMETERS does not describe */
export const pathParameters = (path: string): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    if (!isPathParameter(name)) throw new Error(`No path parameter is named ${name}.`);
    return name;
  });

export const notFoundCases = (path: string): Cases =>
  Object.fromEntries(pathParameters(path).map((name) => NOT_FOUND[name]));

export const badPageCases = (query: z.core.$ZodObject | undefined): Cases =>
  query && 'page' in query._zod.def.shape ? BAD_PAGE : {};

/**
 * Parameters with an example beside the schema, where tools look for it. A list is sent as the same
 * parameter several times.
 */
export const withExamples = (shape: Readonly<Record<string, z.core.$ZodType>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => {
        const meta = z.globalRegistry.get(schema);
        const example = meta?.examples?.[0];
        const list = Array.isArray(example) && { style: 'form' as const, explode: true };
        // A schema of its own: the worker's may be the parameter of several operations.
        const parameter = z.clone(schema);
        z.globalRegistry.add(parameter, { ...meta, param: { example, ...list } });
        return [name, parameter];
      }),
    ),
  );
