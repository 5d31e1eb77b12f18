import { Connection } from '../client/connection.ts';
import { type ApiError, isRaceResultsError, type RaceResultsError } from '../client/errors.ts';
import { authorizationOf, request } from './request.ts';

export type {
  ApiKeyEvent,
  ApiKeyRecord as ApiKey,
  ApiKeyUses,
  RotatedApiKey as ApiKeyWithSecret,
} from '../../../../worker/api-keys/answer-schemas.ts';
export type { BoardDistance, HiddenName } from '../../../../worker/board/panel-answer-schemas.ts';
export type {
  EventPoints,
  EventStarts,
  EventWarnings,
} from '../../../../worker/course/answer-schemas.ts';
export type { OrganizationEvent } from '../../../../worker/events/panel-answer-schemas.ts';
export type { Organization } from '../../../../worker/organizations/answer-schemas.ts';
export type {
  PassingPoint,
  PassingsFilePreview as PassingsPreview,
  PassingsUploadOut as PassingsUpload,
  PassingUpload,
} from '../../../../worker/passings/answer-schemas.ts';
export type { EventChange, EventRanking } from '../../../../worker/ranking/answer-schemas.ts';
export type {
  OrganizationResultBatch as Batch,
  ResultChange as Change,
  ResultVersion as Version,
} from '../../../../worker/results/batches/answer-schemas.ts';
export type { OfficialResults } from '../../../../worker/results/official/answer-schemas.ts';

import type {
  Runner as ListedRunner,
  Runners,
} from '../../../../worker/results/panel-answer-schemas.ts';

export type { ListedRunner, Runners };

/** A runner with a bib, by which results are corrected. */
export type Runner = ListedRunner & { readonly bib_number: string };

export const hasBib = (runner: ListedRunner): runner is Runner => runner.bib_number !== null;

export type { ResultsUploadOut as Upload } from '../../../../worker/results/upload/answer-schemas.ts';
export type { ResultsFilePreview as Preview } from '../../../../worker/results/upload/preview-answer-schemas.ts';

type FailureKind =
  | 'signedOut'
  | 'forbidden'
  | 'notFound'
  | 'tooLarge'
  | 'refused'
  | 'changed'
  | 'tooMany'
  | 'unavailable'
  | 'unreachable';

const TIMEOUT_MS = 20_000;
/** Over the API's limit, the page waits as often as this for the time that the API names: a minute at most. */
const WAITS_MAX = 2;
/** The time of an answer with all results of a race. */
export const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/** The time of a file of 16 MiB on a slow line. */
export const FILE_TIMEOUT_MS = 10 * 60_000;

/** The API's words for another user who was faster. */
const CHANGED = new Set(['not_present', 'changed_since_swap']);

const KINDS: Record<number, FailureKind> = {
  400: 'refused',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  409: 'refused',
  413: 'tooLarge',
  429: 'tooMany',
};

/**
 * The reason of a failed request. `detail` is the sentence of the API, if any. `refusal` is the API's word, with the
 * values of the sentence, and `warnings` are the reasons for a question.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly detail: string;
  readonly warnings: ApiError['warnings'];
  readonly refusal: string;
  readonly values: ApiError['values'];

  constructor(
    kind: FailureKind,
    { detail = '', warnings = [], refusal = '', values = {} }: Partial<ApiError> = {},
  ) {
    super(kind);
    this.kind = kind;
    this.detail = detail;
    this.warnings = warnings;
    this.refusal = refusal;
    this.values = values;
  }
}

/** The session has ended meanwhile, and the page shows the sign-in. */
export class SessionEnded extends Error {}

/** A request failed after the reader had left the part of the page behind the request. */
export class LateFailure extends SessionEnded {}

/** The parts of a request of a session. The token stays in the connection. */
export type Api = {
  client: Connection;
  organization: string;
  /** A connection with another way of sending. */
  through(send: typeof request): Connection;
};

/** The operations on an organization, its events and its keys are the client's operations. */
export function createApi(organization: string, token: string): Api {
  const connect = (send: typeof request) =>
    new Connection(
      { baseUrl: location.origin, timeoutMs: TIMEOUT_MS, maxAttempts: 1, fetch: send },
      { ...authorizationOf(token), Prefer: 'values' },
    );
  return { client: connect(request), organization, through: connect };
}

/** An answer whose values are all known to the page: the page and the API are deployed together. */
export type Known<Value> = [Literal<Extract<Value, string>>] extends [never]
  ? Deep<Value>
  : Deep<Literal<Value>>;
type Deep<Value> = Value extends Blob
  ? Value
  : Value extends readonly (infer Item)[]
    ? Known<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Known<Value[Name]> }
      : Value;
/** The literal values of a type. */
type Literal<Value> = Value extends string ? (string extends Value ? never : Value) : Value;

/**
 * Runs a request. Over the limit, the function waits as long as the API says and runs the request again.
 * @throws Failure
 */
export async function ask<Answer>(request: () => PromiseLike<Answer>): Promise<Known<Answer>>;
export async function ask(request: () => PromiseLike<unknown>): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    try {
      return await request();
    } catch (error) {
      if (!isRaceResultsError(error)) throw error;
      const failure = failureOf(error);
      if (failure.kind !== 'tooMany' || waits === WAITS_MAX) throw failure;
      const seconds = 'retryAfterSeconds' in error ? (error.retryAfterSeconds ?? 1) : 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    }
  }
}

export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function failureOf(error: RaceResultsError): Failure {
  if (!('status' in error) || error.status < 300) return new Failure('unreachable');
  const kind = KINDS[error.status] ?? 'unavailable';
  if (!('detail' in error)) return new Failure(kind);
  const isChanged = CHANGED.has(error.refusal ?? '');
  return new Failure(isChanged ? 'changed' : kind, error);
}

/** The items of an empty list. */
export function noneIfNotFound(error: unknown): never[] {
  if (isRaceResultsError(error) && error.code === 'NOT_FOUND') return [];
  throw error;
}
