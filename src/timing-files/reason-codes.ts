/** Why a row did not load, for programs. The list may grow; a code keeps its meaning. */
export const REASON_CODES = [
  'unknown_bib',
  'missing_bib',
  'invalid_bib',
  'missing_time',
  'invalid_time',
  'invalid_status',
  'invalid_split',
  'invalid_row',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

/** Why a row cannot be stored: the message is for people, the code for programs. */
export class RowError extends Error {
  readonly code: ReasonCode;

  constructor(message: string, code: ReasonCode = 'invalid_row') {
    super(message);
    this.code = code;
  }
}
