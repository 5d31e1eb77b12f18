/** Why a file cannot be read as results, by code. A value stands where a text has `{name}`. */
export const FILE_FAULTS = {
  empty: 'The file is empty: it has no header line.',
  fixed_width:
    'The file is text with columns lined up by blanks, which cannot be separated reliably: export it as CSV, or as text with tabs or semicolons between the columns.',
  one_cell:
    'The lines of the file have one cell each: columns must be separated by commas, semicolons, tabs or bars. Export it as CSV. If a table stands below title lines, name the line of its header, as in header_line=25.',
  too_many_lines: 'The file has more than {most} lines.',
  too_many_rows: 'The file has more than {most} rows; upload it in parts.',
  stray_quotes: 'More than {most} lines up to {line} have stray quotes.',
  row_never_ends:
    'The row on line {line} does not end: a quoted cell is never closed, or the row is longer than {most} characters. Close or remove the quote, or name the line of the header with header_line.',
  bytes_not_utf8:
    'The bytes of the file are not utf-8: name another encoding, such as windows-1252.',
  utf16_damaged:
    'The file starts as UTF-16, but is damaged or cut off: export it again, preferably as UTF-8.',

  // The header.
  header_line_blank:
    'header_line is {line}, but that line is blank: the next line with text is {next}.',
  header_line_beyond: 'header_line is {line}, but the file has fewer lines.',
  no_bib_column: 'The header has no bib column ({accepted}). Found: {names}.',
  no_bib_number:
    'The header has no bib column ({accepted}). The file is read without a header, so columns are named by number, as in #2.',
  no_time_column:
    'The header has no time column ({accepted}) and no status column ({statuses}). Found: {names}.',
  no_time_number:
    'The header has no time column ({accepted}) and no status column ({statuses}). The file is read without a header, so columns are named by number, as in #2.',
  no_point_column:
    'The header has no time column ({accepted}) and no column {point}. Found: {names}.',
  no_point_number:
    'The header has no time column ({accepted}) and no column {point}. The file is read without a header, so columns are named by number, as in #2.',
  too_many_columns: 'The header has {count} columns; at most {most} are accepted.',
  column_name_too_long:
    'The header has a column name of {length} characters; at most {most} are accepted.',
  nul_in_header:
    'The header has NUL characters, so the file is not a CSV in UTF-8, latin-1 or UTF-16 with its mark. Name its encoding, as in encoding=utf-16le.',
  controls_in_header:
    'The column {column} has control characters, so the encoding of the file is another one: name it, as in encoding=cp850, encoding=macintosh or encoding=shift_jis, or save the file as UTF-8.',
  twins_differ:
    '{count} columns are named {name}, and their cells differ on line {line}: name one of them by its number, as in {numbers}.',
  export_of_passings:
    'The file is an export of passings, and not of results: send it as passings, once for each point.',
  export_of_results:
    'The file is an export of results without a column {point}: send it as results.',

  // Files of a different kind.
  old_workbook:
    'The file is not a CSV. It is an old (.xls) or encrypted Excel workbook: open it and save it as .xlsx without a password, or as CSV.',
  pdf: 'The file is not a CSV. It is a PDF: export the results as CSV.',
  compressed: 'The file is not a CSV. It is compressed: send the CSV itself.',
  html: 'The file is not a CSV. It is HTML or XML, which some programs name .xls: open it in a spreadsheet and save it as .xlsx or CSV.',
  json: 'The file is not a CSV. It is JSON: send it to \u2026/results with the type application/json.',
  json_rows:
    'The file is not a CSV. It is JSON: send it to \u2026/results with the type application/json, as {shape}.',
  open_document: 'The file is an OpenDocument spreadsheet (.ods): save it as .xlsx or CSV.',
  binary_workbook: 'The file is a binary workbook (.xlsb): save it as .xlsx or CSV.',
  numbers_document: 'The file is a Numbers document: export it as .xlsx or CSV.',
  text_document: 'The file is a text document: save its table as .xlsx or CSV.',
  archive: 'The file is an archive: send the CSV or the workbook (.xlsx) itself.',

  // Workbooks.
  encrypted: 'The file is encrypted: save it without a password, and send that.',
  workbook_broken:
    'The workbook is broken or cut off: open it, save it again as .xlsx, and send that.',
  workbook_too_large:
    'The workbook is too large: remove columns and sheets, or send the results in parts.',
  workbook_encoding: 'encoding is not for a workbook, which says its encoding itself.',
  too_many_sheets:
    'The workbook has more than {most} sheets: copy the results into a workbook of their own, and send that.',
  too_many_texts:
    'The workbook has more than {most} texts: copy the results into a workbook of their own, and send that.',
  too_many_formats:
    'The workbook has more than {most} number formats: copy the results into a workbook of their own, and send that.',
  too_many_styles:
    'The workbook has more than {most} styles of cells: copy the results into a workbook of their own, and send that.',
  row_too_wide:
    'A row of the workbook has a cell behind column {most}, which is the last one that is read: remove it.',
  cell_too_long:
    'A cell of the workbook has more than {most} characters, which no spreadsheet accepts: shorten it.',
  all_sheets_hidden:
    'All sheets of the workbook are hidden: show the one with the results, and save the workbook.',
  sheet_hidden:
    'The sheet {sheet} is hidden (parameter sheet): show it in the spreadsheet and save the workbook. Its sheets: {sheets}.',
  no_such_sheet: 'The workbook has no sheet {sheet} (parameter sheet). Its sheets: {sheets}.',
  no_sheet_with_table: 'No sheet of the workbook has a table of results.',

  // Parameters that do not fit the file.
  unknown_column:
    'The file has no column {column} (parameter {parameter}). Its columns: {columns}.',
  several_columns:
    'The file has several columns {column} (parameter {parameter}): name one by number, as in #{first} or #{second}.',
  same_column: '{one} and {other} are the same column, {column}: name another for one of them.',
  split_is_bib: 'split names {column}, which is the bib column.',
  where_wrong:
    'where is {condition}: expected a column, a colon and a value, as in Point:Finish. Its columns: {columns}.',

  // Unintelligible parameters.
  unknown_parameter: 'There is no parameter {name}: expected {names}.',
  parameter_too_long: '{name} has {length} characters: at most {most} are accepted.',
  parameter_with_nul: '{name} has a NUL character: remove it.',
  parameter_twice: '{name} is sent more than once: send it once.',
  parameter_too_often: '{name} is sent {count} times: at most {most} are accepted.',
  point_blank: 'point cannot be read: expected the name of a point.',
  point_wrong: 'point cannot be read: {fault}.',
  header_line_wrong:
    'header_line is {value}: expected the number of a line up to {most}, or 0 for a file without a header.',
  encoding_wrong:
    'encoding is {value}: expected a name such as utf-8, windows-1250, windows-1251, cp850, shift_jis or gb18030.',
  bib_format_wrong: 'bib_format is {value}: expected one of {names}.',
  fastest_wrong: 'fastest is {value}: expected a time, as in 20:10:12.',
  time_format_wrong: 'time_format is {value}: expected one of {names}.',
  status_word_wrong:
    'status_word is {value}: expected a word of the file, a colon and one of {statuses}, as in Abandon:DNF, or nothing, as in pending:, if its cells count as empty. Nothing before the colon, as in :DNF, is a blank cell.',
  status_word_twice: 'status_word gives {word} two meanings: {one} and {other}.',
} as const;

export type FileFault = keyof typeof FILE_FAULTS;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A fault whose text names no value. */
export type PlainFault = {
  [Fault in FileFault]: NamesIn<(typeof FILE_FAULTS)[Fault]> extends never ? Fault : never;
}[FileFault];

/** The values named in the text of a fault. */
export type FaultValues<Fault extends FileFault> = Readonly<
  Record<NamesIn<(typeof FILE_FAULTS)[Fault]>, string | number>
>;
