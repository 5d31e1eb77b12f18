import { globalRegistry } from 'zod';
import { SECOND_FINISH } from '../../timing-files/judge/warning.ts';
import { WARNING_CODES, type WarningCode } from '../../timing-files/judge/warning-codes.ts';
import { REASON_CODES, type ReasonCode } from '../../timing-files/read/reason-codes.ts';
import { ResultsFileQuery } from '../../worker/results/upload/operations.ts';
import { markdownTable } from '../markdown-table.ts';
import { BIB_FORMATS_DESCRIBED, type Described, TIME_FORMATS_DESCRIBED } from './file-formats.ts';

/** The query parameters of an upload, with their descriptions from the reference. */
export const parameterTable = (): string =>
  markdownTable(
    ['Parameter', 'Meaning', 'Example'],
    Object.entries(ResultsFileQuery.shape).map(([name, schema]) => {
      const { description = '', examples: [example] = [] } = globalRegistry.get(schema) ?? {};
      return [`\`${name}\``, description, `\`${name}=${[example].flat().join()}\``];
    }),
  );

/** The time formats: the purpose of each format, and cells with their times. */
export const timeFormatTable = (): string => formatTable('time_format', TIME_FORMATS_DESCRIBED);

/** The formats of bibs: the purpose of each format, and cells with their bibs. */
export const bibFormatTable = (): string => formatTable('bib_format', BIB_FORMATS_DESCRIBED);

const formatTable = (parameter: string, formats: Readonly<Record<string, Described>>): string =>
  markdownTable(
    [`\`${parameter}\``, 'Meaning', 'In the file', 'Is read as'],
    Object.entries(formats).map(([name, { meaning, examples }]) => [
      `\`${name}\``,
      meaning,
      Object.keys(examples)
        .map((cell) => `\`${cell}\``)
        .join(', '),
      Object.values(examples)
        .map((time) => `\`${time}\``)
        .join(', '),
    ]),
  );

const WARNINGS: Record<WarningCode, string> = {
  bib_column_unclear: 'No column is clearly the bib. `choices` has a query for each candidate.',
  time_column_unclear:
    'It is unclear which column has the times. `choices` has a query for each candidate.',
  time_format_unclear: 'The times can be read in two ways, such as `1:28`. `choices` has both.',
  rows_unclear: 'A runner has several rows. `choices` says which rows can be the results.',
  status_unclear:
    'Cells of the status column are unknown words or codes. `choices` has a query for each reading.',
  no_results_yet: 'The column of the results is empty.',
  sheet_unclear:
    'Several sheets of a workbook have results, or another one than the one that is read. `choices` has a query for each.',
  encoding_unclear:
    'The names of columns depend on the encoding, and the bytes do not say it. `choices` has a query for each encoding.',
  time_of_day: 'The times look like times of day, not like times that a race took.',
  file_refused: 'An upload with the parameters that you sent would refuse the file.',
  rows_fail_alike: 'Almost all rows would fail with the parameters that you sent.',
  unknown_status_words: 'A status is unknown. Say what it means with `status_word`.',
  splits_unlikely: 'Columns such as paces and gaps would become splits.',
  column_not_read: 'A column with times or statuses is not read. Each one has a warning.',
  no_rows: 'The file has a header and no row, or no row meets the conditions of `where`.',
  gaps_unlikely: 'The times look like gaps to the winner.',
  whole_minutes: 'All times have `:00` seconds: they may be hours and minutes.',
  over_24_hours: 'Times are longer than 24 hours.',
  short_times:
    'The first time is under 10 minutes, and all are under 24: they may be hours and minutes.',
  zero_time: 'A chip time or a gun time is zero. It is left out.',
  split_after_finish: 'A split is later than the finish.',
  split_same_for_all: 'A split is the same for everybody.',
  gun_below_chip: 'A gun time is below the chip time.',
  finished_despite_mark:
    'Rows are stored as FINISHED, though a cell says that the runner did not finish, as in `DNF knee`.',
  places_disagree: 'The times of some rows do not fit their places.',
  times_disagree:
    'Some times do not fit a gap, a pace, a time of day or the sum of the splits, which fit the other times.',
  unplaced_rows: 'Rows without a place get one, because they are stored as FINISHED.',
  placeholder_time:
    'A time stands for no result, as `99:59:59` does. Say what it means, as in `status_word=99:59:59:DNF`.',
  rows_left_out:
    'Rows with a word are left out, because of `status_word=pending:`. They get no result.',
  unknown_fields: 'Rows of a JSON upload have fields that nobody reads.',
  no_race_time: 'The times are points, laps, kilometres or paces.',
  repeated_bibs: 'Rows repeat a bib. The last row of each bib counts.',
  bibs_unlikely: 'The bibs look like places, years or ages.',
  second_header: 'A second table with other columns stands below the first one.',
  last_line_cut: 'The last line has no end or too few cells: the file may be incomplete.',
  times_changed:
    'A file of ours has times that differ from their columns of milliseconds. The changed times are stored.',
  times_left_out: 'Runners who did not finish have a time, which is not stored.',
  implausible_for_distance: 'Times are too fast or too slow for the registered distance.',
  gun_times_removed: 'Results lose gun times that the upload does not have.',
  splits_removed: 'Results lose splits that the upload does not have.',
  unknown_bibs: 'Fewer than 80 % of the bibs are registered in the event.',
  cancelled_registration: 'Rows belong to cancelled registrations.',
  second_finish: `Rows would replace a stored finish by one that is at least ${SECOND_FINISH} times as late: the runner may have passed the finish again.`,
  dns_with_passing:
    'Rows say DNS of a runner whom a point saw, or have a passing of a runner who is DNS. Was the DNS wrong?',
  old_gun:
    'Rows equal the times before a start was corrected: the timing software still has the old gun.',
  wrong_clock: 'The clock of a point seems wrong. The text names the point and the offset.',
  status_would_change: 'Rows would change another stored status to FINISHED.',
  rank_time_missing:
    'Finishers lack the chip time or the gun time that the event ranks by. The other one ranks them. Only a preview tells it.',
  many_changes: 'More than 20 % of the stored results would get another time or status.',
  fewer_rows: 'The file has fewer rows than the upload before it.',
  not_event_day:
    'The nearest told start, or without a told start the event, is more than 24 hours from now.',
};

/** The warnings of a preview. */
export const warningTable = (): string =>
  markdownTable(
    ['Code', 'Meaning'],
    WARNING_CODES.map((code) => [`\`${code}\``, WARNINGS[code]]),
  );

const REASONS: Record<ReasonCode, string> = {
  unknown_bib: 'No registration of the event has this bib.',
  missing_bib: 'The row has no bib.',
  invalid_bib: 'The bib has characters that cannot be stored, such as NUL.',
  missing_time: 'A FINISHED row or a passing has no time.',
  invalid_time: 'A time cannot be read.',
  invalid_status: 'The status is unknown.',
  invalid_split: 'A split name cannot be stored, or there are too many splits.',
  duplicate_split: 'Two split names of a JSON row differ only in blanks around them.',
  missing_point: 'A passing names no point.',
  invalid_point: 'The name of a point is too long, or has characters that cannot be stored.',
  no_start: 'The row has a time of day, and nobody told the start of its runner.',
  before_start:
    'A time of day is before the start of the runner, or too soon after it for anybody.',
  hour_twice: 'A time of day is in the hour that comes twice, because the clocks go back.',
  no_time_zone:
    'Nobody knows which clock a time of day is of: the event has no time zone, and its start was told in UTC.',
  invalid_row:
    'The row has another shape: a wrong type, a stray quote, more cells than the header.',
};

/** The codes of failed rows. */
export const reasonTable = (): string =>
  markdownTable(
    ['`reason_code`', 'Meaning'],
    REASON_CODES.map((code) => [`\`${code}\``, REASONS[code]]),
  );
