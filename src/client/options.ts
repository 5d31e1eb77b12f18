import type { RequestOptions } from './connection.ts';

export type ReasonOptions = RequestOptions & {
  /** The reason, for readers of the history: a line of at most 200 characters. */
  reason?: string | undefined;
};

export type IdempotencyOptions = RequestOptions & {
  /**
   * Names the upload. The API stores repeated uploads with equal key and content once. The default is a new key for
   * each call. A program with possible restarts keeps the key with the upload.
   */
  idempotencyKey?: string | undefined;
};

/** The options of an upload of results. */
export type UploadOptions = ReasonOptions & IdempotencyOptions;

export type ByHandOptions = RequestOptions & {
  /** A person decided these results. A program following a file asks before replacing such results. */
  byHand?: boolean | undefined;
};

export type SendingOptions = RequestOptions & {
  /** The name of the sender, such as a laptop: a line of at most 60 characters. */
  sender?: string | undefined;
  /**
   * The rows left to a person: decided by a person, impossibly fast or slow, stored by another sender, or from a file
   * with too many changes. "others" needs a sender.
   */
  leave?: readonly LeaveRule[] | undefined;
};

export type TimesOptions = RequestOptions & {
  /** The times are times of day. Race times count from the start of each runner. */
  timesOfDay?: boolean | undefined;
};

/** A rule for the rows an upload leaves to a person. */
export type LeaveRule = 'decided' | 'impossible' | 'others' | 'many';

export type DryRunOptions = RequestOptions & {
  /** The API answers with the effect and writes nothing. */
  dryRun?: boolean | undefined;
};

export type ShiftOptions = RequestOptions & {
  /** Moves a single start and the times since the gun of the start, as a single batch. */
  shift?: boolean | undefined;
};

/** The options of `revertResultBatch`. */
export type RevertOptions = DryRunOptions & ReasonOptions;
