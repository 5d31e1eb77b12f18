/** What is wrong with a file, in a word for programs. */
type FileErrorCode =
  | 'unreadable_file'
  | 'no_bib_column'
  | 'no_time_column'
  | 'unknown_column'
  | 'too_many_rows';

/** A file that cannot be read as results. The message says what was found and what is accepted. */
export class FileError extends Error {
  /** Whether other parameters could make the file readable. */
  readonly isMendable: boolean;
  readonly code: FileErrorCode;

  constructor(message: string, isMendable = false, code: FileErrorCode = 'unreadable_file') {
    super(message);
    this.isMendable = isMendable;
    this.code = code;
  }
}

/** What a reading answers, or why the file is refused. */
export function orRefusal<Read>(read: () => Read): Read | FileError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}
