/** What a file lacks, where the parameters of an upload could say it. */
export type Lack = 'no_bib_column' | 'no_time_column' | 'no_rows';

/** The file as a whole cannot be read as results: the message says what was found and what to do. */
export class FileError extends Error {
  readonly lack: Lack | undefined;
  /** The message without its last part, which says what to do. */
  readonly found: string;

  constructor(found: string, lack?: Lack, remedy = '') {
    super(remedy === '' ? found : `${found} ${remedy}`);
    this.found = found;
    this.lack = lack;
  }
}
