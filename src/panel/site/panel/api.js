/**
 * @typedef {object} ApiKey the API's record of a key
 * @property {string} id
 * @property {string} name
 * @property {string} key_prefix
 * @property {string[]} scopes
 * @property {string | null} last_used_at
 * @property {boolean} is_active
 * @property {string | null} expires_at
 * @property {string | null} revoked_at
 * @property {string} created_at
 *
 * @typedef {ApiKey & { api_key: string }} ApiKeyWithSecret
 * @typedef {{ page: number, page_size: number, total: number, total_pages: number }} Meta
 * @typedef {{ data: ApiKey[], meta: Meta }} KeyPage
 * @typedef {{ name: string, scopes: string[], expires_at?: string }} NewKey
 *
 * @typedef {'signedOut' | 'forbidden' | 'notFound' | 'refused' | 'tooMany' | 'unavailable' | 'unreachable'} FailureKind
 */

const TIMEOUT_MS = 20_000;

/** @type {Record<number, FailureKind>} */
const KINDS = {
  400: 'refused',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  429: 'tooMany',
};

/** Why a request was not done. `detail` is the API's own sentence, where it gave one. */
export class Failure extends Error {
  /**
   * @param {FailureKind} kind
   * @param {string} [detail]
   */
  constructor(kind, detail = '') {
    super(kind);
    this.kind = kind;
    this.detail = detail;
  }
}

/**
 * The four operations on an organization's keys; the token lives in this closure and nowhere else.
 * Each throws a Failure.
 * @param {string} organization
 * @param {string} token
 */
export function createApi(organization, token) {
  const base = `/api/v1/organizations/${encodeURIComponent(organization)}/api-keys`;

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async function send(method, path, body) {
    const headers = new Headers({ Authorization: `Bearer ${token}` });
    if (body) headers.set('Content-Type', 'application/json');
    try {
      const response = await fetch(base + path, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw await failureOf(response);
      return response.status === 204 ? undefined : await response.json();
    } catch (error) {
      throw error instanceof Failure ? error : new Failure('unreachable');
    }
  }

  return {
    /** @type {(page: number) => Promise<KeyPage>} */
    list: (page) => send('GET', `?page=${page}`),
    /** @type {(key: NewKey) => Promise<ApiKeyWithSecret>} */
    create: (key) => send('POST', '', key),
    /** @type {(id: string) => Promise<ApiKeyWithSecret>} */
    rotate: (id) => send('POST', `/${encodeURIComponent(id)}/rotate`),
    /** @type {(id: string) => Promise<void>} */
    revoke: (id) => send('DELETE', `/${encodeURIComponent(id)}`),
  };
}

/** @typedef {ReturnType<typeof createApi>} Api */

/** @param {Response} response */
async function failureOf(response) {
  const body = await response.json().catch(() => undefined);
  const detail = typeof body?.detail === 'string' ? body.detail : '';
  return new Failure(KINDS[response.status] ?? 'unavailable', detail);
}
