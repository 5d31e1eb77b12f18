import { globalRegistry } from 'zod';
import { KEY_NAME_MAX } from '../db/sql.ts';
import { describeFields, type ProseOf } from '../http/documentation.ts';
import { PANEL_BODY_MAX } from '../http/json-body.ts';
import { NOT_BLANK } from '../http/validation.ts';
import { USES_DAYS } from '../rate-limit/uses.ts';
import { SCOPES } from '../scopes.ts';
import {
  ApiKeyEvent,
  ApiKeyRecord,
  ApiKeyUses,
  CreatedApiKey,
  RotatedApiKey,
} from './answer-schemas.ts';
import type { apiKeyRoutes } from './routes.ts';
import { foreignEvent, notRotatable, tooManyKeys } from './routes.ts';
import { ApiKeyIn, ApiKeyNameIn } from './schemas.ts';

ApiKeyIn().register(globalRegistry, {
  id: 'ApiKeyIn',
  description: 'The key to create.',
});

describeFields(ApiKeyIn(), {
  name: {
    minLength: 1,
    maxLength: KEY_NAME_MAX,
    pattern: NOT_BLANK,
    description: 'Name of the key. Spaces around it are trimmed.',
    examples: ['Timing van'],
  },
  scopes: {
    description: 'Scopes of the key.',
    override: {
      type: 'array',
      items: { type: 'string', enum: [...SCOPES] },
      minItems: 1,
      uniqueItems: true,
    },
    examples: [['events:read', 'results:write']],
  },
  expires_at: {
    description:
      'When the key expires: an instant in the future. Without it, the key never expires. ' +
      'ISO 8601, a calendar date and a time, with or without seconds and their fraction, and the offset from UTC: ' +
      '`2099-12-31T23:59:59-05:00`, `2099-12-31T23:59-0500` or `2100-01-01T04:59:59.500Z`.',
    override: {
      anyOf: [{ type: 'string', maxLength: 100, format: 'date-time' }, { type: 'null' }],
    },
    examples: ['2099-12-31T23:59:59-05:00'],
  },
  event_id: {
    override: { type: ['string', 'null'], format: 'uuid' },
    description:
      'An event of the organization. The key may ask for this event alone: every further event is 404, and the ' +
      'list of events has only this event. Without an event, the key may ask for all events.',
    examples: [null],
  },
});

ApiKeyNameIn().register(globalRegistry, {
  id: 'ApiKeyNameIn',
  description: 'The new name of a key.',
});

export const apiKeyProse: ProseOf<typeof apiKeyRoutes> = {
  listApiKeys: {
    tag: 'API keys',
    summary: 'List API keys',
    description: "Lists the organization's keys, newest first. The list includes revoked keys.",
    answer: { status: 200, description: 'A page of keys.', listOf: ApiKeyRecord },
  },
  createApiKey: {
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'Creates a key. Only this answer contains the full key. The body has at most ' +
      `${PANEL_BODY_MAX / 1_024} KiB.`,
    answer: { status: 201, description: 'The new key.', schema: CreatedApiKey },
    errors: {
      400: {
        tooMany: tooManyKeys().message,
        scopes: `scopes: expected one or more of ${SCOPES.join(', ')}, each once, not [].`,
        json: 'The body is not JSON: Unexpected end of JSON input',
        field:
          'The body has the field "expires_On", which this operation does not know. Its fields are name, scopes, ' +
          'expires_at, event_id.',
        event: foreignEvent('e0000000-0000-4000-8000-000000000009').message,
      },
    },
  },
  listApiKeyEvents: {
    tag: 'API keys',
    summary: 'List the history of an API key',
    description: 'Lists who created, renamed, rotated and revoked the key, newest first.',
    answer: { status: 200, description: 'A page of the history.', listOf: ApiKeyEvent },
  },
  getApiKeyUses: {
    tag: 'API keys',
    summary: 'Read the uses of an API key',
    description:
      'Counts the requests of the key, its refusals and its reads of personal data on each of the last ' +
      `${USES_DAYS} days. ` +
      'A rotation does not begin the counts again. Requests with a dead key are not counted: a key that is ' +
      'revoked or expired, or a secret that was replaced. A count may come some seconds after its request.',
    answer: { status: 200, description: 'The days of the key.', schema: ApiKeyUses },
  },
  rotateApiKey: {
    tag: 'API keys',
    summary: 'Rotate an API key',
    description:
      'Gives the key a new secret. The previous secret stops working at once. Only this answer ' +
      'contains the full key.',
    answer: { status: 200, description: 'The key with its new secret.', schema: RotatedApiKey },
    errors: {
      400: {
        revoked: notRotatable('revoked').message,
        expired: notRotatable('expired').message,
      },
    },
  },
  renameApiKey: {
    tag: 'API keys',
    summary: 'Rename an API key',
    description: 'Gives the key a new name. The secret stays.',
    answer: { status: 200, description: 'The key with its new name.', schema: ApiKeyRecord },
    errors: { 400: { json: 'The body is not JSON: Unexpected end of JSON input' } },
  },
  revokeApiKey: {
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Revokes the key. It stops working at once and for good. Revoking it again changes nothing.',
    answer: { status: 204, description: 'The key is revoked.' },
  },
};
