/** The reasons why a row does not load, for programs. The list may grow. A code keeps its meaning. */
export const REASON_CODES = [
  'unknown_bib',
  'missing_bib',
  'invalid_bib',
  'missing_time',
  'invalid_time',
  'invalid_status',
  'invalid_split',
  'invalid_row',
  'duplicate_split',
  'missing_point',
  'invalid_point',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

/** A row that cannot be stored. The message is for people, the code for programs. */
export class RowError extends Error {
  readonly code: ReasonCode;
  /** The cell or value that cannot be read; blank for other errors. */
  readonly found: string;

  constructor(message: string, code: ReasonCode = 'invalid_row', found = '') {
    super(message);
    this.code = code;
    this.found = found;
  }
}
