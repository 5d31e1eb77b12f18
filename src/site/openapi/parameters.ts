import * as z from 'zod';
import { keyNotFound } from '../../worker/api-keys/routes.ts';
import { organizationNotFound } from '../../worker/auth/panel/require-manager.ts';
import { distanceNotFound } from '../../worker/board/panel-routes.ts';
import { type Cases, describeFields } from '../../worker/http/documentation.ts';
import type { Shaped } from '../../worker/http/endpoint.ts';
import { PageQuery } from '../../worker/http/pagination.ts';
import { eventNotFound } from '../../worker/http/validation.ts';
import { participantNotFound } from '../../worker/participants/routes.ts';
import { uploadNotFound } from '../../worker/passings/endpoints.ts';
import { batchNotFound } from '../../worker/results/batches/endpoints.ts';
import { versionNotFound } from '../../worker/results/official/routes.ts';
import { resultNotFound } from '../../worker/results/read/routes.ts';
import { HEADERS } from './headers.ts';

const id = (letter: string, number = '01') => `${letter}0000000-0000-4000-8000-0000000000${number}`;

/** The schema of a parameter of paths, and the error for an unknown value. */
const parameter = (description: string, example: string, error: Error, schema = guid) => ({
  schema: schema().meta({ description, examples: [example] }),
  error,
});

const guid = (): z.ZodGUID | z.ZodString => z.guid();

/** The parameters of paths. The API answers 404 to an id that is not a uuid. */
const PATH_PARAMETERS = {
  event_id: parameter('An event of your organization.', id('e'), eventNotFound()),
  bib_number: parameter(
    'The bib of a runner. The answer is 404 if the bib has no result.',
    '17',
    resultNotFound(),
    z.string,
  ),
  distance: parameter('A distance of the event.', '2K Kids', distanceNotFound(), z.string),
  inscription_id: parameter('A participant of the event.', id('a', '17'), participantNotFound()),
  batch_id: parameter('A batch of the event.', id('b'), batchNotFound()),
  upload_id: parameter('An upload of passings of the event.', id('c'), uploadNotFound()),
  organization_id: parameter(
    'An organization of which you are a member.',
    id('f'),
    organizationNotFound(),
  ),
  version: parameter('An official version of the results.', '1', versionNotFound(), z.string),
  key_id: parameter('A key of the organization.', id('c'), keyNotFound()),
};

describeFields(PageQuery(), {
  page: {
    description:
      'Page number, from 1. A page past the end is empty. A blank one counts as not sent.',
    examples: [1],
  },
  page_size: { description: 'Items per page.', examples: [20] },
});

const BAD_PAGE: Cases = {
  page: 'page: expected a whole number from 1 to 999999999999999, not "0".',
  pageSize: 'page_size: expected a whole number from 1 to 100, not "101".',
};

export const IF_NONE_MATCH = {
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description: 'The `ETag` of your last answer, a list of ETags, or `*`.',
      examples: [HEADERS.ETag.example],
    }),
};

export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({
      description:
        'A name for this upload, such as a new UUID: 1 to 255 visible characters, with or without quotes. ' +
        'A second upload with an equal key and equal content writes nothing and gets the answer of the first upload, ' +
        'also later, and also while the first upload is still running.',
      examples: ['a0000000-0000-4000-8000-000000000001'],
    }),
};

/** @throws Error for a parameter without an entry in PATH_PARAMETERS */
const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const found = Object.entries(PATH_PARAMETERS).find(([known]) => known === name);
    if (!found) throw new Error(`No path parameter is named ${name}.`);
    return { name, ...found[1] };
  });

export const pathParameters = (path: string) =>
  Object.fromEntries(parametersOf(path).map(({ name, schema }) => [name, schema]));

/** The errors where a parameter of a path names nothing, by the name of the parameter. */
export const notFoundErrors = (path: string) =>
  Object.fromEntries(parametersOf(path).map(({ name, error }) => [name, error]));

export const badPageCases = (query: (() => Shaped) | undefined): Cases =>
  query && 'page' in query().shape ? BAD_PAGE : {};

/** Parameters with an example beside the schema, where tools look for it. A list repeats its parameter. */
export const withExamples = (shape: Readonly<Record<string, z.core.$ZodType>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => {
        const meta = z.globalRegistry.get(schema);
        const example = meta?.examples?.[0];
        const list = Array.isArray(example) && { style: 'form' as const, explode: true };
        // A separate schema: the worker's schema may serve several operations.
        const parameter = z.clone(schema);
        z.globalRegistry.add(parameter, { ...meta, param: { example, ...list } });
        return [name, parameter];
      }),
    ),
  );
