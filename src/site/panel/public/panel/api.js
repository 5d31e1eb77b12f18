/**
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').ApiKeyRecord} ApiKey
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').RotatedApiKey} ApiKeyWithSecret
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').ApiKeyEvent} ApiKeyEvent
 * @typedef {import('../../../../worker/events/panel-answer-schemas.ts').OrganizationEvent} OrganizationEvent
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultBatch} Batch
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultBatchReversal} Reversal
 * @typedef {import('../../../../worker/events/panel-schemas.ts').EventBoardIn} BoardSwitches
 * @typedef {import('../../../../worker/organizations/answer-schemas.ts').Organization} Organization
 * @typedef {{ name: string, scopes: string[], expires_at?: string, event_id?: string }} NewKey
 *
 * @typedef {'signedOut' | 'forbidden' | 'notFound' | 'refused' | 'tooMany' | 'unavailable' | 'unreachable'} FailureKind
 */

const TIMEOUT_MS = 20_000;
/** Over its limit, the page waits as often as this for as long as the API says: a minute at most. */
const WAITS_MAX = 2;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

/** @type {Record<number, FailureKind>} */
const KINDS = {
  400: 'refused',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  429: 'tooMany',
};

/** The reason of a failed request. `detail` is the sentence of the API, if there is one. */
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

/** The session has ended meanwhile, and the page shows the sign-in. */
export class SessionEnded extends Error {}

/**
 * The operations on an organization, its events and its keys. Each throws a Failure. The token stays in
 * this closure.
 * @param {string} organization
 * @param {string} token
 */
export function createApi(organization, token) {
  const base = `/api/v1/organizations/${encodeURIComponent(organization)}`;

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {number} [timeoutMs]
   */
  async function ask(method, path, body, timeoutMs = TIMEOUT_MS) {
    const headers = new Headers({ Authorization: `Bearer ${token}` });
    if (body) headers.set('Content-Type', 'application/json');
    for (let waits = 0; ; waits++) {
      const response = await fetch(base + path, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch(unreachable);
      if (response.ok) return response;
      if (response.status !== 429 || waits === WAITS_MAX) throw await failureOf(response);
      const seconds = Number(response.headers.get('Retry-After'));
      await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    }
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async function send(method, path, body) {
    const response = await ask(method, path, body);
    return response.status === 204 ? true : response.json().catch(unreachable);
  }

  /**
   * Every item of a list.
   * @param {string} path
   */
  async function all(path) {
    const items = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const { data, meta } = await send('GET', `${path}?page=${page}&page_size=100`);
      items.push(...data);
      last = meta.total_pages;
    }
    return items;
  }

  return {
    /** @type {() => Promise<Organization>} */
    organization: () => send('GET', ''),
    /** @type {() => Promise<OrganizationEvent[]>} */
    events: () => all('/events'),
    /** @type {(id: string, switches: BoardSwitches) => Promise<OrganizationEvent>} */
    switchBoard: (id, switches) => send('PATCH', `/events/${id}/board`, switches),
    /** @type {(id: string, page: number) => Promise<{ data: Batch[], meta: { total_pages: number } }>} */
    batches: (id, page) => send('GET', `/events/${id}/result-batches?page=${page}`),
    /** @type {(id: string, batch: string, isDryRun: boolean) => Promise<Reversal>} */
    revert: (id, batch, isDryRun) =>
      send('POST', `/events/${id}/result-batches/${batch}/revert?dry_run=${isDryRun}`),
    /** The results as a CSV file. @param {string} id */
    results: async (id) => {
      const path = `/events/${id}/results/export`;
      return (await ask('GET', path, undefined, DOWNLOAD_TIMEOUT_MS)).blob().catch(unreachable);
    },
    /** @type {() => Promise<ApiKey[]>} */
    keys: () => all('/api-keys'),
    /** @type {(id: string) => Promise<ApiKeyEvent[]>} */
    history: (id) => all(`/api-keys/${id}/events`),
    /** @type {(key: NewKey) => Promise<ApiKeyWithSecret>} */
    create: (key) => send('POST', '/api-keys', key),
    /** @type {(id: string, name: string) => Promise<ApiKey>} */
    rename: (id, name) => send('PATCH', `/api-keys/${id}`, { name }),
    /** @type {(id: string) => Promise<ApiKeyWithSecret>} */
    rotate: (id) => send('POST', `/api-keys/${id}/rotate`),
    /** @type {(id: string) => Promise<true>} */
    revoke: (id) => send('DELETE', `/api-keys/${id}`),
  };
}

/** @returns {never} */
function unreachable() {
  throw new Failure('unreachable');
}

/** @typedef {ReturnType<typeof createApi>} Api */

/** @param {Response} response */
async function failureOf(response) {
  const body = await response.json().catch(() => undefined);
  const detail = typeof body?.detail === 'string' ? body.detail : '';
  return new Failure(KINDS[response.status] ?? 'unavailable', detail);
}
