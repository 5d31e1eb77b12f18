import type { DryRunOptions, ReasonOptions, RevertOptions, UploadOptions } from './client.ts';
import {
  Connection,
  type ConnectionOptions,
  type RequestOptions,
  secretHeader,
} from './connection.ts';
import {
  type FileOptions,
  fileQuery,
  formOf,
  type PassingFileOptions,
  pointQuery,
  type ResultsFile,
} from './results-file.ts';
import type {
  ApiKeyIn,
  ApiKeyNameIn,
  EventBoardIn,
  PageQuery,
  ResultCorrectionIn,
  RunnerQuery,
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
  getOrganization(organizationId: string, options?: RequestOptions) {
    return this.#api.send('getOrganization', { ...options, ids: [organizationId] });
  }

  /** Lists the events with the switches of their live boards, latest event date first. */
  listOrganizationEvents(organizationId: string, query?: PageQuery, options?: RequestOptions) {
    return this.#api.list('listOrganizationEvents', { ...options, ids: [organizationId], query });
  }

  /** Returns an event with its counts and the switches of its live board. */
  getOrganizationEvent(organizationId: string, eventId: string, options?: RequestOptions) {
    return this.#api.send('getOrganizationEvent', { ...options, ids: [organizationId, eventId] });
  }

  /** Switches the live board of an event, or the names on it, on or off. */
  updateEventBoard(
    organizationId: string,
    eventId: string,
    switches: EventBoardIn,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId], json: switches };
    return this.#api.send('updateEventBoard', call);
  }

  /** All results of an event as of one moment, with the names of the runners. */
  exportOrganizationEventResults(
    organizationId: string,
    eventId: string,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId] };
    return this.#api.lines('exportOrganizationEventResults', call);
  }

  /** Finds the runners of an event by bib or name, with their results. They hold personal data. */
  listOrganizationEventRunners(
    organizationId: string,
    eventId: string,
    query?: RunnerQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId], query };
    return this.#api.list('listOrganizationEventRunners', call);
  }

  /** Lists the versions of the result of a bib, the first one first. */
  listOrganizationResultVersions(
    organizationId: string,
    eventId: string,
    bibNumber: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId, bibNumber], query };
    return this.#api.list('listOrganizationResultVersions', call);
  }

  /**
   * Stores the results of a file, like `uploadEventResultsFile` of the public API.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async uploadOrganizationEventResultsFile(
    organizationId: string,
    eventId: string,
    file: ResultsFile,
    { read, reason, ...options }: FileOptions & UploadOptions = {},
  ) {
    return this.#api.send('uploadOrganizationEventResultsFile', {
      ...options,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      ids: [organizationId, eventId],
      query: [...fileQuery(read), ['reason', reason] as const],
      form: await formOf(file, options.signal),
    });
  }

  /**
   * Shows how an upload would read a file, and writes nothing, like `previewEventResultsFile` of the public API.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async previewOrganizationEventResultsFile(
    organizationId: string,
    eventId: string,
    file: ResultsFile,
    { read, ...options }: FileOptions = {},
  ) {
    return this.#api.send('previewOrganizationEventResultsFile', {
      ...options,
      ids: [organizationId, eventId],
      query: fileQuery(read),
      form: await formOf(file, options.signal),
    });
  }

  /**
   * Stores the times of a file as passings of one point, like `uploadEventPassingsFile` of the public API.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async uploadOrganizationEventPassingsFile(
    organizationId: string,
    eventId: string,
    point: string,
    file: ResultsFile,
    { read, ...options }: PassingFileOptions & UploadOptions = {},
  ) {
    return this.#api.send('uploadOrganizationEventPassingsFile', {
      ...options,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      ids: [organizationId, eventId],
      query: pointQuery(point, read),
      form: await formOf(file, options.signal),
    });
  }

  /**
   * Shows how an upload would read a file of one point, and writes nothing, like `previewEventPassingsFile` of the
   * public API.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  async previewOrganizationEventPassingsFile(
    organizationId: string,
    eventId: string,
    point: string,
    file: ResultsFile,
    { read, ...options }: PassingFileOptions = {},
  ) {
    return this.#api.send('previewOrganizationEventPassingsFile', {
      ...options,
      ids: [organizationId, eventId],
      query: pointQuery(point, read),
      form: await formOf(file, options.signal),
    });
  }

  /** Lists the points in the order of the course, with how many have passed each. */
  listOrganizationEventPassingPoints(
    organizationId: string,
    eventId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId], query };
    return this.#api.list('listOrganizationEventPassingPoints', call);
  }

  /** Deletes all passings of a point. With `dryRun`, the API answers how many there are and deletes nothing. */
  deleteOrganizationEventPassings(
    organizationId: string,
    eventId: string,
    point: string,
    { dryRun, ...options }: DryRunOptions = {},
  ) {
    const query = { point, ...(dryRun && { dry_run: 'true' }) };
    const call = { ...options, ids: [organizationId, eventId], query };
    return this.#api.send('deleteOrganizationEventPassings', call);
  }

  /**
   * Changes the status or a time of a result, or makes the first result of a runner. What is not named stays. It is a
   * batch that can be taken back.
   */
  correctOrganizationEventResult(
    organizationId: string,
    eventId: string,
    bibNumber: string,
    correction: ResultCorrectionIn,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId, bibNumber], json: correction };
    return this.#api.send('correctOrganizationEventResult', call);
  }

  /**
   * Takes the result of a bib away. It is a batch that can be taken back. The client does not retry it, because a
   * second call finds no result.
   */
  deleteOrganizationEventResult(
    organizationId: string,
    eventId: string,
    bibNumber: string,
    { reason, ...options }: ReasonOptions = {},
  ) {
    const ids = [organizationId, eventId, bibNumber];
    const call = { ...options, ids, query: { reason }, isOnce: true };
    return this.#api.send('deleteOrganizationEventResult', call);
  }

  /** Signs all results and keeps them as the next official version. The client does not retry it. */
  makeResultsOfficial(organizationId: string, eventId: string, options?: RequestOptions) {
    const call = { ...options, ids: [organizationId, eventId], isOnce: true };
    return this.#api.send('makeResultsOfficial', call);
  }

  /** Lists the official versions of the results, the last one first. */
  listOrganizationOfficialResults(
    organizationId: string,
    eventId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId], query };
    return this.#api.list('listOrganizationOfficialResults', call);
  }

  /** Returns an official version as a file: its signature, and the document. */
  getOrganizationOfficialResults(
    organizationId: string,
    eventId: string,
    version: number,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId, String(version)], isText: true };
    return this.#api.send('getOrganizationOfficialResults', call);
  }

  /** Lists the runners whose names the live board never shows, by bib. */
  listHiddenNames(
    organizationId: string,
    eventId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    return this.#api.list('listHiddenNames', { ...options, ids: [organizationId, eventId], query });
  }

  /** Hides the name of a runner from the live board. A second call changes nothing. */
  hideName(organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
    return this.#api.send('hideName', { ...options, ids: [organizationId, eventId, bibNumber] });
  }

  /** Shows the name of a runner again. A second call changes nothing. */
  showName(organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
    return this.#api.send('showName', { ...options, ids: [organizationId, eventId, bibNumber] });
  }

  /** Lists the uploads and reverts of an event, newest first. */
  listOrganizationResultBatches(
    organizationId: string,
    eventId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId], query };
    return this.#api.list('listOrganizationResultBatches', call);
  }

  /** Lists what a batch did to the result of each bib. */
  listOrganizationResultBatchChanges(
    organizationId: string,
    eventId: string,
    batchId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, eventId, batchId], query };
    return this.#api.list('listOrganizationResultBatchChanges', call);
  }

  /** Takes a batch back, like `revertResultBatch` of the public API. */
  revertOrganizationResultBatch(
    organizationId: string,
    eventId: string,
    batchId: string,
    { dryRun, ...options }: RevertOptions = {},
  ) {
    const query = dryRun ? { dry_run: 'true' } : {};
    const call = { ...options, ids: [organizationId, eventId, batchId], query };
    return this.#api.send('revertOrganizationResultBatch', call);
  }

  /** Creates a key. Only this answer has `api_key`. The client does not retry it. */
  createApiKey(organizationId: string, key: ApiKeyIn, options?: RequestOptions) {
    const call = { ...options, ids: [organizationId], json: key, isOnce: true };
    return this.#api.send('createApiKey', call);
  }

  /** Lists the keys without their secrets, newest first. */
  listApiKeys(organizationId: string, query?: PageQuery, options?: RequestOptions) {
    return this.#api.list('listApiKeys', { ...options, ids: [organizationId], query });
  }

  /** Lists who created, rotated and revoked a key, newest first. */
  listApiKeyEvents(
    organizationId: string,
    keyId: string,
    query?: PageQuery,
    options?: RequestOptions,
  ) {
    return this.#api.list('listApiKeyEvents', { ...options, ids: [organizationId, keyId], query });
  }

  /** Gives a key another name. */
  renameApiKey(
    organizationId: string,
    keyId: string,
    name: ApiKeyNameIn,
    options?: RequestOptions,
  ) {
    const call = { ...options, ids: [organizationId, keyId], json: name };
    return this.#api.send('renameApiKey', call);
  }

  /**
   * Gives a key a new secret. The previous secret stops working. Only this answer has `api_key`. The client
   * does not retry it.
   */
  rotateApiKey(organizationId: string, keyId: string, options?: RequestOptions) {
    const call = { ...options, ids: [organizationId, keyId], isOnce: true };
    return this.#api.send('rotateApiKey', call);
  }

  /** Revokes a key. Revoking it again changes nothing. */
  revokeApiKey(organizationId: string, keyId: string, options?: RequestOptions) {
    return this.#api.send('revokeApiKey', { ...options, ids: [organizationId, keyId] });
  }
}
