// Generated from the OpenAPI document by `npm run generate:client`.

import { listEvents as listEventsOf } from './operations/list-events.ts';
import { getEvent as getEventOf } from './operations/get-event.ts';
import { listEventParticipants as listEventParticipantsOf } from './operations/list-event-participants.ts';
import { exportEventParticipants as exportEventParticipantsOf } from './operations/export-event-participants.ts';
import { getEventParticipant as getEventParticipantOf } from './operations/get-event-participant.ts';
import { lookupEventParticipants as lookupEventParticipantsOf } from './operations/lookup-event-participants.ts';
import { exportEventStartList as exportEventStartListOf } from './operations/export-event-start-list.ts';
import { getEventStats as getEventStatsOf } from './operations/get-event-stats.ts';
import { getEventStarts as getEventStartsOf } from './operations/get-event-starts.ts';
import { putEventStarts as putEventStartsOf } from './operations/put-event-starts.ts';
import { getEventPoints as getEventPointsOf } from './operations/get-event-points.ts';
import { putEventPoints as putEventPointsOf } from './operations/put-event-points.ts';
import { getEventWarnings as getEventWarningsOf } from './operations/get-event-warnings.ts';
import { listEventPassings as listEventPassingsOf } from './operations/list-event-passings.ts';
import { uploadEventPassings as uploadEventPassingsOf } from './operations/upload-event-passings.ts';
import { deleteEventPassings as deleteEventPassingsOf } from './operations/delete-event-passings.ts';
import { exportEventPassings as exportEventPassingsOf } from './operations/export-event-passings.ts';
import { listEventPassingPoints as listEventPassingPointsOf } from './operations/list-event-passing-points.ts';
import { uploadEventPassingsFile as uploadEventPassingsFileOf } from './operations/upload-event-passings-file.ts';
import { previewEventPassingsFile as previewEventPassingsFileOf } from './operations/preview-event-passings-file.ts';
import { listPassingUploads as listPassingUploadsOf } from './operations/list-passing-uploads.ts';
import { revertPassingUpload as revertPassingUploadOf } from './operations/revert-passing-upload.ts';
import { listEventResults as listEventResultsOf } from './operations/list-event-results.ts';
import { uploadEventResults as uploadEventResultsOf } from './operations/upload-event-results.ts';
import { exportEventResults as exportEventResultsOf } from './operations/export-event-results.ts';
import { getEventResult as getEventResultOf } from './operations/get-event-result.ts';
import { deleteEventResult as deleteEventResultOf } from './operations/delete-event-result.ts';
import { listMissingResults as listMissingResultsOf } from './operations/list-missing-results.ts';
import { listOfficialResults as listOfficialResultsOf } from './operations/list-official-results.ts';
import { getOfficialResults as getOfficialResultsOf } from './operations/get-official-results.ts';
import { uploadEventResultsFile as uploadEventResultsFileOf } from './operations/upload-event-results-file.ts';
import { previewEventResultsFile as previewEventResultsFileOf } from './operations/preview-event-results-file.ts';
import { listResultBatches as listResultBatchesOf } from './operations/list-result-batches.ts';
import { listResultBatchChanges as listResultBatchChangesOf } from './operations/list-result-batch-changes.ts';
import { listEventResultVersions as listEventResultVersionsOf } from './operations/list-event-result-versions.ts';
import { revertResultBatch as revertResultBatchOf } from './operations/revert-result-batch.ts';
import { swapEventResults as swapEventResultsOf } from './operations/swap-event-results.ts';
import { getBoard as getBoardOf } from './operations/get-board.ts';
import { listBoardResults as listBoardResultsOf } from './operations/list-board-results.ts';
import { getBoardRunner as getBoardRunnerOf } from './operations/get-board-runner.ts';
import { listBoardPoints as listBoardPointsOf } from './operations/list-board-points.ts';
import { getOrganization as getOrganizationOf } from './operations/get-organization.ts';
import { listOrganizationEvents as listOrganizationEventsOf } from './operations/list-organization-events.ts';
import { getOrganizationEvent as getOrganizationEventOf } from './operations/get-organization-event.ts';
import { updateEventBoard as updateEventBoardOf } from './operations/update-event-board.ts';
import { renewBoardCode as renewBoardCodeOf } from './operations/renew-board-code.ts';
import { getEventRanking as getEventRankingOf } from './operations/get-event-ranking.ts';
import { updateEventRanking as updateEventRankingOf } from './operations/update-event-ranking.ts';
import { listEventChanges as listEventChangesOf } from './operations/list-event-changes.ts';
import { getOrganizationEventStarts as getOrganizationEventStartsOf } from './operations/get-organization-event-starts.ts';
import { putOrganizationEventStarts as putOrganizationEventStartsOf } from './operations/put-organization-event-starts.ts';
import { getOrganizationEventPoints as getOrganizationEventPointsOf } from './operations/get-organization-event-points.ts';
import { putOrganizationEventPoints as putOrganizationEventPointsOf } from './operations/put-organization-event-points.ts';
import { getOrganizationEventWarnings as getOrganizationEventWarningsOf } from './operations/get-organization-event-warnings.ts';
import { listOrganizationEventRunners as listOrganizationEventRunnersOf } from './operations/list-organization-event-runners.ts';
import { getOrganizationEventOnCourse as getOrganizationEventOnCourseOf } from './operations/get-organization-event-on-course.ts';
import { listOrganizationResultVersions as listOrganizationResultVersionsOf } from './operations/list-organization-result-versions.ts';
import { exportOrganizationEventResults as exportOrganizationEventResultsOf, exportOrganizationEventResultsFile as exportOrganizationEventResultsFileOf } from './operations/export-organization-event-results.ts';
import { uploadOrganizationEventResultsFile as uploadOrganizationEventResultsFileOf } from './operations/upload-organization-event-results-file.ts';
import { previewOrganizationEventResultsFile as previewOrganizationEventResultsFileOf } from './operations/preview-organization-event-results-file.ts';
import { correctOrganizationEventResult as correctOrganizationEventResultOf } from './operations/correct-organization-event-result.ts';
import { deleteOrganizationEventResult as deleteOrganizationEventResultOf } from './operations/delete-organization-event-result.ts';
import { listOrganizationResultBatches as listOrganizationResultBatchesOf } from './operations/list-organization-result-batches.ts';
import { listOrganizationResultBatchChanges as listOrganizationResultBatchChangesOf } from './operations/list-organization-result-batch-changes.ts';
import { revertOrganizationResultBatch as revertOrganizationResultBatchOf } from './operations/revert-organization-result-batch.ts';
import { swapOrganizationEventResults as swapOrganizationEventResultsOf } from './operations/swap-organization-event-results.ts';
import { uploadOrganizationEventPassingsFile as uploadOrganizationEventPassingsFileOf } from './operations/upload-organization-event-passings-file.ts';
import { previewOrganizationEventPassingsFile as previewOrganizationEventPassingsFileOf } from './operations/preview-organization-event-passings-file.ts';
import { listOrganizationEventPassingPoints as listOrganizationEventPassingPointsOf } from './operations/list-organization-event-passing-points.ts';
import { deleteOrganizationEventPassings as deleteOrganizationEventPassingsOf } from './operations/delete-organization-event-passings.ts';
import { listOrganizationPassingUploads as listOrganizationPassingUploadsOf } from './operations/list-organization-passing-uploads.ts';
import { revertOrganizationPassingUpload as revertOrganizationPassingUploadOf } from './operations/revert-organization-passing-upload.ts';
import { listOrganizationOfficialResults as listOrganizationOfficialResultsOf } from './operations/list-organization-official-results.ts';
import { makeResultsOfficial as makeResultsOfficialOf } from './operations/make-results-official.ts';
import { getOrganizationOfficialResults as getOrganizationOfficialResultsOf } from './operations/get-organization-official-results.ts';
import { listHiddenNames as listHiddenNamesOf } from './operations/list-hidden-names.ts';
import { hideName as hideNameOf } from './operations/hide-name.ts';
import { showName as showNameOf } from './operations/show-name.ts';
import { listHiddenDistances as listHiddenDistancesOf } from './operations/list-hidden-distances.ts';
import { hideDistance as hideDistanceOf } from './operations/hide-distance.ts';
import { showDistance as showDistanceOf } from './operations/show-distance.ts';
import { listApiKeys as listApiKeysOf } from './operations/list-api-keys.ts';
import { createApiKey as createApiKeyOf } from './operations/create-api-key.ts';
import { listApiKeyEvents as listApiKeyEventsOf } from './operations/list-api-key-events.ts';
import { getApiKeyUses as getApiKeyUsesOf } from './operations/get-api-key-uses.ts';
import { rotateApiKey as rotateApiKeyOf } from './operations/rotate-api-key.ts';
import { renameApiKey as renameApiKeyOf } from './operations/rename-api-key.ts';
import { revokeApiKey as revokeApiKeyOf } from './operations/revoke-api-key.ts';
import type { ConditionalOptions, Connection, RequestOptions, Tagged } from './connection.ts';
import type { List, Page } from './list.ts';
import type { ByHandOptions, DryRunOptions, IdempotencyOptions, ReasonOptions, SendingOptions, ShiftOptions, TimesOptions, UploadOptions } from './options.ts';
import type { FileOptions, PassingFileOptions, ResultsFile } from './results-file.ts';
import type { ApiKeyIn, ApiKeyNameIn, Board, BoardEntry, BoardPoint, BoardResult, BoardResultQuery, Event, EventBoardIn, EventPoints, EventRankingIn, EventRankingQuery, EventStarts, EventStats, EventWarnings, GetOfficialResultsQuery, GetOrganizationEventOnCourseQuery, ListPassingUploadsQuery, ListResultBatchesQuery, LookupQuery, MissingResult, MissingResultQuery, OfficialResults, OrganizationEvent, PageQuery, Participant, ParticipantExportQuery, ParticipantLookup, ParticipantQuery, Passing, PassingExportQuery, PassingPoint, PassingQuery, PassingUpload, PassingsUploadIn, PointsIn, Result, ResultBatch, ResultChange, ResultCorrectionIn, ResultExportQuery, ResultQuery, ResultSwapIn, ResultVersion, ResultsUploadIn, RunnerQuery, StartListQuery, StartsIn } from './types.ts';

/** The public API: a method for each operation. */
export class PublicMethods {
  readonly #api: Connection;

  constructor(api: Connection) {
    this.#api = api;
  }

  /**
   * Lists your organization's events, latest event date first. To poll, pass the `etag` of the last page as
   * `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listEvents(query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<Event>> | 'not modified'>;
  listEvents(query?: PageQuery, options?: RequestOptions): List<Event, Tagged<Page<Event>>>;
  listEvents(query?: PageQuery, options?: RequestOptions): unknown {
    return listEventsOf(this.#api, query, options);
  }

  /**
   * Returns one event. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the call returns 'not modified'
   * until it changes. Scope `events:read`.
   */
  getEvent(eventId: string, options: ConditionalOptions): Promise<Tagged<Event> | 'not modified'>;
  getEvent(eventId: string, options?: RequestOptions): Promise<Tagged<Event>>;
  getEvent(eventId: string, options?: RequestOptions): unknown {
    return getEventOf(this.#api, eventId, options);
  }

  /**
   * Lists the paid, non-cancelled registrations of an event in the order of registration. The answer has the unmasked
   * data of each registration. An iteration goes on after the last item of each page, so it misses nobody if somebody
   * cancels meanwhile. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified'
   * until it changes. Scope `participants:read`.
   */
  listEventParticipants(eventId: string, query: ParticipantQuery, options: ConditionalOptions): Promise<Tagged<Page<Participant>> | 'not modified'>;
  listEventParticipants(eventId: string, query?: ParticipantQuery, options?: RequestOptions): List<Participant, Tagged<Page<Participant>>>;
  listEventParticipants(eventId: string, query?: ParticipantQuery, options?: RequestOptions): unknown {
    return listEventParticipantsOf(this.#api, eventId, query, options);
  }

  /**
   * Answers all participants as of one moment, in the order and with the fields of the list. An export costs one
   * request of the limit, for any number of participants. It is read before the first item comes, so an iteration that
   * has begun is complete. Scope `participants:read`.
   */
  exportEventParticipants(eventId: string, query?: ParticipantExportQuery, options?: RequestOptions) {
    return exportEventParticipantsOf(this.#api, eventId, query, options);
  }

  /**
   * Returns a paid, non-cancelled registration by the `inscription_id` from a result or a list. To poll, pass the
   * `etag` of the last answer as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope
   * `participants:read`.
   */
  getEventParticipant(eventId: string, inscriptionId: string, options: ConditionalOptions): Promise<Tagged<Participant> | 'not modified'>;
  getEventParticipant(eventId: string, inscriptionId: string, options?: RequestOptions): Promise<Tagged<Participant>>;
  getEventParticipant(eventId: string, inscriptionId: string, options?: RequestOptions): unknown {
    return getEventParticipantOf(this.#api, eventId, inscriptionId, options);
  }

  /**
   * Finds registrations by bib, chip or document. Send at least one of the three. If you send several, a registration
   * must match all of them. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not
   * modified' until it changes. Scope `participants:read`.
   */
  lookupEventParticipants(eventId: string, query: LookupQuery, options: ConditionalOptions): Promise<Tagged<Page<ParticipantLookup>> | 'not modified'>;
  lookupEventParticipants(eventId: string, query: LookupQuery, options?: RequestOptions): List<ParticipantLookup, Tagged<Page<ParticipantLookup>>>;
  lookupEventParticipants(eventId: string, query: LookupQuery, options?: RequestOptions): unknown {
    return lookupEventParticipantsOf(this.#api, eventId, query, options);
  }

  /**
   * Answers everybody who may start as of one moment, in the order of registration: every registration that was not
   * cancelled, in any state of payment. The list has the fields for a timing program, without document, email and
   * phone. It is read before the first item comes, so an iteration that has begun is complete. Scope
   * `inscriptions:read`.
   */
  exportEventStartList(eventId: string, query?: StartListQuery, options?: RequestOptions) {
    return exportEventStartListOf(this.#api, eventId, query, options);
  }

  /**
   * Counts the registrations and persons of an event. It also counts the registrations by status, distance, category,
   * kit status and gender. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the call returns 'not
   * modified' until it changes. Scope `stats:read`.
   */
  getEventStats(eventId: string, options: ConditionalOptions): Promise<Tagged<EventStats> | 'not modified'>;
  getEventStats(eventId: string, options?: RequestOptions): Promise<Tagged<EventStats>>;
  getEventStats(eventId: string, options?: RequestOptions): unknown {
    return getEventStatsOf(this.#api, eventId, options);
  }

  /**
   * Tells when the gun of each distance and wave goes off. A runner belongs to the first of these that fits: a start
   * with the runner's distance and bib, a start with the bib, a start with the distance, the start of all runners. A
   * bib with letters is in no range. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the call returns
   * 'not modified' until it changes. Scope `events:read`.
   */
  getEventStarts(eventId: string, options: ConditionalOptions): Promise<Tagged<EventStarts> | 'not modified'>;
  getEventStarts(eventId: string, options?: RequestOptions): Promise<Tagged<EventStarts>>;
  getEventStarts(eventId: string, options?: RequestOptions): unknown {
    return getEventStartsOf(this.#api, eventId, options);
  }

  /**
   * Replaces all starts. `version` is the version that was read before the change: if somebody else has changed the
   * starts since, the answer is 409 and nothing changes. The same request again changes nothing. The history of the
   * event keeps who changed the starts. Scope `results:write`.
   */
  putEventStarts(eventId: string, starts: StartsIn, options?: DryRunOptions & ShiftOptions) {
    return putEventStartsOf(this.#api, eventId, starts, options);
  }

  /**
   * Tells the points of the course before the finish, their order and their distance from the start. To poll, pass the
   * `etag` of the last answer as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  getEventPoints(eventId: string, options: ConditionalOptions): Promise<Tagged<EventPoints> | 'not modified'>;
  getEventPoints(eventId: string, options?: RequestOptions): Promise<Tagged<EventPoints>>;
  getEventPoints(eventId: string, options?: RequestOptions): unknown {
    return getEventPointsOf(this.#api, eventId, options);
  }

  /**
   * Replaces all points. `version` works as it does for the starts. An empty list lets the API derive the points from
   * the passings again. Scope `results:write`.
   */
  putEventPoints(eventId: string, points: PointsIn, options?: RequestOptions) {
    return putEventPointsOf(this.#api, eventId, points, options);
  }

  /**
   * Tells the clocks that seem wrong, and the runners who are DNS although a point saw them. A clock is wrong if its
   * times of day were ahead of the server's clock, or if its times are off by the same time for all runners, against
   * the same runners at the other points. A hill or tired runners are no evidence: they cost slow runners more than
   * fast runners. The points need kilometres, from their names or from `putEventPoints`. To poll, pass the `etag` of
   * the last answer as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  getEventWarnings(eventId: string, options: ConditionalOptions): Promise<Tagged<EventWarnings> | 'not modified'>;
  getEventWarnings(eventId: string, options?: RequestOptions): Promise<Tagged<EventWarnings>>;
  getEventWarnings(eventId: string, options?: RequestOptions): unknown {
    return getEventWarningsOf(this.#api, eventId, options);
  }

  /**
   * Lists the passings in the order of their times. Send `point` to read a single point. To poll, pass the `etag` of
   * the last page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listEventPassings(eventId: string, query: PassingQuery, options: ConditionalOptions): Promise<Tagged<Page<Passing>> | 'not modified'>;
  listEventPassings(eventId: string, query?: PassingQuery, options?: RequestOptions): List<Passing, Tagged<Page<Passing>>>;
  listEventPassings(eventId: string, query?: PassingQuery, options?: RequestOptions): unknown {
    return listEventPassingsOf(this.#api, eventId, query, options);
  }

  /**
   * Loads up to 5000 passings by bib and point: a runner on the course, before the finish. For a live feed, send the
   * passings of 2 to 5 seconds in one request. Every attempt of a call has the same idempotency key, so it is stored
   * once. `replayed` says whether an earlier attempt or call stored it. Scope `results:write`.
   */
  uploadEventPassings(eventId: string, passingsUpload: PassingsUploadIn, options?: IdempotencyOptions & SendingOptions & TimesOptions) {
    return uploadEventPassingsOf(this.#api, eventId, passingsUpload, options);
  }

  /**
   * Deletes all passings of a point: its clock was wrong, or a file was sent under a wrong name. The results and all
   * further points stay. `revertPassingUpload` with the `upload_id` brings the passings back. With `dryRun` the answer
   * only counts the passings. Scope `results:write`.
   */
  deleteEventPassings(eventId: string, point: string, options?: DryRunOptions) {
    return deleteEventPassingsOf(this.#api, eventId, point, options);
  }

  /**
   * Answers all passings as of one moment, in the order and with the filters of the list. An export costs one request
   * of the limit, for any number of passings. It is read before the first item comes, so an iteration that has begun
   * is complete. Scope `events:read`.
   */
  exportEventPassings(eventId: string, query?: PassingExportQuery, options?: RequestOptions) {
    return exportEventPassingsOf(this.#api, eventId, query, options);
  }

  /**
   * Lists the points with the number of passed runners, in the order of the course: by the fastest time at each point.
   * To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified' until it changes.
   * Scope `events:read`.
   */
  listEventPassingPoints(eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<PassingPoint>> | 'not modified'>;
  listEventPassingPoints(eventId: string, query?: PageQuery, options?: RequestOptions): List<PassingPoint, Tagged<Page<PassingPoint>>>;
  listEventPassingPoints(eventId: string, query?: PageQuery, options?: RequestOptions): unknown {
    return listEventPassingPointsOf(this.#api, eventId, query, options);
  }

  /**
   * Loads the times of a point from a CSV file or a workbook (.xlsx), read as by `uploadEventResultsFile`: a column of
   * bibs and a column of times since the start. If a column has the name of the point, this column has the times, so
   * you can send a file of results with splits for each point. The API reads no status and no further column. Every
   * attempt of a call has the same idempotency key, so it is stored once. `replayed` says whether an earlier attempt
   * or call stored it. Scope `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  uploadEventPassingsFile(eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & IdempotencyOptions & SendingOptions) {
    return uploadEventPassingsFileOf(this.#api, eventId, point, file, options);
  }

  /**
   * Shows how an upload of this body with these parameters would read the file. The preview writes nothing. The
   * suggestion and the warnings follow `previewEventResultsFile`, without warnings about finishes. Scope
   * `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  previewEventPassingsFile(eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & SendingOptions) {
    return previewEventPassingsFileOf(this.#api, eventId, point, file, options);
  }

  /**
   * Lists the uploads of passings, their reverts and the deletions of points, with their counts. The upload that took
   * effect last comes first. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not
   * modified' until it changes. Scope `events:read`.
   */
  listPassingUploads(eventId: string, query: ListPassingUploadsQuery, options: ConditionalOptions): Promise<Tagged<Page<PassingUpload>> | 'not modified'>;
  listPassingUploads(eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions): List<PassingUpload, Tagged<Page<PassingUpload>>>;
  listPassingUploads(eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions): unknown {
    return listPassingUploadsOf(this.#api, eventId, query, options);
  }

  /**
   * Undoes an upload of passings or the deletion of a point: each replaced passing returns to its old content, and
   * each created passing disappears. A passing that a later upload has replaced stays. A second call changes nothing.
   * The revert is a new upload, and you can revert the revert too. With `dryRun` the answer is a preview. The client
   * does not retry it. Scope `results:write`.
   */
  revertPassingUpload(eventId: string, uploadId: string, options?: DryRunOptions) {
    return revertPassingUploadOf(this.#api, eventId, uploadId, options);
  }

  /**
   * Lists finishers by position, then DNF, DSQ and DNS by bib. To poll, pass the `etag` of the last page as
   * `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listEventResults(eventId: string, query: ResultQuery, options: ConditionalOptions): Promise<Tagged<Page<Result>> | 'not modified'>;
  listEventResults(eventId: string, query?: ResultQuery, options?: RequestOptions): List<Result, Tagged<Page<Result>>>;
  listEventResults(eventId: string, query?: ResultQuery, options?: RequestOptions): unknown {
    return listEventResultsOf(this.#api, eventId, query, options);
  }

  /**
   * Loads up to 5000 results by bib. The body has at most 8 MiB. For a live feed, send the arrivals of 2 to 5 seconds
   * in one request. Every attempt of a call has the same idempotency key, so it is stored once. `replayed` says
   * whether an earlier attempt or call stored it. Scope `results:write`.
   */
  uploadEventResults(eventId: string, resultsUpload: ResultsUploadIn, options?: UploadOptions & ByHandOptions & SendingOptions & TimesOptions) {
    return uploadEventResultsOf(this.#api, eventId, resultsUpload, options);
  }

  /**
   * Answers all results as of one moment, in the order and with the filters of the list. An export costs one request
   * of the limit, for any number of results. It is read before the first item comes, so an iteration that has begun is
   * complete. Scope `events:read`.
   */
  exportEventResults(eventId: string, query?: ResultExportQuery, options?: RequestOptions) {
    return exportEventResultsOf(this.#api, eventId, query, options);
  }

  /**
   * Returns the result of a bib with all positions. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the
   * call returns 'not modified' until it changes. Scope `events:read`.
   */
  getEventResult(eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<Result> | 'not modified'>;
  getEventResult(eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<Result>>;
  getEventResult(eventId: string, bibNumber: string, options?: RequestOptions): unknown {
    return getEventResultOf(this.#api, eventId, bibNumber, options);
  }

  /**
   * Takes the result of a bib away: somebody misread the bib, and its runner is still on the course. The deletion is a
   * new batch. `revertResultBatch` with its `batch_id` brings the result back. The client does not retry it. Scope
   * `results:write`.
   */
  deleteEventResult(eventId: string, bibNumber: string, options?: ReasonOptions) {
    return deleteEventResultOf(this.#api, eventId, bibNumber, options);
  }

  /**
   * Lists the paid registrations that have a bib and no result yet, by bib. A DNF is a result, although a DNF has no
   * time. If you send several filters, a registration must match all of them. Each value must match exactly. To poll,
   * pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope
   * `events:read`.
   */
  listMissingResults(eventId: string, query: MissingResultQuery, options: ConditionalOptions): Promise<Tagged<Page<MissingResult>> | 'not modified'>;
  listMissingResults(eventId: string, query?: MissingResultQuery, options?: RequestOptions): List<MissingResult, Tagged<Page<MissingResult>>>;
  listMissingResults(eventId: string, query?: MissingResultQuery, options?: RequestOptions): unknown {
    return listMissingResultsOf(this.#api, eventId, query, options);
  }

  /**
   * Lists the official versions of the results, the last version first. `state` is `official` while the results equal
   * the version, and `changed_since` after any difference: a new time, a swapped bib, a category. When the results
   * equal the version again, `state` is `official` again. To poll, pass the `etag` of the last page as `ifNoneMatch`:
   * the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listOfficialResults(eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<OfficialResults>> | 'not modified'>;
  listOfficialResults(eventId: string, query?: PageQuery, options?: RequestOptions): List<OfficialResults, Tagged<Page<OfficialResults>>>;
  listOfficialResults(eventId: string, query?: PageQuery, options?: RequestOptions): unknown {
    return listOfficialResultsOf(this.#api, eventId, query, options);
  }

  /**
   * Answers a version as a file of JSON Lines. The first line holds the signature. The remaining lines are the
   * document: a result each, without names. The guide "Official results" has the format, and programs that check a
   * version. Scope `events:read`.
   */
  getOfficialResults(eventId: string, version: number, query?: GetOfficialResultsQuery, options?: RequestOptions) {
    return getOfficialResultsOf(this.#api, eventId, version, query, options);
  }

  /**
   * Loads the results of a CSV file or a workbook (.xlsx) with one row per bib. The file has up to 100000 rows of at
   * most 65 536 characters. The body has at most 16 MiB. Every attempt of a call has the same idempotency key, so it
   * is stored once. `replayed` says whether an earlier attempt or call stored it. Scope `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  uploadEventResultsFile(eventId: string, file: ResultsFile, options?: FileOptions & UploadOptions & SendingOptions) {
    return uploadEventResultsFileOf(this.#api, eventId, file, options);
  }

  /**
   * Shows how an upload of this body with these parameters would read the file. The preview writes nothing. Scope
   * `results:write`.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  previewEventResultsFile(eventId: string, file: ResultsFile, options?: FileOptions & SendingOptions) {
    return previewEventResultsFileOf(this.#api, eventId, file, options);
  }

  /**
   * Lists the uploads, reverts and deletions of an event with their counts. The batch that took effect last comes
   * first: take batches back in this order to return to the results before these batches. To poll, pass the `etag` of
   * the last page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listResultBatches(eventId: string, query: ListResultBatchesQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultBatch>> | 'not modified'>;
  listResultBatches(eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions): List<ResultBatch, Tagged<Page<ResultBatch>>>;
  listResultBatches(eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions): unknown {
    return listResultBatchesOf(this.#api, eventId, query, options);
  }

  /**
   * Lists the results that a batch created, replaced or took away, by bib. The list leaves out rows that equalled the
   * stored result. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not modified' until
   * it changes. Scope `events:read`.
   */
  listResultBatchChanges(eventId: string, batchId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultChange>> | 'not modified'>;
  listResultBatchChanges(eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions): List<ResultChange, Tagged<Page<ResultChange>>>;
  listResultBatchChanges(eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions): unknown {
    return listResultBatchChangesOf(this.#api, eventId, batchId, query, options);
  }

  /**
   * Lists the versions of a bib's result, the oldest version first, with content, time, key or user, file and reason.
   * Version n replaced version n - 1. A version without a `result` took the result away. If the next version has the
   * `batch_id` of a version in `reverts`, the next version takes this version back. To poll, pass the `etag` of the
   * last page as `ifNoneMatch`: the call returns 'not modified' until it changes. Scope `events:read`.
   */
  listEventResultVersions(eventId: string, bibNumber: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<ResultVersion>> | 'not modified'>;
  listEventResultVersions(eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions): List<ResultVersion, Tagged<Page<ResultVersion>>>;
  listEventResultVersions(eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions): unknown {
    return listEventResultVersionsOf(this.#api, eventId, bibNumber, query, options);
  }

  /**
   * Undoes a batch: each replaced result returns to its old content, and each created result disappears. A result that
   * a later batch has replaced stays, and `kept_rows` lists this result. Scope `results:write`.
   */
  revertResultBatch(eventId: string, batchId: string, options?: DryRunOptions & ReasonOptions) {
    return revertResultBatchOf(this.#api, eventId, batchId, options);
  }

  /**
   * Exchanges the whole results of two runners: status, times, splits and passings. Two bibs were mixed up at the
   * start, or a runner wore both. If only one runner has a result, this result moves. The client does not retry it.
   * Scope `results:write`.
   */
  swapEventResults(eventId: string, resultSwap: ResultSwapIn, options?: RequestOptions) {
    return swapEventResultsOf(this.#api, eventId, resultSwap, options);
  }

}

/** What live boards show: a method for each operation. */
export class BoardMethods {
  readonly #api: Connection;

  constructor(api: Connection) {
    this.#api = api;
  }

  /**
   * Returns what the live board of an event shows: the event, whether its results are official, and of each race the
   * counts, the last arrivals and the leaders. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the call
   * returns 'not modified' until it changes.
   */
  getBoard(eventId: string, options: ConditionalOptions): Promise<Tagged<Board> | 'not modified'>;
  getBoard(eventId: string, options?: RequestOptions): Promise<Tagged<Board>>;
  getBoard(eventId: string, options?: RequestOptions): unknown {
    return getBoardOf(this.#api, eventId, options);
  }

  /**
   * Lists the results as the live board shows them: finishers by time, then the others by status and bib. Filters must
   * match exactly. A place counts within the distance; with `gender` within the gender, and with `category` within the
   * category of the gender. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns 'not
   * modified' until it changes.
   */
  listBoardResults(eventId: string, query: BoardResultQuery, options: ConditionalOptions): Promise<Tagged<Page<BoardEntry>> | 'not modified'>;
  listBoardResults(eventId: string, query?: BoardResultQuery, options?: RequestOptions): List<BoardEntry, Tagged<Page<BoardEntry>>>;
  listBoardResults(eventId: string, query?: BoardResultQuery, options?: RequestOptions): unknown {
    return listBoardResultsOf(this.#api, eventId, query, options);
  }

  /**
   * Returns a runner with times, places, splits and the changes of the result. It finds exactly this bib, or else one
   * that differs in its case, in a `#` or in leading zeros. To poll, pass the `etag` of the last answer as
   * `ifNoneMatch`: the call returns 'not modified' until it changes.
   */
  getBoardRunner(eventId: string, bibNumber: string, options: ConditionalOptions): Promise<Tagged<BoardResult> | 'not modified'>;
  getBoardRunner(eventId: string, bibNumber: string, options?: RequestOptions): Promise<Tagged<BoardResult>>;
  getBoardRunner(eventId: string, bibNumber: string, options?: RequestOptions): unknown {
    return getBoardRunnerOf(this.#api, eventId, bibNumber, options);
  }

  /**
   * Lists the timing points of each race before the finish, in the order of the course: how many have passed, the
   * fastest ones and the latest ones. To poll, pass the `etag` of the last page as `ifNoneMatch`: the call returns
   * 'not modified' until it changes.
   */
  listBoardPoints(eventId: string, query: PageQuery, options: ConditionalOptions): Promise<Tagged<Page<BoardPoint>> | 'not modified'>;
  listBoardPoints(eventId: string, query?: PageQuery, options?: RequestOptions): List<BoardPoint, Tagged<Page<BoardPoint>>>;
  listBoardPoints(eventId: string, query?: PageQuery, options?: RequestOptions): unknown {
    return listBoardPointsOf(this.#api, eventId, query, options);
  }

}

/** The panel: a method for each operation. */
export class PanelMethods {
  readonly #api: Connection;

  constructor(api: Connection) {
    this.#api = api;
  }

  /** Returns the name of the organization. */
  getOrganization(organizationId: string, options?: RequestOptions) {
    return getOrganizationOf(this.#api, organizationId, options);
  }

  /** Lists the events with their counts and the settings of their live boards, latest event date first. */
  listOrganizationEvents(organizationId: string, query?: PageQuery, options?: RequestOptions) {
    return listOrganizationEventsOf(this.#api, organizationId, query, options);
  }

  /**
   * Answers one item of `listOrganizationEvents`. To poll, pass the `etag` of the last answer as `ifNoneMatch`: the
   * call returns 'not modified' until it changes.
   */
  getOrganizationEvent(organizationId: string, eventId: string, options: ConditionalOptions): Promise<Tagged<OrganizationEvent> | 'not modified'>;
  getOrganizationEvent(organizationId: string, eventId: string, options?: RequestOptions): Promise<Tagged<OrganizationEvent>>;
  getOrganizationEvent(organizationId: string, eventId: string, options?: RequestOptions): unknown {
    return getOrganizationEventOf(this.#api, organizationId, eventId, options);
  }

  /**
   * Switches the live board of an event on or off, and sets how much of the names the board shows. A board that is
   * switched on for the first time gets its short address. A cache may show the previous state for up to 10 seconds.
   */
  updateEventBoard(organizationId: string, eventId: string, eventBoard: EventBoardIn, options?: RequestOptions) {
    return updateEventBoardOf(this.#api, organizationId, eventId, eventBoard, options);
  }

  /**
   * Gives the live board a new short address, such as `/b/kd7w-x9f2`. The old short address answers 404 within
   * seconds, so a poster with it leads nowhere any more. `/board/{event_id}` stays. The history of the event shows the
   * change. The client does not retry it.
   */
  renewBoardCode(organizationId: string, eventId: string, options?: RequestOptions) {
    return renewBoardCodeOf(this.#api, organizationId, eventId, options);
  }

  /**
   * Answers the rule of the event, and the effect of a different `rule`: the number of finishers whose place within
   * their distance would change, and the groups whose first three would change. The preview changes nothing.
   */
  getEventRanking(organizationId: string, eventId: string, query?: EventRankingQuery, options?: RequestOptions) {
    return getEventRankingOf(this.#api, organizationId, eventId, query, options);
  }

  /**
   * Sets the rule of the places within a distance, for lists, files, the board and official versions, or sets which
   * places have a prize, for the sheet of the speaker. The positions in the whole event stay by chip time. The history
   * of the event keeps the user and the reason. An official version keeps its rule: under a different rule, the
   * results count as changed since.
   */
  updateEventRanking(organizationId: string, eventId: string, eventRanking: EventRankingIn, options?: RequestOptions) {
    return updateEventRankingOf(this.#api, organizationId, eventId, eventRanking, options);
  }

  /**
   * Lists the changes of users to an event in the panel, latest change first. The event's batches have the changes of
   * results.
   */
  listEventChanges(organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
    return listEventChangesOf(this.#api, organizationId, eventId, query, options);
  }

  /** Answers what `getEventStarts` answers. */
  getOrganizationEventStarts(organizationId: string, eventId: string, options?: RequestOptions) {
    return getOrganizationEventStartsOf(this.#api, organizationId, eventId, options);
  }

  /** Does what `putEventStarts` does. */
  putOrganizationEventStarts(organizationId: string, eventId: string, starts: StartsIn, options?: DryRunOptions & ShiftOptions) {
    return putOrganizationEventStartsOf(this.#api, organizationId, eventId, starts, options);
  }

  /** Answers what `getEventPoints` answers. */
  getOrganizationEventPoints(organizationId: string, eventId: string, options?: RequestOptions) {
    return getOrganizationEventPointsOf(this.#api, organizationId, eventId, options);
  }

  /** Does what `putEventPoints` does. */
  putOrganizationEventPoints(organizationId: string, eventId: string, points: PointsIn, options?: RequestOptions) {
    return putOrganizationEventPointsOf(this.#api, organizationId, eventId, points, options);
  }

  /** Answers what `getEventWarnings` answers. */
  getOrganizationEventWarnings(organizationId: string, eventId: string, options?: RequestOptions) {
    return getOrganizationEventWarningsOf(this.#api, organizationId, eventId, options);
  }

  /**
   * Finds runners of an event by bib or name, each with the stored result, the places, the times at points of the
   * course and whether the board hides the name. Results come first, in their order; runners without a result follow
   * by bib. The runners of a category come in the order of the places in categories. `groups` has the values for
   * `distance`, `gender` and `category`. It contains personal data.
   */
  listOrganizationEventRunners(organizationId: string, eventId: string, query?: RunnerQuery, options?: RequestOptions) {
    return listOrganizationEventRunnersOf(this.#api, organizationId, eventId, query, options);
  }

  /**
   * Lists the runners with a passing and without a result that ends their race, each with the last point, and with the
   * expected times at the next point and at the finish. A `DNS` does not end the race of a runner whom a point saw,
   * but the runner has no place and no expected times: another runner may have the bib. The expected times follow the
   * runner's pace up to the last point: they need kilometres, from `putOrganizationEventPoints` or from the names of
   * points and distances. The earliest time at the last point comes first, so with `last_point` the list begins with
   * the runners who have been missing for the longest time. `progress` counts the whole race. It contains personal
   * data.
   */
  getOrganizationEventOnCourse(organizationId: string, eventId: string, query?: GetOrganizationEventOnCourseQuery, options?: RequestOptions) {
    return getOrganizationEventOnCourseOf(this.#api, organizationId, eventId, query, options);
  }

  /** Answers what `listEventResultVersions` answers. */
  listOrganizationResultVersions(organizationId: string, eventId: string, bibNumber: string, query?: PageQuery, options?: RequestOptions) {
    return listOrganizationResultVersionsOf(this.#api, organizationId, eventId, bibNumber, query, options);
  }

  /**
   * Answers what `exportEventResults` answers without a filter, with the names of the runners. The CSV file is for
   * people: its rows come distance by distance, in the order of their places. It begins with a byte order mark, so
   * that Excel reads its letters, has the places within the distance first, and each split is a column. With
   * `delimiter=semicolon` its cells are separated as a spreadsheet expects them where the decimal sign is a comma. It
   * contains personal data. It is read before the first item comes, so an iteration that has begun is complete.
   */
  exportOrganizationEventResults(organizationId: string, eventId: string, options?: RequestOptions) {
    return exportOrganizationEventResultsOf(this.#api, organizationId, eventId, options);
  }

  /** Answers what `exportOrganizationEventResults` answers, as a CSV file for people. */
  exportOrganizationEventResultsFile(organizationId: string, eventId: string, delimiter: 'comma' | 'semicolon', options?: RequestOptions) {
    return exportOrganizationEventResultsFileOf(this.#api, organizationId, eventId, delimiter, options);
  }

  /**
   * Does what `uploadEventResultsFile` does. The batch is recorded with the user and has no key. Every attempt of a
   * call has the same idempotency key, so it is stored once. `replayed` says whether an earlier attempt or call stored
   * it.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  uploadOrganizationEventResultsFile(organizationId: string, eventId: string, file: ResultsFile, options?: FileOptions & UploadOptions & SendingOptions) {
    return uploadOrganizationEventResultsFileOf(this.#api, organizationId, eventId, file, options);
  }

  /**
   * Does what `previewEventResultsFile` does. The preview writes nothing. The rows in `left` have the names of the
   * runners and the reasons of decisions. These rows are personal data.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  previewOrganizationEventResultsFile(organizationId: string, eventId: string, file: ResultsFile, options?: FileOptions & SendingOptions) {
    return previewOrganizationEventResultsFileOf(this.#api, organizationId, eventId, file, options);
  }

  /**
   * Changes the status or a time of the result of one bib. What the body does not name stays, and so do the splits. A
   * runner without a result gets one, for example the time from the paper list: without `status` it is `FINISHED`, and
   * `before` of the answer is null. The correction is a batch of its own with the user and the reason:
   * `revertOrganizationResultBatch` with its `batch_id` takes it back. Name at least one of `status`, `chip_time` and
   * `gun_time`.
   */
  correctOrganizationEventResult(organizationId: string, eventId: string, bibNumber: string, resultCorrection: ResultCorrectionIn, options?: RequestOptions) {
    return correctOrganizationEventResultOf(this.#api, organizationId, eventId, bibNumber, resultCorrection, options);
  }

  /**
   * Does what `deleteEventResult` does. The batch is recorded with the user and has no key. The client does not retry
   * it.
   */
  deleteOrganizationEventResult(organizationId: string, eventId: string, bibNumber: string, options?: ReasonOptions) {
    return deleteOrganizationEventResultOf(this.#api, organizationId, eventId, bibNumber, options);
  }

  /**
   * Lists the uploads, reverts and deletions of an event, the one that took effect last first. A correction by hand
   * names its runners. It contains personal data.
   */
  listOrganizationResultBatches(organizationId: string, eventId: string, query?: ListResultBatchesQuery, options?: RequestOptions) {
    return listOrganizationResultBatchesOf(this.#api, organizationId, eventId, query, options);
  }

  /** Answers what `listResultBatchChanges` answers. */
  listOrganizationResultBatchChanges(organizationId: string, eventId: string, batchId: string, query?: PageQuery, options?: RequestOptions) {
    return listOrganizationResultBatchChangesOf(this.#api, organizationId, eventId, batchId, query, options);
  }

  /** Does what `revertResultBatch` does. The revert is recorded with the user and with the key of the batch. */
  revertOrganizationResultBatch(organizationId: string, eventId: string, batchId: string, options?: DryRunOptions & ReasonOptions) {
    return revertOrganizationResultBatchOf(this.#api, organizationId, eventId, batchId, options);
  }

  /**
   * Does what `swapEventResults` does. The batch is recorded with the user and has no key. The client does not retry
   * it.
   */
  swapOrganizationEventResults(organizationId: string, eventId: string, resultSwap: ResultSwapIn, options?: RequestOptions) {
    return swapOrganizationEventResultsOf(this.#api, organizationId, eventId, resultSwap, options);
  }

  /**
   * Does what `uploadEventPassingsFile` does. Every attempt of a call has the same idempotency key, so it is stored
   * once. `replayed` says whether an earlier attempt or call stored it.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  uploadOrganizationEventPassingsFile(organizationId: string, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & IdempotencyOptions & SendingOptions) {
    return uploadOrganizationEventPassingsFileOf(this.#api, organizationId, eventId, point, file, options);
  }

  /**
   * Does what `previewEventPassingsFile` does. The preview writes nothing. The rows in `left` have the names of the
   * runners and the reasons of decisions. These rows are personal data.
   * @throws RangeError for a larger stream, and any error of the stream
   */
  previewOrganizationEventPassingsFile(organizationId: string, eventId: string, point: string, file: ResultsFile, options?: PassingFileOptions & SendingOptions) {
    return previewOrganizationEventPassingsFileOf(this.#api, organizationId, eventId, point, file, options);
  }

  /** Answers what `listEventPassingPoints` answers. */
  listOrganizationEventPassingPoints(organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
    return listOrganizationEventPassingPointsOf(this.#api, organizationId, eventId, query, options);
  }

  /** Does what `deleteEventPassings` does. */
  deleteOrganizationEventPassings(organizationId: string, eventId: string, point: string, options?: DryRunOptions) {
    return deleteOrganizationEventPassingsOf(this.#api, organizationId, eventId, point, options);
  }

  /** Answers what `listPassingUploads` answers. */
  listOrganizationPassingUploads(organizationId: string, eventId: string, query?: ListPassingUploadsQuery, options?: RequestOptions) {
    return listOrganizationPassingUploadsOf(this.#api, organizationId, eventId, query, options);
  }

  /** Does what `revertPassingUpload` does. The client does not retry it. */
  revertOrganizationPassingUpload(organizationId: string, eventId: string, uploadId: string, options?: DryRunOptions) {
    return revertOrganizationPassingUploadOf(this.#api, organizationId, eventId, uploadId, options);
  }

  /**
   * Lists the official versions of the results, the last version first. `state` is `official` while the results equal
   * the version, and `changed_since` after any difference: a new time, a swapped bib, a category. When the results
   * equal the version again, `state` is `official` again.
   */
  listOrganizationOfficialResults(organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
    return listOrganizationOfficialResultsOf(this.#api, organizationId, eventId, query, options);
  }

  /**
   * Signs all present results, and keeps the signed results as the next version. Results can still change: then the
   * state of the version is `changed_since`, and you can make a new version. Nobody can change or delete a version. An
   * event has at most 20. The client does not retry it.
   */
  makeResultsOfficial(organizationId: string, eventId: string, options?: RequestOptions) {
    return makeResultsOfficialOf(this.#api, organizationId, eventId, options);
  }

  /**
   * Answers a version as a file of JSON Lines. The first line holds the signature. The remaining lines are the
   * document: a result each, without names. The guide "Official results" has the format, and programs that check a
   * version.
   */
  getOrganizationOfficialResults(organizationId: string, eventId: string, version: number, options?: RequestOptions) {
    return getOrganizationOfficialResultsOf(this.#api, organizationId, eventId, version, options);
  }

  /** Lists the runners whose names the live board of the event never shows, by bib. */
  listHiddenNames(organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
    return listHiddenNamesOf(this.#api, organizationId, eventId, query, options);
  }

  /**
   * Hides the name of a runner from the live board, also where the board shows names. Bib, time and places stay. A
   * second call changes nothing. A board that is open follows within seconds, that of an event with tens of thousands
   * of runners within a minute.
   */
  hideName(organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
    return hideNameOf(this.#api, organizationId, eventId, bibNumber, options);
  }

  /**
   * Undoes `hideName`. A second call changes nothing. A board that is open follows within seconds, that of an event
   * with tens of thousands of runners within a minute.
   */
  showName(organizationId: string, eventId: string, bibNumber: string, options?: RequestOptions) {
    return showNameOf(this.#api, organizationId, eventId, bibNumber, options);
  }

  /**
   * Lists the distances of the event, and tells of each distance whether the live board hides the names of its
   * runners. A hidden distance stays in the list also when nobody has the distance any more.
   */
  listHiddenDistances(organizationId: string, eventId: string, query?: PageQuery, options?: RequestOptions) {
    return listHiddenDistancesOf(this.#api, organizationId, eventId, query, options);
  }

  /**
   * Hides the names of all runners of a distance from the live board, such as the names of children, and the names of
   * runners who get the distance later. Bibs, times and places stay. A second call changes nothing. A board that is
   * open follows within seconds, that of an event with tens of thousands of runners within a minute.
   */
  hideDistance(organizationId: string, eventId: string, distance: string, options?: RequestOptions) {
    return hideDistanceOf(this.#api, organizationId, eventId, distance, options);
  }

  /**
   * Undoes `hideDistance`. Names that `hideName` hides stay hidden. A second call changes nothing. A board that is
   * open follows within seconds, that of an event with tens of thousands of runners within a minute.
   */
  showDistance(organizationId: string, eventId: string, distance: string, options?: RequestOptions) {
    return showDistanceOf(this.#api, organizationId, eventId, distance, options);
  }

  /** Lists the organization's keys, newest first. The list includes revoked keys. */
  listApiKeys(organizationId: string, query?: PageQuery, options?: RequestOptions) {
    return listApiKeysOf(this.#api, organizationId, query, options);
  }

  /**
   * Creates a key. Only this answer contains the full key. The body has at most 64 KiB. The client does not retry it.
   */
  createApiKey(organizationId: string, apiKey: ApiKeyIn, options?: RequestOptions) {
    return createApiKeyOf(this.#api, organizationId, apiKey, options);
  }

  /** Lists who created, renamed, rotated and revoked the key, newest first. */
  listApiKeyEvents(organizationId: string, keyId: string, query?: PageQuery, options?: RequestOptions) {
    return listApiKeyEventsOf(this.#api, organizationId, keyId, query, options);
  }

  /**
   * Counts the requests of the key, its refusals and its reads of personal data on each of the last 14 days. A
   * rotation does not begin the counts again. Requests with a dead key are not counted: a key that is revoked or
   * expired, or a secret that was replaced. A count may come some seconds after its request.
   */
  getApiKeyUses(organizationId: string, keyId: string, options?: RequestOptions) {
    return getApiKeyUsesOf(this.#api, organizationId, keyId, options);
  }

  /**
   * Gives the key a new secret. The previous secret stops working at once. Only this answer contains the full key. The
   * client does not retry it.
   */
  rotateApiKey(organizationId: string, keyId: string, options?: RequestOptions) {
    return rotateApiKeyOf(this.#api, organizationId, keyId, options);
  }

  /** Gives the key a new name. The secret stays. */
  renameApiKey(organizationId: string, keyId: string, apiKeyName: ApiKeyNameIn, options?: RequestOptions) {
    return renameApiKeyOf(this.#api, organizationId, keyId, apiKeyName, options);
  }

  /** Revokes the key. It stops working at once and for good. Revoking it again changes nothing. */
  revokeApiKey(organizationId: string, keyId: string, options?: RequestOptions) {
    return revokeApiKeyOf(this.#api, organizationId, keyId, options);
  }

}
