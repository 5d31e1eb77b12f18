import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type * as keys from '../api-keys/schemas.ts';
import type { ErrorCode } from '../errors.ts';
import type * as events from '../events/schemas.ts';
import type { pageOf } from '../http/pagination.ts';
import type * as participants from '../participants/schemas.ts';
import type * as results from '../results/schemas.ts';
import type { Scope } from '../scopes.ts';
import type * as standings from '../standings/schemas.ts';
import type * as stats from '../stats/schemas.ts';
import { generateTypes, TYPES_FILE } from './generate-types.ts';
import type { Page } from './list.ts';
import type * as client from './types.ts';

test('the types are those of the schemas; if not: npm run generate:client', async () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await generateTypes());
});

test('an answer has the type that the API gives it', () => {
  expectTypeOf<client.Event>().toEqualTypeOf<events.Event>();
  expectTypeOf<client.Participant>().toEqualTypeOf<participants.Participant>();
  expectTypeOf<client.ParticipantLookup>().toEqualTypeOf<participants.ParticipantLookup>();
  expectTypeOf<client.EventStats>().toEqualTypeOf<stats.EventStats>();
  expectTypeOf<client.Result>().toEqualTypeOf<standings.Result>();
  expectTypeOf<client.ResultsUploadOut>().toExtend<results.ResultsUploadOut>();
  expectTypeOf<client.ResultFailure>().toExtend<results.ResultFailure>();
  expectTypeOf<client.ApiKeyRecord>().toEqualTypeOf<keys.ApiKeyRecord>();
  expectTypeOf<client.RotatedApiKey>().toEqualTypeOf<keys.RotatedApiKey>();
  expectTypeOf<client.CreatedApiKey>().toEqualTypeOf<keys.CreatedApiKey>();
  expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<Page<string>>().toEqualTypeOf<ReturnType<typeof pageOf<string>>>();
});

test('what the client lets through, the API reads', () => {
  expectTypeOf<client.ResultIn>().toExtend<z.input<typeof results.ResultIn>>();
  expectTypeOf<client.ResultsUploadIn['results']>().toExtend<readonly client.ResultIn[]>();
  expectTypeOf<client.ApiKeyIn['scopes'][number]>().toEqualTypeOf<Scope>();
});
