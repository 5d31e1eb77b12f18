import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import * as z from 'zod';
import { ApiKeyRecord, apiKeyIn, CreatedApiKey, RotatedApiKey } from '../api-keys/schemas.ts';
import { ERROR_STATUS } from '../errors.ts';
import { Event } from '../events/schemas.ts';
import { PageQuery } from '../http/pagination.ts';
import { LookupQuery, Participant, ParticipantLookup } from '../participants/schemas.ts';
import { ResultFailure, ResultIn, ResultsUploadIn, ResultsUploadOut } from '../results/schemas.ts';
import { SCOPES } from '../scopes.ts';
import { Result, ResultQuery } from '../standings/schemas.ts';
import { EventStats } from '../stats/schemas.ts';

export const TYPES_FILE = join(import.meta.dirname, 'types.ts');

const REQUESTS = {
  PageQuery,
  LookupQuery,
  ResultQuery,
  ResultIn,
  // The API judges the rows one by one, so its own schema says nothing of them.
  ResultsUploadIn: ResultsUploadIn.extend({ results: z.array(ResultIn) }),
  ApiKeyIn: apiKeyIn(new Date(0)),
};

const ANSWERS = {
  Event,
  Participant,
  ParticipantLookup,
  EventStats,
  Result,
  ResultFailure,
  ResultsUploadOut,
  ApiKeyRecord,
  RotatedApiKey,
  CreatedApiKey,
};

/** The fields that a function of ours checks, whose type no schema tells by itself. */
const CHECKED_BY_FUNCTION: Record<string, z.core.JSONSchema.BaseSchema> = {
  scopes: { type: 'array', items: { enum: [...SCOPES] } },
  splits: { type: 'object', additionalProperties: { type: 'string' } },
};

/** The client's types as TypeScript, from the schemas of what the API is sent and answers. */
export async function generateTypes(): Promise<string> {
  const requests = schemasOf(REQUESTS, 'input');
  const answers = schemasOf(ANSWERS, 'output');
  for (const schema of Object.values(requests)) acceptUndefined(schema);
  const $defs = { ...requests, ...answers };
  const typesOf = async (schemas: Record<string, JSONSchema>) =>
    (await Promise.all(Object.keys(schemas).map((name) => typeOf(name, $defs)))).join('\n');
  const codes = Object.keys(ERROR_STATUS).map((code) => `  '${code}',\n`);
  return [
    '// Generated from src/*/schemas.ts: change those, and run `npm run generate:client`.\n',
    `export const ERROR_CODES = [\n${codes.join('')}] as const;\n`,
    '/** What the API says went wrong, for a program to branch on. */',
    'export type ErrorCode = (typeof ERROR_CODES)[number];\n',
    (await typesOf(requests)).replaceAll(LIST, 'readonly $&'),
    await typesOf(answers),
  ].join('\n');
}

/** What is sent is only read, so a list that nobody may change will do. */
const LIST = /(\w+|\([^()]*\))\[\]/g;

function schemasOf(
  named: Record<string, z.ZodType>,
  io: 'input' | 'output',
): Record<string, JSONSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    target: 'draft-04',
    unrepresentable: io === 'input' ? 'any' : 'throw',
    uri: (id) => `#/$defs/${id}`,
    override({ zodSchema: { _zod }, jsonSchema, path }) {
      if (_zod.def.type === 'custom' && jsonSchema.type === undefined) {
        const field = path.findLast((part) => Object.hasOwn(CHECKED_BY_FUNCTION, part));
        if (field === undefined) throw new Error(`${path.join('.')}: what type is it?`);
        Object.assign(jsonSchema, CHECKED_BY_FUNCTION[field]);
      }
      // A number of a query is text only on the wire.
      if (_zod.def.type === 'pipe' && 'out' in _zod.def && _zod.def.out instanceof z.ZodNumber) {
        jsonSchema.type = 'number';
        delete jsonSchema.pattern;
      }
    },
  });
  for (const schema of Object.values(schemas)) {
    for (const name of ['id', '$id', '$schema']) delete schema[name];
  }
  return JSON.parse(JSON.stringify(schemas));
}

/** `exactOptionalPropertyTypes` tells a field that is left out from one that is undefined. */
function acceptUndefined({ properties = {}, required = [] }: JSONSchema): void {
  for (const [field, { description, ...type }] of Object.entries(properties)) {
    if (Array.isArray(required) && required.includes(field)) continue;
    const types = Array.isArray(type.type) ? type.type.map((name) => ({ type: name })) : [type];
    properties[field] = {
      ...(description !== undefined && { description }),
      anyOf: [...(type.anyOf ?? types), { tsType: 'undefined' }],
    };
  }
}

const typeOf = (name: string, $defs: Record<string, JSONSchema>): Promise<string> =>
  compile({ ...$defs[name], $defs, title: name }, name, {
    additionalProperties: false,
    bannerComment: '',
    declareExternallyReferenced: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });

if (import.meta.main) writeFileSync(TYPES_FILE, await generateTypes());
