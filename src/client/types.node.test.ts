import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { CLIENT, generateClient } from '../site/generate-client.ts';
import { OPERATIONS } from '../site/openapi/operations.ts';
import type * as keys from '../worker/api-keys/answer-schemas.ts';
import type { ErrorCode } from '../worker/errors.ts';
import type * as events from '../worker/events/answer-schemas.ts';
import type { OrganizationEvent } from '../worker/events/panel-answer-schemas.ts';
import type { EventBoardIn } from '../worker/events/panel-schemas.ts';
import type { List } from '../worker/http/pagination.ts';
import type { Organization } from '../worker/organizations/answer-schemas.ts';
import type * as participants from '../worker/participants/answer-schemas.ts';
import type * as passings from '../worker/passings/answer-schemas.ts';
import type { PassingIn } from '../worker/passings/schemas.ts';
import type * as standings from '../worker/results/read/answer-schemas.ts';
import type * as results from '../worker/results/upload/answer-schemas.ts';
import type { ResultsFilePreview } from '../worker/results/upload/preview-answer-schemas.ts';
import type { ResultIn } from '../worker/results/upload/schemas.ts';
import type { Scope } from '../worker/scopes.ts';
import type * as stats from '../worker/stats/answer-schemas.ts';
import { BoardClient } from './board.ts';
import { RaceResultsClient } from './client.ts';
import type { Page } from './list.ts';
import { PanelClient } from './panel.ts';
import type * as client from './types.ts';

test('contains what is generated; if it fails, run npm run generate:client', async () => {
  const generated = await generateClient();
  const kept = globSync(['operations/*.ts', 'methods.ts', 'types.ts'], { cwd: CLIENT });
  expect(kept.sort()).toEqual([...generated.keys()].sort());
  const different = kept.filter(
    (path) => readFileSync(join(CLIENT, path), 'utf8') !== generated.get(path),
  );
  expect(different).toEqual([]);
});

/** An answer whose lists of values may grow. */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends object
    ? { [Name in keyof T]: Open<T[Name]> }
    : T;

test('lets an answer have a new value, and names those of today', () => {
  type Values = 'open' | 'scheduled' | 'closed' | 'past' | 'inactive';
  expectTypeOf<client.Event['status']>().toEqualTypeOf<Values | (string & {})>();
  expectTypeOf<'A_NEW_CODE'>().toExtend<NonNullable<client.ResultFailure['reason_code']>>();
});

test('gives each answer the type of its schema', () => {
  expectTypeOf<client.Event>().toEqualTypeOf<Open<events.Event>>();
  expectTypeOf<client.Participant>().toEqualTypeOf<Open<participants.Participant>>();
  expectTypeOf<client.ParticipantLookup>().toEqualTypeOf<Open<participants.ParticipantLookup>>();
  expectTypeOf<client.EventStats>().toEqualTypeOf<Open<stats.EventStats>>();
  expectTypeOf<client.Result>().toEqualTypeOf<Open<standings.Result>>();
  expectTypeOf<client.Passing>().toEqualTypeOf<Open<passings.Passing>>();
  expectTypeOf<client.PassingPoint>().toEqualTypeOf<Open<passings.PassingPoint>>();
  expectTypeOf<client.PassingsUploadOut>().toExtend<Open<passings.PassingsUploadOut>>();
  expectTypeOf<client.ResultsUploadOut>().toExtend<Open<results.ResultsUploadOut>>();
  expectTypeOf<client.ResultFailure>().toExtend<Open<results.ResultFailure>>();
  expectTypeOf<client.ResultsFilePreview>().toExtend<Open<ResultsFilePreview>>();
  expectTypeOf<client.Organization>().toEqualTypeOf<Organization>();
  expectTypeOf<client.OrganizationEvent>().toEqualTypeOf<Open<OrganizationEvent>>();
  expectTypeOf<client.ApiKeyEvent>().toEqualTypeOf<Open<keys.ApiKeyEvent>>();
  expectTypeOf<client.ApiKeyRecord>().toEqualTypeOf<Open<keys.ApiKeyRecord>>();
  expectTypeOf<client.RotatedApiKey>().toEqualTypeOf<Open<keys.RotatedApiKey>>();
  expectTypeOf<client.CreatedApiKey>().toEqualTypeOf<Open<keys.CreatedApiKey>>();
  expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<Page<string>>().toEqualTypeOf<List<string>>();
});

test('allows only input that the schemas accept', () => {
  expectTypeOf<client.ResultIn>().toExtend<z.input<typeof ResultIn>>();
  expectTypeOf<client.ResultsUploadIn['results']>().toExtend<readonly client.ResultIn[]>();
  expectTypeOf<client.PassingIn>().toExtend<z.input<typeof PassingIn>>();
  expectTypeOf<client.PassingsUploadIn['passings']>().toExtend<readonly client.PassingIn[]>();
  expectTypeOf<client.EventBoardIn>().toExtend<z.input<typeof EventBoardIn>>();
  expectTypeOf<client.ApiKeyIn['scopes'][number]>().toEqualTypeOf<Scope>();
});

test('has a method for each operation', () => {
  const clients = [RaceResultsClient, BoardClient, PanelClient];
  const isMethod = (id: string) => clients.some(({ prototype }) => id in prototype);
  expect(OPERATIONS.filter(({ id }) => !isMethod(id))).toEqual([]);
});
