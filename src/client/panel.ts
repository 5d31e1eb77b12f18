import {
  Connection,
  type ConnectionOptions,
  path,
  type RequestOptions,
  secretHeader,
} from './connection.ts';
import { List, type Page } from './list.ts';
import type { ApiKeyIn, ApiKeyRecord, CreatedApiKey, PageQuery, RotatedApiKey } from './types.ts';

export type PanelClientOptions = ConnectionOptions & {
  /** The session of an owner or admin in the organization's panel, a JWT. */
  sessionToken: string;
};

/**
 * Key management, for the organization's panel. What makes a secret is sent once, however it ends: a
 * key whose answer was lost cannot be shown again, and is to be rotated or revoked.
 */
export class PanelClient {
  readonly #connection: Connection;

  /** @throws TypeError or RangeError where an option can never work. */
  constructor({ sessionToken, ...options }: PanelClientOptions) {
    const token = secretHeader('sessionToken', sessionToken);
    this.#connection = new Connection(options, { Authorization: `Bearer ${token}` });
  }

  /** Makes a key; `api_key` is shown this once. Not tried again. */
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

  /** The newest first; without their secrets. */
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

  /** Gives a key another secret; `api_key` is shown this once, the one before is dead. Not tried again. */
  rotateApiKey(
    organizationId: string,
    keyId: string,
    options?: RequestOptions,
  ): Promise<RotatedApiKey> {
    return this.#connection.send(
      {
        operation: 'rotateApiKey',
        method: 'POST',
        path: keysPath(organizationId) + path`/${keyId}/rotate`,
        repeatable: false,
      },
      options,
    );
  }

  /** Ends a key; once or again. */
  revokeApiKey(organizationId: string, keyId: string, options?: RequestOptions): Promise<void> {
    return this.#connection.send(
      {
        operation: 'revokeApiKey',
        method: 'DELETE',
        path: keysPath(organizationId) + path`/${keyId}`,
        repeatable: true,
      },
      options,
    );
  }
}

const keysPath = (organizationId: string): string =>
  path`/api/v1/organizations/${organizationId}/api-keys`;
