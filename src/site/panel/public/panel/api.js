import { addressOfOrganization, pageOf, request, runnersOf } from './request.js';

/**
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').ApiKeyRecord} ApiKey
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').RotatedApiKey} ApiKeyWithSecret
 * @typedef {import('../../../../worker/api-keys/answer-schemas.ts').ApiKeyEvent} ApiKeyEvent
 * @typedef {import('../../../../worker/events/panel-answer-schemas.ts').OrganizationEvent} OrganizationEvent
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultBatch} Batch
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultBatchReversal} Reversal
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultChange} Change
 * @typedef {import('../../../../worker/results/batches/answer-schemas.ts').ResultVersion} Version
 * @typedef {import('../../../../worker/results/panel-answer-schemas.ts').Runner} Runner
 * @typedef {import('../../../../worker/results/official/answer-schemas.ts').OfficialResults} OfficialResults
 * @typedef {import('../../../../worker/board/panel-answer-schemas.ts').HiddenName} HiddenName
 * @typedef {import('../../../../timing-files/read/result-status.ts').ResultStatus} ResultStatus
 * @typedef {{ status?: ResultStatus, chip_time?: string | null, gun_time?: string | null, reason?: string }} Correction
 * @typedef {import('../../../../worker/results/upload/preview-answer-schemas.ts').ResultsFilePreview} Preview
 * @typedef {import('../../../../worker/results/upload/answer-schemas.ts').ResultsUploadOut} Upload
 * @typedef {import('../../../../worker/passings/answer-schemas.ts').PassingsFilePreview} PassingsPreview
 * @typedef {import('../../../../worker/passings/answer-schemas.ts').PassingsUploadOut} PassingsUpload
 * @typedef {import('../../../../worker/passings/answer-schemas.ts').PassingPoint} PassingPoint
 * @typedef {import('../../../../worker/passings/answer-schemas.ts').PassingDeletion} PassingDeletion
 * @typedef {'results' | 'passings'} Times what a file has: times of the finish, or of a point before it
 * @typedef {{ query: string, reason: string, key: string }} Sending
 */

/**
 * @template Item
 * @typedef {{ data: Item[], meta: { total: number, total_pages: number } }} PageOf
 */

/**
 * @typedef {import('../../../../worker/events/panel-schemas.ts').EventBoardIn} BoardSwitches
 * @typedef {import('../../../../worker/organizations/answer-schemas.ts').Organization} Organization
 * @typedef {{ name: string, scopes: string[], expires_at?: string, event_id?: string }} NewKey
 *
 * @typedef {'signedOut' | 'forbidden' | 'notFound' | 'tooLarge' | 'refused' | 'tooMany' | 'unavailable' | 'unreachable'} FailureKind
 */

const TIMEOUT_MS = 20_000;
/** Over its limit, the page waits as often as this for as long as the API says: a minute at most. */
const WAITS_MAX = 2;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/** A file of 16 MiB on a slow line. */
const FILE_TIMEOUT_MS = 10 * 60_000;

/** @type {Record<number, FailureKind>} */
const KINDS = {
  400: 'refused',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  413: 'tooLarge',
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
  const base = addressOfOrganization(organization);

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {number} [timeoutMs]
   */
  async function ask(method, path, body, timeoutMs = TIMEOUT_MS) {
    const isForm = body instanceof FormData;
    const sent = isForm ? body : body ? JSON.stringify(body) : null;
    for (let waits = 0; ; waits++) {
      const response = await request(token, base + path, {
        method,
        body: sent,
        isJson: typeof sent === 'string',
        timeoutMs,
      }).catch(unreachable);
      if (response.ok) return response;
      if (response.status !== 429 || waits === WAITS_MAX) throw await failureOf(response);
      const seconds = Number(response.headers.get('Retry-After'));
      await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    }
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {number} [timeoutMs] */
  async function send(method, path, body, timeoutMs) {
    const response = await ask(method, path, body, timeoutMs);
    return response.status === 204 ? true : response.json().catch(unreachable);
  }

  /**
   * Every item of a list.
   * @param {string} path
   */
  async function all(path) {
    const items = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const { data, meta } = await send('GET', pageOf(path, page));
      items.push(...data);
      last = meta.total_pages;
    }
    return items;
  }

  /**
   * Stores a file. Only this request says how much of it has left.
   * @param {string} path
   * @param {FormData} form
   * @param {string} key
   * @param {(share: number) => void} onProgress
   * @returns {Promise<Upload | PassingsUpload>}
   */
  function uploadForm(path, form, key, onProgress) {
    const upload = new XMLHttpRequest();
    upload.open('POST', base + path);
    upload.setRequestHeader('Authorization', `Bearer ${token}`);
    upload.setRequestHeader('Idempotency-Key', key);
    upload.timeout = FILE_TIMEOUT_MS;
    upload.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    return new Promise((resolve, reject) => {
      for (const end of ['error', 'abort', 'timeout']) {
        upload.addEventListener(end, () => reject(new Failure('unreachable')));
      }
      upload.addEventListener('load', async () => {
        const response = new Response(upload.responseText, { status: upload.status });
        if (!response.ok) reject(await failureOf(response));
        else response.json().then(resolve, () => reject(new Failure('unreachable')));
      });
      upload.send(form);
    });
  }

  return {
    /** @type {() => Promise<Organization>} */
    organization: () => send('GET', ''),
    /** @type {() => Promise<OrganizationEvent[]>} */
    events: () => all('/events'),
    /** @type {(id: string) => Promise<OrganizationEvent>} */
    event: (id) => send('GET', `/events/${id}`),
    /** @type {(id: string, switches: BoardSwitches) => Promise<OrganizationEvent>} */
    switchBoard: (id, switches) => send('PATCH', `/events/${id}/board`, switches),
    /** @type {(id: string, page: number) => Promise<PageOf<Batch>>} */
    batches: (id, page) => send('GET', `/events/${id}/result-batches?page=${page}`),
    /** @type {(id: string, batch: string, isDryRun: boolean) => Promise<Reversal>} */
    revert: (id, batch, isDryRun) =>
      send('POST', `/events/${id}/result-batches/${batch}/revert?dry_run=${isDryRun}`),
    /** @type {(id: string, batch: string, page: number) => Promise<PageOf<Change>>} */
    changes: (id, batch, page) =>
      send('GET', `/events/${id}/result-batches/${batch}/changes?page=${page}`),
    /** @type {(id: string, search: string, page: number) => Promise<PageOf<Runner>>} */
    runners: (id, search, page) => send('GET', runnersOf(id, search, page)),
    /** The oldest first. @type {(id: string, bib: string) => Promise<Version[]>} */
    versions: (id, bib) =>
      all(`/events/${id}/results/${encodeURIComponent(bib)}/history`).catch(noneIfNotFound),
    /** @type {(id: string, bib: string, change: Correction) => Promise<object>} */
    correct: (id, bib, change) =>
      send('PATCH', `/events/${id}/results/${encodeURIComponent(bib)}`, change),
    /** @type {(id: string, bib: string, reason: string) => Promise<object>} */
    remove: (id, bib, reason) =>
      send(
        'DELETE',
        `/events/${id}/results/${encodeURIComponent(bib)}?reason=${encodeURIComponent(reason)}`,
      ),
    /** @type {(id: string) => Promise<HiddenName[]>} */
    hiddenNames: (id) => all(`/events/${id}/hidden-names`),
    /** @type {(id: string, bib: string, isHidden: boolean) => Promise<true>} */
    setHidden: (id, bib, isHidden) =>
      send(isHidden ? 'PUT' : 'DELETE', `/events/${id}/hidden-names/${encodeURIComponent(bib)}`),
    /** How a file would be read. @type {(id: string, times: Times, file: File, query: string) => Promise<Preview | PassingsPreview>} */
    preview: (id, times, file, query) =>
      send('POST', `/events/${id}/${times}/file/preview?${query}`, formOf(file), FILE_TIMEOUT_MS),
    /** @type {(id: string, times: Times, file: File, sending: Sending, onProgress: (share: number) => void) => Promise<Upload | PassingsUpload>} */
    upload: (id, times, file, { query, reason, key }, onProgress) => {
      const why = reason ? `reason=${encodeURIComponent(reason)}` : '';
      const path = `/events/${id}/${times}/file?${[query, why].filter(Boolean).join('&')}`;
      return uploadForm(path, formOf(file), key, onProgress);
    },
    /** @type {(id: string) => Promise<PassingPoint[]>} */
    points: (id) => all(`/events/${id}/passings/points`),
    /** @type {(id: string, point: string, isDryRun: boolean) => Promise<PassingDeletion>} */
    removePoint: (id, point, isDryRun) => {
      const query = `point=${encodeURIComponent(point)}&dry_run=${isDryRun}`;
      return send('DELETE', `/events/${id}/passings?${query}`);
    },
    /** The results as a CSV file. @param {string} id @param {'comma' | 'semicolon'} delimiter */
    results: async (id, delimiter) => {
      const path = `/events/${id}/results/export?delimiter=${delimiter}`;
      return (await ask('GET', path, undefined, DOWNLOAD_TIMEOUT_MS)).blob().catch(unreachable);
    },
    /** @type {(id: string) => Promise<OfficialResults[]>} */
    official: (id) => all(`/events/${id}/results/official`),
    /** @type {(id: string) => Promise<OfficialResults>} */
    makeOfficial: (id) =>
      send('POST', `/events/${id}/results/official`, undefined, DOWNLOAD_TIMEOUT_MS),
    /** A signed version. @param {string} id @param {number} version */
    officialFile: async (id, version) => {
      const path = `/events/${id}/results/official/${version}`;
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

/** @param {unknown} failure @returns {never[]} */
function noneIfNotFound(failure) {
  if (failure instanceof Failure && failure.kind === 'notFound') return [];
  throw failure;
}

/** @param {File} file */
function formOf(file) {
  const form = new FormData();
  form.set('file', file);
  return form;
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
