/** The kinds of warnings about a file. The list may grow. A code never changes its meaning. */
export const WARNING_CODES = [
  // Questions: `suggestion` is null, and `choices` has a query for each answer.
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
  'status_unclear',
  'no_results_yet',
  'sheet_unclear',
  'encoding_unclear',
  'time_of_day',
  // An upload would probably store something wrong.
  'file_refused',
  'rows_fail_alike',
  'unknown_status_words',
  'splits_unlikely',
  'column_not_read',
  'no_rows',
  'gaps_unlikely',
  'whole_minutes',
  'over_24_hours',
  'short_times',
  'zero_time',
  'split_after_finish',
  'split_same_for_all',
  'gun_below_chip',
  'finished_despite_mark',
  'places_disagree',
  'unplaced_rows',
  'placeholder_time',
  'rows_left_out',
  'unknown_fields',
  'no_race_time',
  'repeated_bibs',
  'bibs_unlikely',
  'second_header',
  'last_line_cut',
  'times_changed',
  'times_left_out',
  // The file does not fit the event.
  'implausible_for_distance',
  'splits_removed',
  'gun_times_removed',
  'unknown_bibs',
  'cancelled_registration',
  'status_would_change',
  'second_finish',
  'rank_time_missing',
  'many_changes',
  'fewer_rows',
  'not_event_day',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

export type Warning = {
  code: WarningCode;
  detail: string;
  /** The first lines of the file behind the warning. Empty if the warning is about the whole file. */
  rows: number[];
  /** The choices of a person. Each query is ready for use behind `?`. */
  choices?: Choice[];
};

export type Choice = { query: string; why: string };

/** A warning, with its weight against a suggestion. */
export type Finding = Warning & {
  /** Rows that are probably stored wrong: 0 for a note, `REFUTED` if every row must be wrong. */
  against: number;
};

export const REFUTED = Number.POSITIVE_INFINITY;

/** A warning if `isSo`. */
export const warningIf = (
  isSo: boolean,
  code: WarningCode,
  detail: string,
  rows: readonly number[] = [],
): Warning[] => (isSo ? [{ code, detail, rows: [...rows] }] : []);

/** A finding if `isSo`. */
export const findingIf = (
  isSo: boolean,
  against: number,
  code: WarningCode,
  detail: string,
  rows: readonly number[] = [],
): Finding[] => (isSo ? [{ code, detail, rows: [...rows], against }] : []);

export const withoutWeight = ({ against: _, ...warning }: Finding): Warning => warning;
