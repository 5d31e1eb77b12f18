import { quoted } from '../read/text.ts';
import { type Sentence, sentenceOf, type WarningValues } from './sentence.ts';
import type { WarningCode } from './warning-codes.ts';

type Key = WarningCode | `${WarningCode}:${string}`;

/**
 * The English sentences of warnings, by code. A code with several sentences has a case behind a colon. `{name}` stands
 * for a value, and `{"name"}` for a cell or a name of the file, in quotes. A value `why` is an English text.
 */
export const SENTENCES = {
  bib_column_unclear: 'No column is clearly the bib.',
  'bib_column_unclear:tables':
    'Tables with the same names stand side by side: send the file once for each of them.',
  'bib_column_unclear:none':
    'No column is named like a bib, and no other column may have bibs. If a column has them, name it, as in bib=#2.',
  'time_column_unclear:point':
    'No column is named {"point"}, and the file has times of other points: {"columns"}. The times of {"column"} are read. Name the right column with chip_time.',
  'time_column_unclear:moments':
    'Name the columns of the bibs and of the times of day, as in bib=#1 and gun_time=#2.',
  time_column_unclear: 'It is unclear which column has the times.',
  time_format_unclear: 'The times can be read in several ways.',
  'rows_unclear:with': 'Some rows may be no results: those with {value} in {"column"}.',
  'rows_unclear:blank': 'Some rows may be no results: those with nothing in {"column"}.',
  'rows_unclear:several': 'A runner has several rows, told apart by {"column"}.',
  'status_unclear:cells': 'It is unclear whether the cells are statuses.',
  'status_unclear:column': 'It is unclear whether the cells in the column {"column"} are statuses.',
  'status_unclear:words': 'These cells have an unknown meaning: {"words"}.',
  'status_unclear:words_in_column':
    'These cells in the column {"column"} have an unknown meaning: {"words"}.',
  no_results_yet: 'The column of the results is empty: the file has no results yet.',
  sheet_unclear: {
    one: 'The workbook has {total} sheets: {"sheets"}. 1 has results. Unless somebody chooses, {"sheet"} is read.',
    other:
      'The workbook has {total} sheets: {"sheets"}. {count} have results. Unless somebody chooses, {"sheet"} is read.',
  },
  encoding_unclear:
    'The names of the columns depend on the encoding, which the bytes of the file do not say.',
  'time_of_day:late':
    'All times are between 6 and 24 hours and close together. Check whether they are times of day.',
  'time_of_day:gun':
    'Every gun time is more than an hour later than the chip time. Check whether they are times of day.',
  'time_of_day:column': 'The times of {"column"} are times of day, not times that a race took.',

  rows_fail_alike: '{count} of {total} rows fail. The first: {why}',
  'rows_fail_alike:all': 'All {count} rows fail. The first: {why}',
  unknown_status_words:
    'Rows with these statuses fail: {"words"}. Say what each means, as in status_word=Abandon:DNF.',
  'splits_unlikely:question': 'Some columns have times that may be no splits: {"columns"}.',
  splits_unlikely: 'Unless somebody chooses, these columns are stored as splits: {why}.',
  column_not_read: 'The column {"column"} is not read: {why}.',
  'column_not_read:failing': {
    one: '1 row fails, though a cell has a status: {"words"} in the column {"columns"}. Name its column with the parameter status.',
    other:
      '{count} rows fail, though a cell has a status: {"words"} in the column {"columns"}. Name its column with the parameter status.',
  },
  'column_not_read:failing_field': {
    one: '1 row fails, though a cell has a status: {"words"} in the field {"columns"}. Send it as the status.',
    other:
      '{count} rows fail, though a cell has a status: {"words"} in the field {"columns"}. Send it as the status.',
  },
  'column_not_read:remark': {
    one: '1 row is stored as FINISHED, with a remark that is not read: {"words"} in the column {"columns"}.',
    other:
      '{count} rows are stored as FINISHED, with a remark that is not read: {"words"} in the column {"columns"}.',
  },
  no_rows: 'The file has a header and no row below it, so it has no results yet.',
  'no_rows:where': 'The file has no row that meets {conditions}, so it has no results yet.',
  gaps_unlikely:
    'The first time is much longer than the others, which rise. Check whether they are gaps to the winner.',
  whole_minutes:
    'Every time is a whole number of minutes. Check whether its parts are hours and minutes.',
  over_24_hours: {
    one: '1 row has a time longer than 24 hours.',
    other: '{count} rows have a time longer than 24 hours.',
  },
  'over_24_hours:one': 'The time is longer than 24 hours.',
  short_times: 'The times are a few minutes. Check whether their parts are minutes and seconds.',
  zero_time: {
    one: '1 row has a time of zero, which is left out.',
    other: '{count} rows have a time of zero, which is left out.',
  },
  split_after_finish: {
    one: '1 row has a split later than the finish.',
    other: '{count} rows have a split later than the finish.',
  },
  'split_after_finish:one': 'A split does not fit the time.',
  split_same_for_all: 'These splits are the same for everybody: {"splits"}.',
  gun_below_chip: {
    one: '1 row has a gun time below the chip time.',
    other: '{count} rows have a gun time below the chip time.',
  },
  'gun_below_chip:one': 'The gun time is below the chip time.',
  finished_despite_mark: {
    one: '1 row is stored as FINISHED, though a cell says that the runner did not finish: {"words"} in the column {"columns"}. Name its column with the parameter status.',
    other:
      '{count} rows are stored as FINISHED, though a cell says that the runner did not finish: {"words"} in the column {"columns"}. Name its column with the parameter status.',
  },
  'finished_despite_mark:field': {
    one: '1 row is stored as FINISHED, though a cell says that the runner did not finish: {"words"} in the field {"columns"}. Send it as the status.',
    other:
      '{count} rows are stored as FINISHED, though a cell says that the runner did not finish: {"words"} in the field {"columns"}. Send it as the status.',
  },
  'places_disagree:moved':
    'The times do not follow the places in {"column"}: rows or columns may have moved.',
  'places_disagree:alone': {
    one: 'The time of 1 row does not fit the place in {"column"} beside the other rows.',
    other: 'The time of {count} rows does not fit the place in {"column"} beside the other rows.',
  },
  'times_disagree:column': {
    one: 'The time of 1 row does not fit the column {"column"}.',
    other: 'The time of {count} rows does not fit the column {"column"}.',
  },
  'times_disagree:splits': {
    one: 'The time of 1 row does not fit the sum of the splits.',
    other: 'The time of {count} rows does not fit the sum of the splits.',
  },
  'unplaced_rows:words': {
    one: '1 row is stored as FINISHED, though no place stands where the others have one: {"words"} in the column {"columns"}. Name the column with the parameter status, and say what each word means, as in status_word=Abandon:DNF.',
    other:
      '{count} rows are stored as FINISHED, though no place stands where the others have one: {"words"} in the column {"columns"}. Name the column with the parameter status, and say what each word means, as in status_word=Abandon:DNF.',
  },
  'unplaced_rows:faster': {
    one: '1 row is stored as FINISHED without a place in {"column"}, and faster than runners with one: they may have the time of their last point.',
    other:
      '{count} rows are stored as FINISHED without a place in {"column"}, and faster than runners with one: they may have the time of their last point.',
  },
  'unplaced_rows:behind': {
    one: '1 row is stored as FINISHED without a place in {"column"}, behind all runners with one. The results would give them a place.',
    other:
      '{count} rows are stored as FINISHED without a place in {"column"}, behind all runners with one. The results would give them a place.',
  },
  placeholder_time: {
    one: '1 row is stored as FINISHED with {"word"}, which probably stands for runners without a result. Say what it means, as in status_word={word}:DNF.',
    other:
      '{count} rows are stored as FINISHED with {"word"}, which probably stands for runners without a result. Say what it means, as in status_word={word}:DNF.',
  },
  rows_left_out: {
    one: '1 row is left out because of status_word, and get no result: {"words"}.',
    other: '{count} rows are left out because of status_word, and get no result: {"words"}.',
  },
  unknown_fields: {
    one: '1 row has fields that are not read: {why}.',
    other: '{count} rows have fields that are not read: {why}.',
  },
  'no_race_time:places':
    'The times fall as the places in {"column"} rise: they may be points, laps or kilometres.',
  'no_race_time:pace':
    'The times of {"column"} are the same part of every {"whole"}, as a pace is.',
  repeated_bibs:
    '{count} of {total} rows repeat a bib. The last row of each bib counts. If a runner has several rows, choose those of the finish, as in where=Point:Finish.',
  'repeated_bibs:lines':
    '{count} of {total} rows repeat a bib. The last row of each bib counts: {why}. If a runner has several rows, choose those of the finish, as in where=Point:Finish.',
  'bibs_unlikely:places': 'The bibs look like places: they count 1, 2, 3, …: check the column.',
  'bibs_unlikely:years': 'The bibs look like years: check the column.',
  'bibs_unlikely:ages': 'The bibs look like ages: check the column.',
  second_header:
    'Line {line} has the names of other columns. The rows below it are read with those of the first header: upload each table as a file of its own.',
  last_line_cut: 'The last line has no line end: the file may be incomplete.',
  'last_line_cut:cells':
    'The last line has {cells} cells, but the header has {columns}: the file may be incomplete.',
  times_changed: {
    one: '1 row has a time that is not the one of the column in milliseconds: somebody has changed it. The time is stored, and not the milliseconds.',
    other:
      '{count} rows have a time that is not the one of the column in milliseconds: somebody has changed it. The time is stored, and not the milliseconds.',
  },
  times_left_out: {
    one: '1 row has a time beside a status such as DNF. The status is stored without the time.',
    other:
      '{count} rows have a time beside a status such as DNF. The status is stored without the time.',
  },

  implausible_for_distance:
    'The times do not fit the distance: {why}. Check the column and the time_format.',
  'implausible_for_distance:one': '{distance} in {time}: nobody runs it so.',
  'implausible_for_distance:fastest': 'The time is {time}, and the fastest other one is {other}.',
  'implausible_for_distance:fastest_of':
    'The time is {time}, and the fastest other one of {distance} is {other}.',
  'implausible_for_distance:slowest': 'The time is {time}, and the slowest other one is {other}.',
  'implausible_for_distance:slowest_of':
    'The time is {time}, and the slowest other one of {distance} is {other}.',
  'implausible_for_distance:gun': 'The gun time is {time} longer than the chip time.',
  splits_removed: {
    one: '1 result would lose splits: an upload replaces all splits of a result. Send them with its time, or send the times of points as passings.',
    other:
      '{count} results would lose splits: an upload replaces all splits of a result. Send them with its time, or send the times of points as passings.',
  },
  'splits_removed:done': {
    one: '1 result lost splits: an upload replaces all splits of a result. Send them with its time, or send the times of points as passings.',
    other:
      '{count} results lost splits: an upload replaces all splits of a result. Send them with its time, or send the times of points as passings.',
  },
  gun_times_removed: {
    one: '1 result would lose the gun time: an upload replaces both times of a result. Send the gun time beside the chip time.',
    other:
      '{count} results would lose the gun time: an upload replaces both times of a result. Send the gun time beside the chip time.',
  },
  'gun_times_removed:done': {
    one: '1 result lost the gun time: an upload replaces both times of a result. Send the gun time beside the chip time.',
    other:
      '{count} results lost the gun time: an upload replaces both times of a result. Send the gun time beside the chip time.',
  },
  unknown_bibs:
    '{known} of {bibs} bibs are registered in this event: check the bib column and the event.',
  cancelled_registration: '{count} rows are of cancelled registrations.',
  status_would_change: '{count} rows would change another stored status to FINISHED.',
  second_finish: {
    one: '1 runner had a finish already, and the new one is at least {times} times as late: they may have passed the finish again. The new one is stored.',
    other:
      '{count} runners had a finish already, and the new one is at least {times} times as late: they may have passed the finish again. The new one is stored.',
  },
  dns_with_passing: {
    one: '1 runner is DNS, and a point saw the runner. Was the DNS wrong? Else the bib of the passing was misread.',
    other:
      '{count} runners are DNS, and a point saw the runners. Was the DNS wrong? Else the bib of the passing was misread.',
  },
  old_gun: {
    one: '1 row equals the time before the start was corrected: correct the gun in the timing software too. All its new times count from the old gun.',
    other:
      '{count} rows equal the times before the start was corrected: correct the gun in the timing software too. All its new times count from the old gun.',
  },
  'wrong_clock:start_late':
    'A start seems to be told {minutes} minutes too late: check the starts. {runners} runners show it.',
  'wrong_clock:start_early':
    'A start seems to be told {minutes} minutes too early: check the starts. {runners} runners show it.',
  'wrong_clock:finish_ahead_of_server':
    'The clock of the finish is about {minutes} minutes ahead of the clock of the server: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:finish_behind_server':
    'The clock of the finish is about {minutes} minutes behind the clock of the server: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:finish_ahead_of_points':
    'The clock of the finish is about {minutes} minutes ahead of the clocks of the other points: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:finish_behind_points':
    'The clock of the finish is about {minutes} minutes behind the clocks of the other points: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:point_ahead_of_server':
    'The clock of the point {"point"} is about {minutes} minutes ahead of the clock of the server: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:point_behind_server':
    'The clock of the point {"point"} is about {minutes} minutes behind the clock of the server: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:point_ahead_of_points':
    'The clock of the point {"point"} is about {minutes} minutes ahead of the clocks of the other points: check this clock, and the starts. {runners} runners show it.',
  'wrong_clock:point_behind_points':
    'The clock of the point {"point"} is about {minutes} minutes behind the clocks of the other points: check this clock, and the starts. {runners} runners show it.',
  'rank_time_missing:chip': {
    one: '1 row has no chip time, by which the event ranks: the gun time ranks instead.',
    other: '{count} rows have no chip time, by which the event ranks: the gun time ranks instead.',
  },
  'rank_time_missing:gun': {
    one: '1 row has no gun time, by which the event ranks: the chip time ranks instead.',
    other: '{count} rows have no gun time, by which the event ranks: the chip time ranks instead.',
  },
  'rank_time_missing:chip_in_categories': {
    one: '1 row has no chip time, by which the event ranks in categories: the gun time ranks instead.',
    other:
      '{count} rows have no chip time, by which the event ranks in categories: the gun time ranks instead.',
  },
  'rank_time_missing:gun_in_categories': {
    one: '1 row has no gun time, by which the event ranks in categories: the chip time ranks instead.',
    other:
      '{count} rows have no gun time, by which the event ranks in categories: the chip time ranks instead.',
  },
  'many_changes:results': '{changed} of {stored} stored results would change.',
  'many_changes:passings': '{changed} of {stored} stored passings would change.',
  fewer_rows: 'The file has {rows} rows; the upload before it had {before}.',
  not_event_day: 'The event is on {day}, and now it is {now}.',
} as const satisfies Partial<Record<Key, Sentence>>;

/** The name of a sentence: a code or, of a code with several sentences, the code, a colon and a case. */
export type SentenceName = keyof typeof SENTENCES;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `"${infer Quoted}"` ? Quoted : Name) | NamesIn<Rest>
  : never;
type TextsOf<Said> = Said extends { one: string; other: infer Other } ? Other | '{count}' : Said;

/** The values in a sentence. */
export type ValuesOf<Name extends SentenceName> = Readonly<
  Record<NamesIn<TextsOf<(typeof SENTENCES)[Name]>>, string | number | string[]>
>;

/** A sentence, and its values for other languages. */
export type Told = { code: WarningCode; detail: string; values: WarningValues };

/**
 * The code, the English sentence and the values of a warning.
 * @param more values for other languages that the English sentence does not name
 */
export function worded<Name extends SentenceName>(
  name: Name,
  values: ValuesOf<Name>,
  more: WarningValues = {},
): Told {
  const [code, of] = name.split(':') as [WarningCode, string?];
  const all: WarningValues = { ...(of !== undefined && { case: of }), ...values, ...more };
  return { code, detail: sentenceOf(SENTENCES[name], all, quoted), values: all };
}
