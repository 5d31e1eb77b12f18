import {
  Connection,
  type ConnectionOptions,
  type Path,
  path,
  type RequestOptions,
  secretHeader,
} from './connection.ts';
import { List, type Page } from './list.ts';
import type {
  ApiKeyEvent,
  ApiKeyIn,
  ApiKeyRecord,
  CreatedApiKey,
  EventBoardIn,
  Organization,
  OrganizationEvent,
  PageQuery,
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
  readonly #connection: Connection;

  /** @throws TypeError or RangeError for an invalid option */
  constructor({ sessionToken, ...options }: PanelClientOptions) {
    const token = secretHeader('sessionToken', sessionToken);
    this.#connection = new Connection(options, { Authorization: `Bearer ${token}` });
  }

  /** Returns the name of the organization. */
  getOrganization(organizationId: string, options?: RequestOptions): Promise<Organization> {
    return this.#connection.send(
      {
        operation: 'getOrganization',
        path: path`/api/v1/organizations/${organizationId}`,
        repeatable: true,
      },
      options,
    );
  }

  /** Lists the events with the switches of their live boards, latest event date first. */
  listOrganizationEvents(
    organizationId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<OrganizationEvent> {
    const call = {
      operation: 'listOrganizationEvents',
      path: path`/api/v1/organizations/${organizationId}/events`,
      repeatable: true,
    };
    return new List(query, (query) =>
      this.#connection.send<Page<OrganizationEvent>>({ ...call, query }, options),
    );
  }

  /** Switches the live board of an event, or the names on it, on or off. */
  async updateEventBoard(
    organizationId: string,
    eventId: string,
    switches: EventBoardIn,
    options?: RequestOptions,
  ): Promise<OrganizationEvent> {
    const content = JSON.stringify(switches);
    return this.#connection.send(
      {
        operation: 'updateEventBoard',
        method: 'PATCH',
        path: path`/api/v1/organizations/${organizationId}/events/${eventId}/board`,
        headers: { 'Content-Type': 'application/json' },
        body: { content, bytes: content.length },
        repeatable: true,
      },
      options,
    );
  }

  /** Creates a key. Only this answer has `api_key`. The client does not retry it. */
  async createApiKey(
    organizationId: string,
    key: ApiKeyIn,
    options?: RequestOptions,
  ): Promise<CreatedApiKey> {
    const content = JSON.stringify(key);
    return this.#connection.send(
      {
        operation: 'createApiKey',
        method: 'POST',
        path: keysPath(organizationId),
        headers: { 'Content-Type': 'application/json' },
        body: { content, bytes: content.length },
        repeatable: false,
      },
      options,
    );
  }

  /** Lists the keys without their secrets, newest first. */
  listApiKeys(
    organizationId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ApiKeyRecord> {
    const call = { operation: 'listApiKeys', path: keysPath(organizationId), repeatable: true };
    return new List(query, (query) =>
      this.#connection.send<Page<ApiKeyRecord>>({ ...call, query }, options),
    );
  }

  /** Lists who created, rotated and revoked a key, newest first. */
  listApiKeyEvents(
    organizationId: string,
    keyId: string,
    query: PageQuery = {},
    options?: RequestOptions,
  ): List<ApiKeyEvent> {
    const call = {
      operation: 'listApiKeyEvents',
      path: path`/api/v1/organizations/${organizationId}/api-keys/${keyId}/events`,
      repeatable: true,
    };
    return new List(query, (query) =>
      this.#connection.send<Page<ApiKeyEvent>>({ ...call, query }, options),
    );
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
    return this.#connection.send(
      {
        operation: 'rotateApiKey',
        method: 'POST',
        path: path`/api/v1/organizations/${organizationId}/api-keys/${keyId}/rotate`,
        repeatable: false,
      },
      options,
    );
  }

  /** Revokes a key. Revoking it again changes nothing. */
  revokeApiKey(organizationId: string, keyId: string, options?: RequestOptions): Promise<void> {
    return this.#connection.send(
      {
        operation: 'revokeApiKey',
        method: 'DELETE',
        path: path`/api/v1/organizations/${organizationId}/api-keys/${keyId}`,
        repeatable: true,
      },
      options,
    );
  }
}

const keysPath = (organizationId: string): Path =>
  path`/api/v1/organizations/${organizationId}/api-keys`;
