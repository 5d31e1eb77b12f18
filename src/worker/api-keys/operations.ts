import { globalRegistry } from 'zod';
import { describeFields, type Operation } from '../http/documentation.ts';
import { PANEL_BODY_MAX } from '../http/json-body.ts';
import { PageQuery } from '../http/pagination.ts';
import { SCOPES } from '../scopes.ts';
import { ApiKeyEvent, ApiKeyRecord, CreatedApiKey, RotatedApiKey } from './answer-schemas.ts';
import { notRotatable } from './routes.ts';
import { ApiKeyNameIn, apiKeyIn, NAME_MAX } from './schemas.ts';

const ApiKeyIn = apiKeyIn(new Date(0)).register(globalRegistry, {
  id: 'ApiKeyIn',
  description: 'The key to create.',
});

describeFields(ApiKeyIn, {
  name: {
    minLength: 1,
    maxLength: NAME_MAX,
    pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
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
    override: { type: ['string', 'null'], format: 'date-time' },
    description:
      'When the key expires: an instant in the future. Without it, the key never expires. ' +
      'Every ISO 8601 form with date, time and offset from UTC is accepted: ' +
      '`2099-12-31T23:59:59-05:00`, `20991231T235959Z`, `2099-12-31T23:59+02`, ' +
      '`2099-365T12:00Z`, `2099-W53-4T12:00Z`.',
    examples: ['2099-12-31T23:59:59-05:00'],
  },
});

export const apiKeyOperations: readonly Operation[] = [
  {
    id: 'listApiKeys',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    description: "Lists the organization's keys, newest first. The list includes revoked keys.",
    query: PageQuery,
    answer: { status: 200, description: 'A page of keys.', listOf: ApiKeyRecord },
  },
  {
    id: 'createApiKey',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/api-keys',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'Creates a key. Only this answer contains the full key. The body has at most ' +
      `${PANEL_BODY_MAX / 1_024} KiB.`,
    body: {
      json: ApiKeyIn,
      maxBytes: PANEL_BODY_MAX,
    },
    answer: { status: 201, description: 'The new key.', schema: CreatedApiKey },
    errors: {
      400: {
        scopes: `scopes: expected one or more of ${SCOPES.join(', ')}, each once, not [].`,
        json: 'The body is not JSON: Unexpected end of JSON input',
      },
    },
  },
  {
    id: 'listApiKeyEvents',
    method: 'get',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/events',
    tag: 'API keys',
    summary: 'List the history of an API key',
    description: 'Lists who created, renamed, rotated and revoked the key, newest first.',
    query: PageQuery,
    answer: { status: 200, description: 'A page of the history.', listOf: ApiKeyEvent },
  },
  {
    id: 'rotateApiKey',
    method: 'post',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}/rotate',
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
  {
    id: 'renameApiKey',
    method: 'patch',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'Rename an API key',
    description: 'Gives the key another name. The key itself stays the same.',
    body: {
      json: ApiKeyNameIn.register(globalRegistry, {
        id: 'ApiKeyNameIn',
        description: 'The new name of a key.',
      }),
      maxBytes: PANEL_BODY_MAX,
    },
    answer: { status: 200, description: 'The key with its new name.', schema: ApiKeyRecord },
    errors: { 400: { json: 'The body is not JSON: Unexpected end of JSON input' } },
  },
  {
    id: 'revokeApiKey',
    method: 'delete',
    path: '/api/v1/organizations/{organization_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Revokes the key. It stops working at once and for good. Revoking it again changes nothing.',
    answer: { status: 204, description: 'The key is revoked.' },
  },
];
