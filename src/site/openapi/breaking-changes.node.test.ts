import { describe, expect, test } from 'vitest';
import { inAnyCase } from '../../worker/http/documentation.ts';
import { breakingChanges } from './breaking-changes.ts';
import { openApiDocument } from './document.ts';
import type { ApiDocument } from './document-types.ts';

const EVENTS = '/public/v1/events';
const UPLOAD = '/public/v1/events/{event_id}/results';
const KEYS = '/api/v1/organizations/{organization_id}/api-keys';
const PATHS = [
  ...[EVENTS, UPLOAD, KEYS, `${UPLOAD}/file`],
  '/public/v1/events/{event_id}/participants',
  '/api/v1/organizations/{organization_id}/events/{event_id}/results/{bib_number}',
];

const WHOLE = JSON.stringify(openApiDocument());

/** These paths have all that the tests change. All paths would take seconds. */
function partOf(document: ApiDocument): ApiDocument {
  const paths = Object.entries(document.paths).filter(([path]) => PATHS.includes(path));
  expect(paths).toHaveLength(PATHS.length);
  return { ...document, paths: Object.fromEntries(paths) };
}

const CURRENT = JSON.stringify(partOf(JSON.parse(WHOLE)));

/** A copy for changes by a test. */
const current = (): ApiDocument => JSON.parse(CURRENT);

describe('breakingChanges', () => {
  /** The document after an edit of its text. The edit must change the document. */
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
    const { paths, components } = document;
    const operation = (path: string, method: string) => {
      const found = paths[path]?.[method];
      if (!found) throw new Error(`There is no ${method} ${path}.`);
      return found;
    };
    const schema = (name: string) => {
      const { [name]: schema } = components.schemas;
      if (!schema?.properties) throw new Error(`There is no schema ${name}.`);
      const { required = [], properties } = schema;
      schema.required = required;
      return { required, properties };
    };
    return { paths, operation, schema };
  };

  test('finds nothing in an equal document', () => {
    expect(breakingChanges(JSON.parse(WHOLE), JSON.parse(WHOLE))).toEqual([]);
  });

  test.each<[string, RegExp, Parameters<typeof changesAfter>[0]]>([
    ['an operation', /^GET \/public\/v1\/events is gone$/, ({ paths }) => delete paths[EVENTS]],
    [
      'a parameter',
      /query page is gone$/,
      ({ operation }) => operation(EVENTS, 'get').parameters?.splice(0, 1),
    ],
    [
      'an answer',
      /answer 200 is gone$/,
      ({ operation }) => delete operation(EVENTS, 'get').responses['200'],
    ],
    [
      'a header of an answer',
      /header X-Request-Id is gone$/,
      ({ operation }) =>
        delete operation(EVENTS, 'get').responses['200']?.headers?.['X-Request-Id'],
    ],
    [
      'a way to authenticate',
      /security \{"bearerKey".* is gone$/,
      ({ operation }) => operation(EVENTS, 'get').security.pop(),
    ],
    [
      'a field of an answer',
      /city is gone$/,
      ({ schema }) => delete schema('Event').properties['city'],
    ],
    [
      'a field of a body',
      /splits is gone$/,
      ({ schema }) => delete schema('ResultIn').properties['splits'],
    ],
    [
      'a media type of a body',
      /body text\/csv is gone$/,
      ({ operation }) =>
        delete operation(`${UPLOAD}/file`, 'post').requestBody?.content['text/csv'],
    ],
  ])('finds the removal of %s', (_what, message, change) => {
    expect(changesAfter(change)).toContainEqual(expect.stringMatching(message));
  });

  test.each<[string, RegExp, Parameters<typeof changesAfter>[0]]>([
    [
      'a parameter that becomes required',
      /query page is required$/,
      ({ operation }) => {
        for (const parameter of operation(EVENTS, 'get').parameters ?? [])
          parameter.required = true;
      },
    ],
    [
      'a new required parameter',
      /query city is required$/,
      ({ operation }) =>
        operation(EVENTS, 'get').parameters?.push({
          name: 'city',
          in: 'query',
          required: true,
          schema: {},
        }),
    ],
    [
      'an input field that becomes required',
      /expires_at is required$/,
      ({ schema }) => schema('ApiKeyIn').required.push('expires_at'),
    ],
    [
      'a smaller limit',
      /name has a stricter maxLength$/,
      ({ schema }) => Object.assign(schema('ApiKeyIn').properties['name'] ?? {}, { maxLength: 50 }),
    ],
    [
      'a refused value',
      /scopes items refuses the value results:write$/,
      ({ schema }) => schema('ApiKeyIn').properties['scopes']?.items?.enum?.pop(),
    ],
    [
      'an answer field that may be missing',
      /city may be missing$/,
      ({ schema }) => schema('Event').required.splice(0),
    ],
    [
      'an answer field that may be null',
      /city may be null$/,
      ({ schema }) =>
        Object.assign(schema('Event').properties['city'] ?? {}, { type: ['string', 'null'] }),
    ],
    [
      'another format of an answer',
      /event_date has another format$/,
      ({ schema }) =>
        Object.assign(schema('Event').properties['event_date'] ?? {}, { format: 'date' }),
    ],
    [
      'a stricter option of an input with several',
      /bib_number has a stricter minimum$/,
      ({ schema }) =>
        Object.assign(schema('ResultIn').properties['bib_number']?.anyOf?.[1] ?? {}, {
          minimum: 1,
        }),
    ],
    [
      'an option that an input has no more',
      /splits is no longer null$/,
      ({ schema }) => schema('ResultIn').properties['splits']?.anyOf?.pop(),
    ],
    [
      'a value that one of several options refuses',
      /status refuses the value FINISHED$/,
      ({ schema }) => schema('ResultCorrectionIn').properties['status']?.enum?.shift(),
    ],
    [
      'another option of an answer',
      /registered_at may be integer$/,
      ({ schema }) =>
        schema('Participant').properties['registered_at']?.anyOf?.push({ type: 'integer' }),
    ],
    [
      'another name of an operation',
      /has another operationId$/,
      ({ operation }) => Object.assign(operation(KEYS, 'get'), { operationId: 'keys' }),
    ],
  ])('finds %s', (_what, message, change) => {
    expect(changesAfter(change)).toContainEqual(expect.stringMatching(message));
  });

  test('finds another scope', () => {
    const changed = edited('{"headerKey":["events:read"]}', '{"headerKey":["payments:read"]}');
    expect(breakingChanges(current(), changed)).toHaveLength(1);
  });

  test.each([
    ['allows one word more', 'FINISHED|OTL|DNS', false],
    ['finds one word fewer', 'DNS', true],
    ['finds another word', 'FINISHED|OTL', true],
  ])('%s in a filter', (_, words, isBreak) => {
    const text = JSON.stringify(current());
    const after = text.replaceAll(inAnyCase('FINISHED|DNS'), inAnyCase(words));
    expect(after).not.toBe(text);
    const changes = breakingChanges(current(), JSON.parse(after));
    expect(changes.some((change) => change.includes('query status'))).toBe(isBreak);
  });

  test('allows additions and new texts', () => {
    const changes = changesAfter(({ paths, operation, schema }) => {
      paths['/public/v1/more'] = { get: operation(EVENTS, 'get') };
      operation(EVENTS, 'get').parameters?.push({ name: 'city', in: 'query', schema: {} });
      Object.assign(schema('Event').properties, { country: { type: 'string' } });
      schema('Event').required.push('country');
      schema('Event').properties['status']?.enum?.push('postponed');
      Object.assign(schema('ApiKeyIn').properties, { note: { type: 'string' } });
      Object.assign(schema('ApiKeyIn').properties['name'] ?? {}, { maxLength: 200 });
      schema('ResultIn').properties['bib_number']?.anyOf?.reverse().push({ type: 'boolean' });
      schema('Participant').properties['registered_at']?.anyOf?.pop();
    });
    expect(changes).toEqual([]);
    const renamed = edited(/List events/g, 'List all events');
    expect(breakingChanges(current(), renamed)).toEqual([]);
  });
});
