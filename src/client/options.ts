import type { RequestOptions } from './connection.ts';

export type ReasonOptions = RequestOptions & {
  /** Why, for whoever reads the history: one line of at most 200 characters. */
  reason?: string | undefined;
};

export type IdempotencyOptions = RequestOptions & {
  /**
   * Names the upload. The API stores uploads of the same content under the same key once. The default is a
   * new key for each call. A program that may be restarted keeps the key with what it sends.
   */
  idempotencyKey?: string | undefined;
};

/** The options of an upload of results. */
export type UploadOptions = ReasonOptions & IdempotencyOptions;

export type ByHandOptions = RequestOptions & {
  /** A person decided these results: programs that follow a file ask before they replace them. */
  byHand?: boolean | undefined;
};

export type SendingOptions = RequestOptions & {
  /** Who sends, such as the name of a laptop: one line of at most 60 characters. */
  sender?: string | undefined;
  /**
   * Which rows the upload leaves to a person: what a person decided, what nobody runs, what another sender stored, and a
   * file that would change too much. "others" needs a sender.
   */
  leave?: readonly LeaveRule[] | undefined;
};

export type TimesOptions = RequestOptions & {
  /** The times are times of day. They count from the start of each runner. */
  timesOfDay?: boolean | undefined;
};

/** Which rows an upload leaves to a person. */
export type LeaveRule = 'decided' | 'impossible' | 'others' | 'many';

export type DryRunOptions = RequestOptions & {
  /** The API answers what would happen and writes nothing. */
  dryRun?: boolean | undefined;
};

export type ShiftOptions = RequestOptions & {
  /** Moves one start, and with it the times since its gun, as one batch. */
  shift?: boolean | undefined;
};

/** The options of `revertResultBatch`. */
export type RevertOptions = DryRunOptions & ReasonOptions;
