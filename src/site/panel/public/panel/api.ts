import type { ResultStatus } from '../../../../timing-files/read/result-status.ts';
import type {
  ApiKeyEvent,
  ApiKeyRecord,
  RotatedApiKey,
} from '../../../../worker/api-keys/answer-schemas.ts';
import type { HiddenName } from '../../../../worker/board/panel-answer-schemas.ts';
import type { OrganizationEvent } from '../../../../worker/events/panel-answer-schemas.ts';
import type { EventBoardIn } from '../../../../worker/events/panel-schemas.ts';
import type { Organization } from '../../../../worker/organizations/answer-schemas.ts';
import type {
  PassingDeletion,
  PassingPoint,
  PassingsFilePreview,
  PassingsUploadOut,
} from '../../../../worker/passings/answer-schemas.ts';
import type {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultVersion,
} from '../../../../worker/results/batches/answer-schemas.ts';
import type { OfficialResults } from '../../../../worker/results/official/answer-schemas.ts';
import type { Runner } from '../../../../worker/results/panel-answer-schemas.ts';
import type { ResultsUploadOut } from '../../../../worker/results/upload/answer-schemas.ts';
import type { ResultsFilePreview } from '../../../../worker/results/upload/preview-answer-schemas.ts';
import type { Correction } from './correction.ts';
import { addressOfOrganization, pageOf, request, runnersOf } from './request.ts';

export type ApiKey = ApiKeyRecord;
export type ApiKeyWithSecret = RotatedApiKey;
export type { ApiKeyEvent, OrganizationEvent };
export type Batch = ResultBatch;
type Reversal = ResultBatchReversal;
export type Change = ResultChange;
export type Version = ResultVersion;
export type { HiddenName, OfficialResults, ResultStatus, Runner };
export type Preview = ResultsFilePreview;
export type Upload = ResultsUploadOut;
export type PassingsPreview = PassingsFilePreview;
export type PassingsUpload = PassingsUploadOut;
export type { PassingDeletion, PassingPoint };

/** What a file has: times of the finish, or of a point before it. */
type Times = 'results' | 'passings';
type Sending = { query: string; reason: string; key: string };

type PageOf<Item> = { data: Item[]; meta: { total: number; total_pages: number } };

type BoardSwitches = EventBoardIn;

export type { Organization };
export type NewKey = { name: string; scopes: string[]; expires_at?: string; event_id?: string };
type FailureKind =
  | 'signedOut'
  | 'forbidden'
  | 'notFound'
  | 'tooLarge'
  | 'refused'
  | 'tooMany'
  | 'unavailable'
  | 'unreachable';

const TIMEOUT_MS = 20_000;
/** Over its limit, the page waits as often as this for as long as the API says: a minute at most. */
const WAITS_MAX = 2;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/** A file of 16 MiB on a slow line. */
const FILE_TIMEOUT_MS = 10 * 60_000;

const KINDS: Record<number, FailureKind> = {
  400: 'refused',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  413: 'tooLarge',
  429: 'tooMany',
};

/** The reason of a failed request. `detail` is the sentence of the API, if there is one. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly detail: string;

  constructor(kind: FailureKind, detail = '') {
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
 */
export function createApi(organization: string, token: string) {
  const base = addressOfOrganization(organization);

  async function ask(method: string, path: string, body?: object, timeoutMs: number = TIMEOUT_MS) {
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

  async function send(method: string, path: string, body?: object, timeoutMs?: number) {
    const response = await ask(method, path, body, timeoutMs);
    return response.status === 204 ? true : response.json().catch(unreachable);
  }

  /** Every item of a list. */
  async function all(path: string) {
    const items = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const { data, meta } = await send('GET', pageOf(path, page));
      items.push(...data);
      last = meta.total_pages;
    }
    return items;
  }

  /** Stores a file. Only this request says how much of it has left. */
  function uploadForm(
    path: string,
    form: FormData,
    key: string,
    onProgress: (share: number) => void,
  ): Promise<Upload | PassingsUpload> {
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
    organization: (): Promise<Organization> => send('GET', ''),
    events: (): Promise<OrganizationEvent[]> => all('/events'),
    event: (id: string): Promise<OrganizationEvent> => send('GET', `/events/${id}`),
    switchBoard: (id: string, switches: BoardSwitches): Promise<OrganizationEvent> =>
      send('PATCH', `/events/${id}/board`, switches),
    batches: (id: string, page: number): Promise<PageOf<Batch>> =>
      send('GET', `/events/${id}/result-batches?page=${page}`),
    revert: (id: string, batch: string, isDryRun: boolean): Promise<Reversal> =>
      send('POST', `/events/${id}/result-batches/${batch}/revert?dry_run=${isDryRun}`),
    changes: (id: string, batch: string, page: number): Promise<PageOf<Change>> =>
      send('GET', `/events/${id}/result-batches/${batch}/changes?page=${page}`),
    runners: (id: string, search: string, page: number): Promise<PageOf<Runner>> =>
      send('GET', runnersOf(id, search, page)),
    /** The oldest first. */
    versions: (id: string, bib: string): Promise<Version[]> =>
      all(`/events/${id}/results/${encodeURIComponent(bib)}/history`).catch(noneIfNotFound),
    correct: (id: string, bib: string, change: Correction): Promise<object> =>
      send('PATCH', `/events/${id}/results/${encodeURIComponent(bib)}`, change),
    remove: (id: string, bib: string, reason: string): Promise<object> =>
      send(
        'DELETE',
        `/events/${id}/results/${encodeURIComponent(bib)}?reason=${encodeURIComponent(reason)}`,
      ),
    hiddenNames: (id: string): Promise<HiddenName[]> => all(`/events/${id}/hidden-names`),
    setHidden: (id: string, bib: string, isHidden: boolean): Promise<true> =>
      send(isHidden ? 'PUT' : 'DELETE', `/events/${id}/hidden-names/${encodeURIComponent(bib)}`),
    /** How a file would be read. */
    preview: (
      id: string,
      times: Times,
      file: File,
      query: string,
    ): Promise<Preview | PassingsPreview> =>
      send('POST', `/events/${id}/${times}/file/preview?${query}`, formOf(file), FILE_TIMEOUT_MS),
    upload: (
      id: string,
      times: Times,
      file: File,
      { query, reason, key }: Sending,
      onProgress: (share: number) => void,
    ): Promise<Upload | PassingsUpload> => {
      const why = reason ? `reason=${encodeURIComponent(reason)}` : '';
      const path = `/events/${id}/${times}/file?${[query, why].filter(Boolean).join('&')}`;
      return uploadForm(path, formOf(file), key, onProgress);
    },
    points: (id: string): Promise<PassingPoint[]> => all(`/events/${id}/passings/points`),
    removePoint: (id: string, point: string, isDryRun: boolean): Promise<PassingDeletion> => {
      const query = `point=${encodeURIComponent(point)}&dry_run=${isDryRun}`;
      return send('DELETE', `/events/${id}/passings?${query}`);
    },
    /** The results as a CSV file. */
    results: async (id: string, delimiter: 'comma' | 'semicolon') => {
      const path = `/events/${id}/results/export?delimiter=${delimiter}`;
      return (await ask('GET', path, undefined, DOWNLOAD_TIMEOUT_MS)).blob().catch(unreachable);
    },
    official: (id: string): Promise<OfficialResults[]> => all(`/events/${id}/results/official`),
    makeOfficial: (id: string): Promise<OfficialResults> =>
      send('POST', `/events/${id}/results/official`, undefined, DOWNLOAD_TIMEOUT_MS),
    /** A signed version. */
    officialFile: async (id: string, version: number) => {
      const path = `/events/${id}/results/official/${version}`;
      return (await ask('GET', path, undefined, DOWNLOAD_TIMEOUT_MS)).blob().catch(unreachable);
    },
    keys: (): Promise<ApiKey[]> => all('/api-keys'),
    history: (id: string): Promise<ApiKeyEvent[]> => all(`/api-keys/${id}/events`),
    create: (key: NewKey): Promise<ApiKeyWithSecret> => send('POST', '/api-keys', key),
    rename: (id: string, name: string): Promise<ApiKey> =>
      send('PATCH', `/api-keys/${id}`, { name }),
    rotate: (id: string): Promise<ApiKeyWithSecret> => send('POST', `/api-keys/${id}/rotate`),
    revoke: (id: string): Promise<true> => send('DELETE', `/api-keys/${id}`),
  };
}

function noneIfNotFound(failure: unknown): never[] {
  if (failure instanceof Failure && failure.kind === 'notFound') return [];
  throw failure;
}

function formOf(file: File) {
  const form = new FormData();
  form.set('file', file);
  return form;
}

function unreachable(): never {
  throw new Failure('unreachable');
}

export type Api = ReturnType<typeof createApi>;

async function failureOf(response: Response) {
  const body = await response.json().catch(() => undefined);
  const detail = typeof body?.detail === 'string' ? body.detail : '';
  return new Failure(KINDS[response.status] ?? 'unavailable', detail);
}
