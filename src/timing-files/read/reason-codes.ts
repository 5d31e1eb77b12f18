/** The reasons why a row does not load, for programs. The list may grow. A code never changes its meaning. */
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
  'no_start',
  'before_start',
  'hour_twice',
  'no_time_zone',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

/**
 * A row that cannot be stored. The message is for people, the code for programs. RowError is no `Error`: a stack for
 * each of 100 000 rows takes as long as the rows.
 */
export class RowError {
  readonly message: string;
  readonly code: ReasonCode;
  /** The unreadable cell or value; blank for other errors. */
  readonly found: string;

  constructor(message: string, code: ReasonCode = 'invalid_row', found = '') {
    this.message = message;
    this.code = code;
    this.found = found;
  }
}
