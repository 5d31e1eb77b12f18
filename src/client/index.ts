export { BoardClient } from './board.ts';
export { type Changes, changes } from './changes.ts';
export { RaceResultsClient, type RaceResultsClientOptions } from './client.ts';
export type {
  ConditionalOptions,
  ConnectionOptions,
  Replayable,
  RequestOptions,
  Tagged,
} from './connection.ts';
export {
  ApiError,
  isRaceResultsError,
  NetworkError,
  type RaceResultsError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { Copy, CopyChanges, FollowedLists, KeptCopy } from './follow.ts';
export type { List, Page } from './list.ts';
export type {
  DryRunOptions,
  IdempotencyOptions,
  LeaveRule,
  ReasonOptions,
  RevertOptions,
  SendingOptions,
  UploadOptions,
} from './options.ts';
export { PanelClient, type PanelClientOptions } from './panel.ts';
export type { FileOptions, PassingFileOptions, ResultsFile } from './results-file.ts';
export type * from './types.ts';
