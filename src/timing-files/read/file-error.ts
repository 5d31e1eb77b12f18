/** A missing part of a file that parameters of the upload could name. */
type Lack = 'no_bib_column' | 'no_time_column' | 'columns_differ' | 'wrong_encoding';

/** A file that cannot be read as results. The message says what was found and what is accepted. */
export class FileError extends Error {
  readonly lack: Lack | undefined;
  /** The lines with which the file begins, if its header lacks a column; else blank. */
  readonly start: string;

  constructor(message: string, lack?: Lack, start = '') {
    super(message);
    this.lack = lack;
    this.start = start;
  }
}
