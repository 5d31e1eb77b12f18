import {
  Connection,
  type ConnectionOptions,
  type Path,
  path,
  type RequestOptions,
  secretHeader,
} from './connection.ts';
import type { List } from './list.ts';
import type {
  ApiKeyEvent,
  ApiKeyIn,
  ApiKeyNameIn,
  ApiKeyRecord,
  CreatedApiKey,
  EventBoardIn,
  ExportedResult,
  Organization,
  OrganizationEvent,
  PageQuery,
  ResultBatch,
  ResultBatchReversal,
  RotatedApiKey,
} from './types.ts';

export type PanelClientOptions = ConnectionOptions & {
  /** A panel session of an owner or admin of the organization: a JWT. */
  sessionToken: string;
};

/**
 * The organization's panel: its name, the live boards of its events, its API keys. The client never retries
 * a call that creates a secret. If its answer is lost, nobody can show the secret again: rotate or revoke the
 * key.
 */
export class PanelClient {
  readonly #api: Connection;

  /** @throws TypeError or RangeError for an invalid option */
  constructor({ sessionToken, ...options }: PanelClientOptions) {
    const token = secretHeader('sessionToken', sessionToken);
    this.#api = new Connection(options, { Authorization: `Bearer ${token}` });
  }

  /** Returns the name of the organization. */
  getOrganization(organizationId: string, options?: RequestOptions): Promise<Organization> {
    return this.#api.get('getOrganization', path`/api/v1/organizations/${organizationId}`, options);
  }

  /** Lists the events with the switches of their live boards, latest event date first. */
  listOrganizationEvents(
    organizationId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<OrganizationEvent> {
    return this.#api.list(
      'listOrganizationEvents',
      path`/api/v1/organizations/${organizationId}/events`,
      query,
      options,
    );
  }

  /** Switches the live board of an event, or the names on it, on or off. */
  updateEventBoard(
    organizationId: string,
    eventId: string,
    switches: EventBoardIn,
    options?: RequestOptions,
  ): Promise<OrganizationEvent> {
    const address = path`/api/v1/organizations/${organizationId}/events/${eventId}/board`;
    const call = {
      operation: 'updateEventBoard',
      method: 'PATCH',
      path: address,
      json: switches,
    } as const;
    return this.#api.send(call, options);
  }

  /** All results of an event as of one moment, like `exportEventResults` of the public API. */
  exportOrganizationEventResults(
    organizationId: string,
    eventId: string,
    options?: RequestOptions,
  ): AsyncIterable<ExportedResult> {
    const results = path`/api/v1/organizations/${organizationId}/events/${eventId}/results/export`;
    return this.#api.lines('exportOrganizationEventResults', results, {}, options);
  }

  /** Lists the uploads and reverts of an event, newest first. */
  listOrganizationResultBatches(
    organizationId: string,
    eventId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ResultBatch> {
    const batches = path`/api/v1/organizations/${organizationId}/events/${eventId}/result-batches`;
    return this.#api.list('listOrganizationResultBatches', batches, query, options);
  }

  /** Takes a batch back, like `revertResultBatch` of the public API. */
  revertOrganizationResultBatch(
    organizationId: string,
    eventId: string,
    batchId: string,
    { dryRun = false, ...options }: RequestOptions & { dryRun?: boolean | undefined } = {},
  ): Promise<ResultBatchReversal> {
    const address = path`/api/v1/organizations/${organizationId}/events/${eventId}/result-batches/${batchId}/revert`;
    const query = dryRun ? { dry_run: 'true' } : {};
    const operation = 'revertOrganizationResultBatch';
    return this.#api.send({ operation, method: 'POST', path: address, query }, options);
  }

  /** Creates a key. Only this answer has `api_key`. The client does not retry it. */
  createApiKey(
    organizationId: string,
    key: ApiKeyIn,
    options?: RequestOptions,
  ): Promise<CreatedApiKey> {
    const call = {
      operation: 'createApiKey',
      method: 'POST',
      path: keysPath(organizationId),
      json: key,
      isOnce: true,
    } as const;
    return this.#api.send(call, options);
  }

  /** Lists the keys without their secrets, newest first. */
  listApiKeys(
    organizationId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ApiKeyRecord> {
    return this.#api.list('listApiKeys', keysPath(organizationId), query, options);
  }

  /** Lists who created, rotated and revoked a key, newest first. */
  listApiKeyEvents(
    organizationId: string,
    keyId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ApiKeyEvent> {
    return this.#api.list(
      'listApiKeyEvents',
      path`/api/v1/organizations/${organizationId}/api-keys/${keyId}/events`,
      query,
      options,
    );
  }

  /** Gives a key another name. */
  renameApiKey(
    organizationId: string,
    keyId: string,
    name: ApiKeyNameIn,
    options?: RequestOptions,
  ): Promise<ApiKeyRecord> {
    const address = path`/api/v1/organizations/${organizationId}/api-keys/${keyId}`;
    const call = { operation: 'renameApiKey', method: 'PATCH', path: address, json: name } as const;
    return this.#api.send(call, options);
  }

  /**
   * Gives a key a new secret. The previous secret stops working. Only this answer has `api_key`. The client
   * does not retry it.
   */
  rotateApiKey(
    organizationId: string,
    keyId: string,
    options?: RequestOptions,
  ): Promise<RotatedApiKey> {
    const address = path`/api/v1/organizations/${organizationId}/api-keys/${keyId}/rotate`;
    const call = {
      operation: 'rotateApiKey',
      method: 'POST',
      path: address,
      isOnce: true,
    } as const;
    return this.#api.send(call, options);
  }

  /** Revokes a key. Revoking it again changes nothing. */
  revokeApiKey(organizationId: string, keyId: string, options?: RequestOptions): Promise<void> {
    const address = path`/api/v1/organizations/${organizationId}/api-keys/${keyId}`;
    const call = { operation: 'revokeApiKey', method: 'DELETE', path: address } as const;
    return this.#api.send(call, options);
  }
}

const keysPath = (organizationId: string): Path =>
  path`/api/v1/organizations/${organizationId}/api-keys`;
