import type { Schema } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { isWellFormedApiKey } from '../worker/auth/api-key/api-key.ts';
import { isObject } from '../worker/results/upload/schemas.ts';
import {
  document,
  documentedOperations,
  errorsIn,
  expectDocumented,
  type HttpAnswer,
  isUndocumented,
  type MediaType,
} from './documented.ts';
import { startApp } from './harness.ts';
import { routesOf } from './routes.ts';

const { app } = startApp();

test('documents every route of the application and no other', () => {
  const routes = routesOf(app)
    .filter(({ path }) => !isUndocumented(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const operations = documentedOperations.map(({ method, path }) => `${method} ${path}`);
  expect(operations.sort()).toEqual(routes.sort());
});

test('names the operations as the contract does', () => {
  const ids = documentedOperations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([
      'listEvents',
      'getEvent',
      'listEventParticipants',
      'lookupEventParticipants',
      'getEventStats',
      'listEventResults',
      'getEventResult',
      'uploadEventResults',
      'uploadEventResultsFile',
      'previewEventResultsFile',
      'createApiKey',
      'listApiKeys',
      'listApiKeyEvents',
      'getOrganization',
      'listOrganizationEvents',
      'updateEventBoard',
      'rotateApiKey',
      'revokeApiKey',
    ]),
  );
});

test('documents a panel session for every operation of the panel, and none for the live board', () => {
  const securityOf = (prefix: string) =>
    documentedOperations
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ security }) => JSON.stringify(security));
  expect([...new Set(securityOf('/api/'))]).toEqual(['[{"panelSession":[]}]']);
  expect([...new Set(securityOf('/board/'))]).toEqual(['[]']);
});

describe('the examples of the document', () => {
  const examples = [...examplesIn(document)];

  test('finds more than 150 examples', () => expect(examples.length).toBeGreaterThan(150));

  test('compares every example with its schema', () => {
    const wrong = examples.flatMap(([place, schema, example]) =>
      errorsIn(schema, example).map((error) => `${place}: ${error}`),
    );
    expect(wrong).toEqual([]);
  });

  const fields = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
    Object.entries(properties ?? {}).map(
      ([field, schema]) => [`${name}.${field}`, schema] as const,
    ),
  );
  test('finds a description and an example at every field', () => {
    expect(fields.length).toBeGreaterThan(100);
    // Such a field refers to a component.
    const components = new Set<Schema | boolean>(Object.values(document.components.schemas));
    const lacks = fields.flatMap(([name, schema]) => {
      if (typeof schema !== 'object' || components.has(schema)) return [];
      return [
        ...(/\S/.test(schema['description'] ?? '') ? [] : [`${name} has no description`]),
        ...(schema.items || 'examples' in schema ? [] : [`${name} has no example`]),
      ];
    });
    expect(lacks).toEqual([]);
  });

  test('shows no example key with a valid checksum', () => {
    const keys = JSON.stringify(document).match(/er_live_\w{10,}/g) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatch(/^er_live_[0-9A-Za-z]{38}$/);
      expect(isWellFormedApiKey(key)).toBe(false);
    }
  });
});

type Example = [place: string, schema: Schema, example: unknown];

/** Examples beside a schema, and examples inside. */
function* examplesIn(node: unknown, place = ''): Generator<Example> {
  if (typeof node !== 'object' || node === null) return;
  if (isObject(node)) yield* ownExamples(node, place);
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples') yield* examplesIn(child, `${place}/${key}`);
  }
}

function* ownExamples(node: Partial<MediaType> | Schema, place: string): Generator<Example> {
  const { schema, example, examples = {} } = node;
  if (Array.isArray(examples)) {
    for (const value of examples) yield [place, node, value];
  } else if (schema !== undefined) {
    if (example !== undefined) yield [place, schema, example];
    for (const [name, { value }] of Object.entries<{ value: unknown }>(examples)) {
      yield [`${place} ${name}`, schema, value];
    }
  }
}

describe('expectDocumented', () => {
  const path = '/public/v1/events/e0000000-0000-4000-8000-000000000001';
  const event = {
    id: 'e0000000-0000-4000-8000-000000000001',
    name: 'Harbour Half',
    event_date: '2027-05-09T12:30:00.000Z',
    status: 'open',
    city: 'Port Example',
  };
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': 'lap-1',
    RateLimit: '"per-key";r=119;t=60',
    'RateLimit-Policy': '"per-key";q=120;w=60',
  };
  const polled = { 'Cache-Control': 'private, no-cache', ETag: `"${'0'.repeat(64)}"` };
  const never = { 'Cache-Control': 'private, no-store' };
  const answer = (
    body: unknown,
    { status = 200, more = {} }: { status?: number; more?: Record<string, string> } = {},
  ): HttpAnswer => ({
    status,
    headers: new Headers({ ...headers, ...(status === 200 ? polled : never), ...more }),
    body: JSON.stringify(body),
  });
  const missing = { detail: 'This event does not exist.', code: 'NOT_FOUND' };

  test('accepts an answer that matches the document', () => {
    expectDocumented('GET', path, answer(event));
    expectDocumented('GET', path, answer(missing, { status: 404 }));
    expectDocumented('GET', '/public/v1/nothing', answer(missing, { status: 404 }));
  });

  test.each<[string, HttpAnswer]>([
    ['a status', answer(missing, { status: 409 })],
    ['an error without its code', answer({ detail: 'x' }, { status: 404 })],
    ['the code of another status', answer({ ...missing, code: 'RATE_LIMITED' }, { status: 404 })],
    ['a missing field', answer({ ...event, city: undefined })],
    ['one field more', answer({ ...event, organization_id: event.id })],
    ['a null', answer({ ...event, name: null })],
    ['a wrong type', answer({ ...event, name: 17 })],
    ['an id that is no uuid', answer({ ...event, id: '17' })],
    ['a date that is no instant', answer({ ...event, event_date: '2027-02-31T12:30:00Z' })],
    ['an unknown status of the event', answer({ ...event, status: 'cancelled' })],
    ['a list', answer([event])],
    ['another type of content', answer(event, { more: { 'Content-Type': 'text/plain' } })],
    ['a header of another form', answer(event, { more: { RateLimit: '119' } })],
    ['a header too many', answer(event, { more: { 'Retry-After': '5' } })],
    ['a header that the document does not name', answer(event, { more: { 'Rows-Read': '5' } })],
    ['nothing', { ...answer(event), headers: new Headers() }],
  ])('rejects %s', (_, unlike) => {
    expect(() => expectDocumented('GET', path, unlike)).toThrow(/unlike the document/);
  });

  test.each([
    ['a page', answer('hello', { status: 200 })],
    ['a failure in another form', answer({ message: 'no' }, { status: 404 })],
  ])('rejects, where no operation is, %s', (_, unlike) => {
    expect(() => expectDocumented('GET', '/public/v1/nothing', unlike)).toThrow(/unlike/);
  });
});
