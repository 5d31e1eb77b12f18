import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ApiDocument, breakingChanges } from './breaking-changes.ts';
import { openApiDocument } from './document.ts';
import { RELEASES } from './keep-release.ts';

const current = (): ApiDocument => JSON.parse(JSON.stringify(openApiDocument()));

const releases = readdirSync(RELEASES);

/**
 * Limits that came after 0.1.0. Without them, one query could occupy the service for seconds. They are far
 * above what a results file needs.
 */
const NEW_LIMITS = /\/results\/file(\/preview)?: query [\w[\]]+ has this (maxLength|maxItems)$/;

test.each(releases)('breaks no program written for %s', (file) => {
  const released: ApiDocument = JSON.parse(readFileSync(join(RELEASES, file), 'utf8'));
  const changes = breakingChanges(released, current());
  expect(changes.filter((change) => !NEW_LIMITS.test(change))).toEqual([]);
});

test('keeps the document of at least one release', () => {
  expect(releases.length).toBeGreaterThan(0);
});

describe('breakingChanges', () => {
  const EVENTS = '/public/v1/events';
  const UPLOAD = '/public/v1/events/{event_id}/results';
  const KEYS = '/api/v1/organizations/{organization_id}/api-keys';

  /** The document after an edit of its text. The edit must change it. */
  const edited = (from: string | RegExp, to: string): ApiDocument => {
    const text = JSON.stringify(current());
    const after = text.replace(from, to);
    expect(after).not.toBe(text);
    return JSON.parse(after);
  };
  const changesAfter = (change: (document: ReturnType<typeof parts>) => void) => {
    const document = current();
    change(parts(document));
    return breakingChanges(current(), document);
  };
  // Tests edit the document in place, so its parts must exist.
  const parts = (document: ApiDocument) => {
    const { paths = {}, components: { schemas = {} } = {} } = document;
    const operation = (path: string, method: string) => {
      const found = paths[path]?.[method];
      if (!found) throw new Error(`There is no ${method} ${path}.`);
      return found;
    };
    const schema = (name: string) => {
      const { [name]: found } = schemas;
      if (!found?.properties) throw new Error(`There is no schema ${name}.`);
      const { required = [], properties } = found;
      found.required = required;
      return { required, properties };
    };
    return { paths, operation, schema };
  };

  test('finds nothing in an equal document', () => {
    expect(breakingChanges(current(), current())).toEqual([]);
  });

  test.each<[string, RegExp, Parameters<typeof changesAfter>[0]]>([
    [
      'an operation',
      /^no longer: GET \/public\/v1\/events is there$/,
      ({ paths }) => delete paths[EVENTS],
    ],
    [
      'a parameter',
      /no longer: .*query page is there/,
      ({ operation }) => operation(EVENTS, 'get').parameters?.splice(0, 1),
    ],
    [
      'an answer',
      /no longer: .*answers 200/,
      ({ operation }) => delete operation(EVENTS, 'get').responses?.['200'],
    ],
    [
      'a header of an answer',
      /no longer: .*has the header X-Request-Id/,
      ({ operation }) =>
        delete operation(EVENTS, 'get').responses?.['200']?.headers?.['X-Request-Id'],
    ],
    [
      'a way to authenticate',
      /no longer: .*is open to \{"bearerKey"/,
      ({ operation }) => operation(EVENTS, 'get').security?.pop(),
    ],
    [
      'a field of an answer',
      /no longer: .*city is there/,
      ({ schema }) => delete schema('Event').properties['city'],
    ],
    [
      'a field of a body',
      /no longer: .*splits is there/,
      ({ schema }) => delete schema('ResultIn').properties['splits'],
    ],
    [
      'a media type of a body',
      /no longer: .*accepts text\/csv/,
      ({ operation }) =>
        delete operation(`${UPLOAD}/file`, 'post').requestBody?.content['text/csv'],
    ],
  ])('finds the removal of %s', (_what, message, change) => {
    expect(changesAfter(change)).toContainEqual(expect.stringMatching(message));
  });

  test.each<[string, RegExp, Parameters<typeof changesAfter>[0]]>([
    [
      'a parameter that becomes required',
      /new: .*query page is required/,
      ({ operation }) => {
        for (const parameter of operation(EVENTS, 'get').parameters ?? [])
          parameter.required = true;
      },
    ],
    [
      'a new required parameter',
      /new: .*query city is required/,
      ({ operation }) =>
        operation(EVENTS, 'get').parameters?.push({ name: 'city', in: 'query', required: true }),
    ],
    [
      'an input field that becomes required',
      /new: .*expires_at is required/,
      ({ schema }) => schema('ApiKeyIn').required.push('expires_at'),
    ],
    [
      'a smaller limit',
      /no longer: .*name has this maxLength/,
      ({ schema }) => Object.assign(schema('ApiKeyIn').properties['name'] ?? {}, { maxLength: 50 }),
    ],
    [
      'a refused value',
      /no longer: .*scopes\[\] accepts the value/,
      ({ schema }) => schema('ApiKeyIn').properties['scopes']?.items?.enum?.pop(),
    ],
    [
      'an answer field that may be missing',
      /no longer: .*city is always there/,
      ({ schema }) => schema('Event').required.splice(0),
    ],
    [
      'an answer field that may be null',
      /no longer: .*city is never null/,
      ({ schema }) =>
        Object.assign(schema('Event').properties['city'] ?? {}, { type: ['string', 'null'] }),
    ],
    [
      'another format of an answer',
      /no longer: .*has the format date-time/,
      ({ schema }) =>
        Object.assign(schema('Event').properties['event_date'] ?? {}, { format: 'date' }),
    ],
    [
      'another name of an operation',
      /no longer: .*has the operationId/,
      ({ operation }) => Object.assign(operation(KEYS, 'get'), { operationId: 'keys' }),
    ],
  ])('finds %s', (_what, message, change) => {
    expect(changesAfter(change)).toContainEqual(expect.stringMatching(message));
  });

  test('finds another scope', () => {
    const changed = edited('{"headerKey":["events:read"]}', '{"headerKey":["payments:read"]}');
    expect(breakingChanges(current(), changed)).toHaveLength(1);
  });

  test('allows additions and new texts', () => {
    const changes = changesAfter(({ paths, operation, schema }) => {
      paths['/public/v1/more'] = { get: {} };
      operation(EVENTS, 'get').parameters?.push({ name: 'city', in: 'query' });
      Object.assign(schema('Event').properties, { country: { type: 'string' } });
      schema('Event').required.push('country');
      schema('Event').properties['status']?.enum?.push('postponed');
      Object.assign(schema('ApiKeyIn').properties, { note: { type: 'string' } });
      Object.assign(schema('ApiKeyIn').properties['name'] ?? {}, { maxLength: 200 });
    });
    expect(changes).toEqual([]);
    const renamed = edited(/List events/g, 'List all events');
    expect(breakingChanges(current(), renamed)).toEqual([]);
  });
});
